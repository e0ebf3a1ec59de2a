/** After a write without an answer: what can be seen of it. Nothing is ever sent again from here. */

import type { Account, FillRecord } from '@venue/protocol';
import { type OrderTerms, OutcomeUnknownError, type Session } from '@venue/sdk';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { FORESEEN } from '../refusal.ts';
import { contracts, decimalText, EXACT_USD, usd } from '../terminal/numbers.ts';
import { say } from '../terminal/output.ts';
import { plain } from '../terminal/plain.ts';
import { utcSecond } from '../terminal/times.ts';
import { type Signing, signIn } from './connection.ts';

/** What the account showed after the write. */
export interface Seen {
  readonly account: Account;
  /** Since the earliest time at which the write can have been carried out. */
  readonly fills: readonly FillRecord[];
}

export interface Write {
  /** As it goes on in `whether … is not known`: `the order was placed`. */
  readonly what: string;
  /** A field without which an answer is none of the venue's to this write. */
  readonly answerField: string;
  /** What of the account bears on it, line by line; none when nothing does. */
  readonly traces: (seen: Seen) => readonly string[];
}

/**
 * Sends a write once and tells what was answered. Where no answer comes, or one that cannot be read, it says what is known,
 * and what the account and its fills show, and throws `CommandError`: with the exit code for an unknown outcome, unless it
 * is sure that nothing was carried out. Ctrl-C while the write is on its way says so as well.
 */
export async function sendOnce<T extends object>(
  trader: Signing,
  write: Write,
  send: () => Promise<T>,
  tell: (answer: T) => void,
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
    tell(answer);
  } catch (error) {
    if (error instanceof OutcomeUnknownError) throw told(write, await withAccount(trader, error));
    throw error instanceof Error && FORESEEN.has(error.name) ? error : unreadable(write, error);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** The write may have been sent by then, so this is never a plain refusal. */
function unreadable({ what }: Write, error: unknown): CommandError {
  const cause = error instanceof Error ? plain(error.message) : 'for no reason that it gave';
  return new CommandError(
    `the answer cannot be read (${cause}): whether ${what} is not known; nothing was sent again: look with "venue orders" and "venue fills"`,
    EXIT.unknown,
  );
}

/** The error with what the account shows: the write needed no token, reading the account does. */
async function withAccount(trader: Signing, error: OutcomeUnknownError): Promise<OutcomeUnknownError> {
  if (error.verdict === 'not carried out') return error;
  try {
    await signIn(trader, trader.session);
    return await error.lookAgain();
  } catch {
    return error;
  }
}

function told({ what, traces }: Write, error: OutcomeUnknownError): CommandError {
  const { verdict, account, fillsSince: fills } = error;
  const cause = error.cause instanceof Error ? plain(error.cause.message) : 'no answer';
  if (verdict === 'not carried out')
    return new CommandError(`${cause}: nothing was carried out, and nothing will be`, EXIT.unreachable);
  const isTaken = verdict === 'carried out' ? 'the venue took it, and ' : '';
  const head = `${cause}: ${isTaken}whether ${what} is not known`;
  const tail = 'nothing was sent again';
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
 * What a lost order may have left: fills that its key signed on its side, no worse than its limit, and orders of its
 * price and size that rest. Another order of the last minute can look the same, so their times are told.
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

/** What a lost cancel left of the orders it was for. */
export function cancelTraces(isMeant: (order: Account['openOrders'][number]) => boolean): Write['traces'] {
  return ({ account }) => {
    const left = account.openOrders.filter(isMeant).length;
    return [left === 0 ? 'none of its orders rests any more' : `${left} of its orders still rest`];
  };
}

/** What a lost switch of margin left. */
export const marginTraces: Write['traces'] = ({ account }) => [
  `margin is ${account.marginEnabled ? 'on' : 'off'}`,
];

/** What a lost withdrawal may have left in the account. */
export const cashTraces: Write['traces'] = ({ account }) => [
  `cash is ${usd(account.cash)}; "venue payouts" lists what was asked for`,
];
