/** The faults of a row of quotes, the maker's or a set's, in the order in which they are looked for (OWN-8, OWN-9). */

import {
  MICROS_MAX,
  type MicrosLevel,
  type MicrosQuote,
  QUOTE_LEVELS_MAX,
  REJECT,
  ROW_REJECT,
  type RowFault,
} from '@venue/protocol';
import { isTradable } from '../expiry/listings.ts';
import { isCostExact } from '../state/cost.ts';
import type { Series, Side } from '../state/series.ts';
import type { State } from '../state/state.ts';
import type { RowPlan } from './quote-ladder.ts';

/**
 * A fault of the row that depends neither on resting orders nor on its owner's positions, or null (OWN-9): it can be
 * refused before it is logged. An unknown series is not a fault.
 */
export function rowFault(state: State, row: MicrosQuote): RowFault | null {
  const series = state.series[row.sid];
  return series === undefined ? null : faultOf(series, row, state.ts);
}

/** The same for a series that is known, at a time. */
export function faultOf(series: Series, row: MicrosQuote, ts: number): RowFault | null {
  if (series.status === 'settled') return REJECT.seriesSettled;
  if (!isTradable(series, ts)) return REJECT.seriesExpired;
  const fault = checkSide(row.bids, 'buy') ?? checkSide(row.asks, 'sell');
  return fault ?? checkCrossed(row.bids?.[0]?.[0] ?? null, row.asks?.[0]?.[0] ?? null);
}

/** At most the allowed number of levels, each positive and representable, strictly best first (OWN-8). */
function checkSide(levels: readonly MicrosLevel[] | null, side: Side): RowFault | null {
  if (levels === null) return null;
  if (levels.length > QUOTE_LEVELS_MAX) return ROW_REJECT.tooManyLevels;
  let previous = side === 'buy' ? Number.POSITIVE_INFINITY : 0;
  for (let k = 0; k < levels.length; k++) {
    const price = levels[k]![0];
    const qty = levels[k]![1];
    if (!(Number.isSafeInteger(price) && price > 0)) return REJECT.badPrice;
    if (!(Number.isSafeInteger(qty) && qty > 0 && isCostExact(price, qty))) return REJECT.badQty;
    if (side === 'buy' ? price >= previous : price <= previous) return ROW_REJECT.notBestFirst;
    previous = price;
  }
  return null;
}

/** The fault if the best prices of both sides cross, or null; an empty side never crosses. */
export function checkCrossed(bid: number | null, ask: number | null): RowFault | null {
  return bid !== null && ask !== null && bid >= ask ? ROW_REJECT.crossedLadder : null;
}

/** The position and orders that the owner of a row has in its series outside the ladder. */
export interface Stake {
  readonly heldMicros: number;
  readonly bidMicros: number;
  readonly askMicros: number;
}

/** Keeps positions, both sides of the book and open interest in the exact range, whatever part of the row trades. */
export function checkQuantities(series: Series, stake: Stake, { bids, asks }: RowPlan): RowFault | null {
  const largest = Math.max(
    Math.max(stake.heldMicros, 0) + stake.bidMicros + bids.wantedMicros,
    Math.max(-stake.heldMicros, 0) + stake.askMicros + asks.wantedMicros,
    series.restingBuyMicros - bids.standingMicros + bids.wantedMicros,
    series.restingSellMicros - asks.standingMicros + asks.wantedMicros,
    series.openInterestMicros + Math.max(bids.wantedMicros, asks.wantedMicros),
  );
  return largest <= MICROS_MAX ? null : REJECT.badQty;
}
