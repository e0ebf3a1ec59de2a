/** `venue guard`: all orders leave unless the guard is renewed in time (GRD-1). */

import { GUARD_MS_MAX, GUARD_MS_MIN } from '@venue/protocol';
import { type GuardLapse, type OrderRecord, pause, UnauthorizedError } from '@venue/sdk';
import { CommandError, usageError } from '../../base/command-error.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { stopSignal } from '../../base/stop-signal.ts';
import { type CommonOptions, type Signing, signing } from '../../connection/connection.ts';
import { contracts, usd } from '../../terminal/numbers.ts';
import { say, show } from '../../terminal/output.ts';
import { plain } from '../../terminal/plain.ts';
import { utcSecond } from '../../terminal/times.ts';
import { durationOf, timeSpan } from './durations.ts';
import { sendActions } from './send-actions.ts';

export interface GuardOptions extends CommonOptions {
  readonly keep?: true;
  readonly goOn?: true;
}

/** Sets or removes the guard; with `--keep` it stays and renews it until it is stopped. */
export async function runGuardCommand(word: string, options: GuardOptions): Promise<void> {
  const ms = word === 'off' ? 0 : durationOf('a guard', word, { minMs: GUARD_MS_MIN, maxMs: GUARD_MS_MAX });
  if (ms === 0 && options.keep) throw usageError('--keep renews a guard, and off removes it: one of them');
  if (options.goOn && !options.keep) throw usageError('--go-on is for --keep');
  const trader = signing(options);
  if (options.keep) await keep(trader, ms, options);
  else await setOnce(trader, ms, options);
}

async function setOnce(trader: Signing, ms: number, options: CommonOptions): Promise<void> {
  const what = ms === 0 ? 'the guard was removed' : 'the guard was set';
  await sendActions(trader, what, [{ type: 'guard', ms }], ({ account: { guardAt = null } }) => {
    // The account may be of some time after a lost answer.
    if ((guardAt === null) !== (ms === 0))
      throw new CommandError(`${what}, but by now ${guardText(guardAt)}`, EXIT.unknown);
    show(options, { guardAt }, () => [guardText(guardAt)]);
  });
}

function guardText(guardAt: number | null): string {
  return guardAt === null
    ? 'no guard: orders rest until they are cancelled'
    : `all orders leave at ${utcSecond(guardAt)} UTC, unless the guard is set again or removed before`;
}

/** Often enough to notice that the command is to end. */
const LOOK_EVERY_MS = 60_000;
/** Shorter than the time after which a stopping process is ended. */
const REMOVE_LIMIT_MS = 5_000;

async function keep(trader: Signing, ms: number, options: GuardOptions): Promise<void> {
  const stop = stopSignal();
  const lost = new AbortController();
  const guard = await trader.client.orders.guard(ms, {
    onFailure: ({ error, leftMs }) => {
      say(`venue: the guard was not renewed: ${plain(error.message)}; ${dueText(leftMs)}`);
      // No later renewal can succeed, either.
      if (error instanceof UnauthorizedError) lost.abort(error);
    },
    onLapse: (lapse) => {
      for (const line of lapseText(lapse)) say(line);
      if (!options.goOn) lost.abort(lapsed(ms));
    },
  });
  show(options, { ms }, () => [
    `guarded: all orders leave ${timeSpan(ms)} after this command or its line dies; Ctrl-C removes the guard`,
  ]);
  const ended = AbortSignal.any([stop, lost.signal]);
  while (!ended.aborted) await pause(LOOK_EVERY_MS, ended);
  await guard.stop();
  if (lost.signal.aborted) throw lost.signal.reason;
  await remove(trader, guard.leftMs);
}

/** Which orders left, and when. */
function lapseText({ dueAtMs, orders }: GuardLapse): string[] {
  const what =
    orders === null
      ? 'which orders left cannot be read now: look with "venue orders --closed"'
      : `${orders.length} order${orders.length === 1 ? '' : 's'} left, and all quotes of sets`;
  return [
    `venue: the guard was due at ${utcSecond(dueAtMs)} UTC and was not renewed in time: ${what}`,
    ...(orders ?? []).map((order) => `  ${leftText(order)}`),
  ];
}

/** A combo never rests, so that no guard takes one. */
function leftText(order: OrderRecord): string {
  const left = `left at ${utcSecond(order.closedAt ?? order.ts)} UTC`;
  if ('legs' in order) return `order ${order.id} ${left}`;
  const { id, side, qty, filledQty, seriesId, price } = order;
  const at = price === null ? '' : ` at ${usd(price)}`;
  return `order ${id}, ${side} ${contracts(qty - filledQty)} ${seriesId}${at}, ${left}`;
}

function lapsed(ms: number): CommandError {
  return new CommandError(
    `the guard lapsed and stands again for ${timeSpan(ms)}: place what should rest, and start this again; --go-on renews it anyway`,
    EXIT.lapsed,
  );
}

function dueText(leftMs: number): string {
  return leftMs > 0
    ? `all orders leave in ${timeSpan(Math.ceil(leftMs / 1_000) * 1_000)} unless a renewal arrives`
    : 'all orders have left, if the venue is up';
}

async function remove({ client }: Signing, leftMs: number): Promise<void> {
  try {
    await client.orders.batch([{ type: 'guard', ms: 0 }], {
      account: false,
      timeoutMs: REMOVE_LIMIT_MS,
      retryMs: 0,
    });
  } catch (error) {
    throw new CommandError(
      `whether the guard was removed is not known (${plain((error as Error).message)}): ${dueText(leftMs)}`,
      EXIT.unknown,
    );
  }
  say('venue: the guard is removed; orders rest without it');
}
