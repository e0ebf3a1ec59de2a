/** Finds out what can be seen of a write that got no answer. */

import type { Account, FillRecord } from '@venue/protocol';
import { type OrderTerms, OutcomeUnknownError, type Session } from '@venue/sdk';
import { CommandError } from '../base/command-error.ts';
import { EXIT } from '../base/exit-codes.ts';
import { contracts, decimalText, EXACT_USD, usd } from '../terminal/numbers.ts';
import { say } from '../terminal/output.ts';
import { plain } from '../terminal/plain.ts';
import { utcSecond } from '../terminal/times.ts';
import { type Signing, signIn } from './connection.ts';
import { FORESEEN } from './refusal.ts';

/** The account after the write. */
export interface Seen {
  readonly account: Account;
  /** Since the earliest time at which the write can have been carried out. */
  readonly fills: readonly FillRecord[];
}

export interface Write {
  /** Completes `whether … is not known`: `the order was placed`. */
  readonly what: string;
  /** True if it was sent again without harm before its outcome was given up. */
  readonly isRepeated?: true;
  /** A field that every answer of the venue to this write has. */
  readonly answerField: string;
  /** The parts of the account that may result from the write, line by line; may be empty. */
  readonly traces: (seen: Seen) => readonly string[];
}

/**
 * Sends a write and prints the answer. If none comes, or an unreadable one, says what is known and what the account
 * and its fills show, and throws `CommandError`, with the exit code for an unknown outcome unless it is certain that
 * nothing was carried out. Ctrl-C during the write says the same.
 */
export async function sendWrite<T extends object>(
  trader: Signing,
  write: Write,
  send: () => Promise<T>,
  print: (answer: T) => void,
): Promise<void> {
  const onInterrupt = () => {
    say(
      `\nvenue: interrupted; whether ${write.what} is not known: look with "venue orders" and "venue fills"`,
    );
    process.exit(EXIT.interrupted);
  };
  process.once('SIGINT', onInterrupt);
  try {
    const answer = await send();
    if (!(write.answerField in answer)) throw new TypeError(`it has no ${write.answerField}`);
    print(answer);
  } catch (error) {
    if (error instanceof OutcomeUnknownError) throw unknownOutcome(write, await withAccount(trader, error));
    throw error instanceof Error && FORESEEN.has(error.name) ? error : unreadable(write, error);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** The write may have been sent by then, so this is never a plain refusal. */
function unreadable({ what, isRepeated }: Write, error: unknown): CommandError {
  const cause = error instanceof Error ? plain(error.message) : 'for no reason that it gave';
  return new CommandError(
    `the answer cannot be read (${cause}): whether ${what} is not known; ${again(isRepeated)}: look with "venue orders" and "venue fills"`,
    EXIT.unknown,
  );
}

/** The error plus what the account shows: the write needed no token, but reading the account does. */
async function withAccount(trader: Signing, error: OutcomeUnknownError): Promise<OutcomeUnknownError> {
  if (error.verdict === 'not carried out') return error;
  try {
    await signIn(trader, trader.session);
    return await error.lookAgain();
  } catch {
    return error;
  }
}

function again(isRepeated?: true): string {
  return isRepeated ? 'what was sent again counts once' : 'nothing was sent again';
}

function unknownOutcome({ what, isRepeated, traces }: Write, error: OutcomeUnknownError): CommandError {
  const { verdict, account, fillsSince: fills } = error;
  const cause = error.cause instanceof Error ? plain(error.cause.message) : 'no answer';
  if (verdict === 'not carried out')
    return new CommandError(`${cause}: nothing was carried out, and nothing will be`, EXIT.unreachable);
  const seems = verdict === 'carried out' ? 'the venue is as it would leave it, but ' : '';
  const head = `${cause}: ${seems}whether ${what} is not known`;
  const tail = again(isRepeated);
  if (account === null)
    return new CommandError(
      `${head}, and the account cannot be read; ${tail}: look with "venue orders" and "venue fills"`,
      EXIT.unknown,
    );
  const found = traces({ account, fills });
  for (const line of found) say(`  ${line}`);
  const seen = found.length > 0 ? 'what may be of it is above' : 'nothing of it was found';
  return new CommandError(`${head}; ${seen}; ${tail}`, EXIT.unknown);
}

/**
 * The possible effects of a lost order: fills signed by its key on its side, no worse than its limit, and resting
 * orders of its price and size. Another order of the last minute can look the same, so their times are shown.
 */
export function orderTraces(terms: OrderTerms, { sessionKey }: Session): Write['traces'] {
  const { seriesId, side, qty, price: limit } = terms;
  const isSame = (row: { seriesId: string; side: string }) => row.seriesId === seriesId && row.side === side;
  const isWithin = (price: number) =>
    limit === undefined || (side === 'buy' ? price <= limit : price >= limit);
  return ({ account, fills }) => [
    ...fills
      .filter((fill) => isSame(fill) && fill.signer === sessionKey && isWithin(fill.price))
      .map(
        (fill) => `fill ${fill.id} of order ${fill.orderId}: ${tradeText(fill)}, ${utcSecond(fill.ts)} UTC`,
      ),
    ...account.openOrders
      .filter((order) => isSame(order) && order.price === limit && order.qty === qty)
      .map(
        (order) =>
          `order ${order.id} rests: ${tradeText({ ...order, qty: order.remaining })}, since ${utcSecond(order.ts)} UTC`,
      ),
  ];
}

function tradeText({ side, qty, price }: { side: string; qty: number; price: number }): string {
  return `${side} ${contracts(qty)} at ${decimalText(price, EXACT_USD)} USD`;
}

/** The orders that a lost cancel was for and that still rest. */
export function cancelTraces(isMeant: (order: Account['openOrders'][number]) => boolean): Write['traces'] {
  return ({ account }) => {
    const left = account.openOrders.filter(isMeant).length;
    return [left === 0 ? 'none of its orders rests any more' : `${left} of its orders still rest`];
  };
}

/** The state of the switch after a lost switch of margin. */
export const marginTraces: Write['traces'] = ({ account }) => [
  `margin is ${account.marginEnabled ? 'on' : 'off'}`,
];

/** The possible effect of a lost withdrawal on the account. */
export const cashTraces: Write['traces'] = ({ account }) => [
  `cash is ${usd(account.cash)}; "venue payouts" lists what was asked for`,
];
