/** Says why the venue declined an order, and what to do about it. */

import { BATCH_REJECT, REJECT } from '@venue/protocol';
import type { ComboResult, PlaceResult } from '@venue/sdk';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { plain } from '../terminal/plain.ts';

const REMEDIES: ReadonlyMap<string, string> = new Map([
  [REJECT.unknownSeries, '"venue series SYMBOL" lists what is there'],
  [REJECT.marginOff, '"venue margin on" turns it on'],
  [REJECT.noLiquidity, '"venue book SERIES" shows what rests; --limit waits for it'],
  [REJECT.seriesExpired, '"venue series SYMBOL" lists what is live'],
  [BATCH_REJECT.orderExpired, "this machine's clock may be wrong, or --expires too short"],
  [BATCH_REJECT.nothingToReduce, 'there is no such position, or resting orders close all of it'],
  [BATCH_REJECT.postOnlyWouldTrade, '"venue book SERIES" shows the best price'],
  [BATCH_REJECT.fokCannotFill, '"venue book SERIES" shows what rests'],
  [BATCH_REJECT.unknownOrder, '"venue orders" lists yours, "venue orders --closed" those that left'],
  [BATCH_REJECT.filledMoreThanExpected, '"venue order ORDER" shows how much'],
  [BATCH_REJECT.unknownSet, '"venue sets" lists yours'],
  [BATCH_REJECT.modeNeedsBuyingPower, '"venue margin" shows what your positions require'],
  [BATCH_REJECT.modeBarsSets, '"venue protect SET SYMBOL 0" ends a set'],
  [BATCH_REJECT.setHasQuotes, '"venue protect SET SYMBOL 0" ends the set'],
  [BATCH_REJECT.selfTradePrevented, '"venue orders" lists yours; --stp maker cancels what it meets'],
]);

/** `rejected: no liquidity ("venue book SERIES" shows what rests; --limit waits for it)`. */
export function rejection(reason = 'no reason was given'): string {
  return `rejected: ${withRemedy(reason)}`;
}

function withRemedy(reason: string): string {
  const remedy = REMEDIES.get(reason);
  return `${plain(reason)}${remedy === undefined ? '' : ` (${remedy})`}`;
}

/** A declined order, as a failure of the command. */
export function declined(reason?: string): CommandError {
  return new CommandError(rejection(reason), EXIT.refused, 'rejected');
}

/** Throws `CommandError` for an order that was rejected, and for one that left without a trade. */
export function checkTraded(result: PlaceResult | ComboResult): void {
  const { status } = result;
  const reason = 'reason' in result ? result.reason : undefined;
  if (status === 'rejected') throw declined(reason);
  if (status !== 'cancelled') return;
  const what =
    result.type === 'combo'
      ? 'the books hold nothing at that net'
      : 'the book holds nothing within the limit';
  throw new CommandError(
    `nothing traded: ${reason === undefined ? what : withRemedy(reason)}`,
    EXIT.refused,
    'not-filled',
  );
}
