/** Quote sets as their owner sees them (QTS-5). */

import { type Account, ownerOfSet, type QuoteSet, type State } from '@venue/engine';
import { MICROS_PER_UNIT, microsToDecimal, toMicros, type QuoteSet as WireQuoteSet } from '@venue/protocol';

/** The sets of an account, ascending by number. `now` tells whether a freeze is over. */
export function quoteSetsView(state: State, { index }: Account, now: number): { sets: WireQuoteSet[] } {
  return { sets: state.quoteSets.of(index).map((set) => quoteSetView(state, set, now)) };
}

function quoteSetView({ orders }: State, set: QuoteSet, now: number): WireQuoteSet {
  const { freeze, protection } = set;
  const { windowMs, qtyMicros, deltaMicros, frozenMs } = protection;
  const frozen = freeze !== null && (freeze.until === null || now < freeze.until);
  return {
    set: set.number,
    symbol: set.symbol,
    windowMs,
    qty: microsToDecimal(qtyMicros),
    delta: deltaMicros === null ? null : microsToDecimal(deltaMicros),
    frozenMs,
    used: microsToDecimal(set.usedMicros),
    usedDelta: deltaMicros === null ? null : usedDelta(set),
    frozen,
    frozenUntil: frozen ? freeze.until : null,
    quotes: orders.countOf(ownerOfSet(set)),
    reserve: microsToDecimal(set.reserveMicros),
  };
}

/** Rounded up, so that what is left never seems to be more than it is. */
function usedDelta({ usedDelta: micros }: QuoteSet): number {
  const unit = BigInt(MICROS_PER_UNIT);
  return microsToDecimal(toMicros(Number((micros + unit - 1n) / unit)));
}
