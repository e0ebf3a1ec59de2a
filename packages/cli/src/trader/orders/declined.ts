/** Says why the venue declined an order, and what to do about it. */

import type { ReasonCode } from '@venue/protocol';
import type { ComboResult, PlaceResult } from '@venue/sdk';
import { CommandError } from '../../base/command-error.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { plain } from '../../terminal/plain.ts';

const REMEDIES: ReadonlyMap<string, string> = new Map<ReasonCode, string>([
  ['unknown-series', '"venue series SYMBOL" lists what is there'],
  ['margin-off', '"venue margin on" turns it on'],
  ['no-liquidity', '"venue book SERIES" shows what rests; --limit waits for it'],
  ['series-expired', '"venue series SYMBOL" lists what is live'],
  ['order-expired', "this machine's clock may be wrong, or --expires too short"],
  ['nothing-to-reduce', 'there is no such position, or resting orders close all of it'],
  ['post-only-would-trade', '"venue book SERIES" shows the best price'],
  ['fok-cannot-fill', '"venue book SERIES" shows what rests'],
  ['unknown-order', '"venue orders" lists yours, "venue orders --closed" those that left'],
  ['filled-more-than-expected', '"venue order ORDER" shows how much'],
  ['unknown-set', '"venue sets" lists yours'],
  ['mode-needs-buying-power', '"venue margin" shows what your positions require'],
  ['mode-bars-sets', '"venue protect SET SYMBOL 0" ends a set'],
  ['set-has-quotes', '"venue protect SET SYMBOL 0" ends the set'],
  ['self-trade-prevented', '"venue orders" lists yours; --stp maker cancels what it meets'],
]);

/** A result's or a preview's reason for its refusal. */
export interface Why {
  readonly reason?: string;
  readonly code?: string;
  /** Listed series nearest to one that is not listed. */
  readonly nearest?: readonly string[];
}

/** An action that has no reason, or was left out of the answer, says nothing. */
export function whyOf(result: object = {}): Why {
  return result;
}

/** `rejected: no liquidity ("venue book SERIES" shows what rests; --limit waits for it)`. */
export function rejection(why: Why): string {
  return `rejected: ${withRemedy(why)}`;
}

function withRemedy({ reason = 'no reason was given', code = '', nearest }: Why): string {
  const remedy = nearest === undefined ? REMEDIES.get(code) : `the nearest listed are ${nearest.join(', ')}`;
  return `${plain(reason)}${remedy === undefined ? '' : ` (${remedy})`}`;
}

/** A declined order, as a failure of the command. */
export function declined(why: Why): CommandError {
  return new CommandError(rejection(why), EXIT.refused, 'rejected');
}

/** Throws `CommandError` for an order that was rejected, and for one that left without a trade. */
export function checkTraded(result: PlaceResult | ComboResult): void {
  const { status } = result;
  const why = whyOf(result);
  if (status === 'rejected') throw declined(why);
  if (status !== 'cancelled') return;
  const what =
    result.type === 'combo'
      ? 'the books hold nothing at that net'
      : 'the book holds nothing within the limit';
  throw new CommandError(
    `nothing traded: ${why.reason === undefined ? what : withRemedy(why)}`,
    EXIT.refused,
    'not-filled',
  );
}
