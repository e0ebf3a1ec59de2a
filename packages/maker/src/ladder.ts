/** What the maker quotes in one series: a few levels on either side of its centre, and never no ask at all. */

import { MICROS_PER_UNIT, type QuoteLevel } from '@venue/protocol';
import type { Room } from './inventory.ts';
import { tickAbove, tickAt, tickBelow } from './ticks.ts';

export interface Ladder {
  /** Best first; empty where no positive price or no room is left. */
  readonly bids: readonly QuoteLevel[];
  /** Best first; where no room is left, the far ask. */
  readonly asks: readonly QuoteLevel[];
}

export interface LadderTerms {
  readonly centre: number;
  readonly halfSpread: number;
  /** Contracts at the best price. */
  readonly size: number;
  readonly room: Room;
  /** What no contract of the series can be worth more than. */
  readonly ceiling: number;
}

const LEVELS = 3;
/** Contracts of a whole side, in sizes at the best price. */
const SIDE_SIZES = 2 ** LEVELS - 1;

/** How far over the centre an ask is left where there is no room for one, and how small it is. */
const FAR_HALF_SPREADS = 10;
const FAR_SIZE_SHARE = 0.01;

/** Contracts that a side offers in all. */
export function sideSize(size: number, room: number): number {
  return Math.min(SIDE_SIZES * size, room);
}

/**
 * The ladder around a centre. The best prices are the grid's next ones outside the half spread, so a bid is never
 * over the centre and an ask never under it; each further level is a half spread away and has twice the size.
 * Sizes end where the room does. Where that leaves no ask, a small one stays far away: with the side empty, the first
 * ask of a stranger would be the mark, however absurd (MARK-1).
 */
export function ladderOf(terms: LadderTerms): Ladder {
  const { centre, halfSpread, size, room } = terms;
  const [bids, asks]: [QuoteLevel[], QuoteLevel[]] = [[], []];
  const left = { bid: room.bid, ask: room.ask };
  let bid = tickBelow(centre - halfSpread);
  let ask = bestAskOf(terms);
  for (let level = 0; level < LEVELS; level++) {
    const wanted = size * 2 ** level;
    left.bid -= pushLevel(bids, bid, Math.min(wanted, left.bid));
    left.ask -= pushLevel(asks, ask, Math.min(wanted, left.ask));
    bid = tickBelow(bid - Math.max(halfSpread, tickAt(bid)));
    ask = tickAbove(ask + Math.max(halfSpread, tickAt(ask)));
  }
  if (asks.length === 0) pushLevel(asks, farAskOf(terms), size * FAR_SIZE_SHARE);
  return { bids, asks };
}

/** The price of the ask that stays where there is no room for one; under the ceiling as far as the spread allows. */
export function farAskOf(terms: LadderTerms): number {
  const far = terms.centre + FAR_HALF_SPREADS * terms.halfSpread;
  return Math.max(bestAskOf(terms), tickBelow(Math.min(far, terms.ceiling)));
}

/** The least price above nothing is a tick; what is worth less is only offered. */
function bestAskOf({ centre, halfSpread }: LadderTerms): number {
  return Math.max(tickAbove(centre + halfSpread), tickAt(0));
}

function pushLevel(levels: QuoteLevel[], price: number, wanted: number): number {
  // A little more than nothing, so that a double just short of a whole micro is that micro.
  const qty = Math.floor(wanted * MICROS_PER_UNIT + 1e-3) / MICROS_PER_UNIT;
  if (price <= 0 || qty <= 0) return 0;
  levels.push([price, qty]);
  return qty;
}
