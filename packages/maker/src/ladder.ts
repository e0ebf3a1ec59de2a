/** The maker's quotes in one series: a few levels on either side of its centre, and always an ask. */

import { MICROS_PER_UNIT, type QuoteLevel } from '@venue/protocol';
import type { Room } from './inventory.ts';
import { tickAbove, tickAt, tickBelow } from './ticks.ts';

export interface Ladder {
  /** Best first; empty if no positive price or no room is left. */
  readonly bids: readonly QuoteLevel[];
  /** Best first; only the far ask if no room is left. */
  readonly asks: readonly QuoteLevel[];
}

export interface LadderTerms {
  readonly centre: number;
  readonly halfSpread: number;
  /** Contracts at the best price. */
  readonly size: number;
  readonly room: Room;
  /** The most that a contract of the series can be worth. */
  readonly ceiling: number;
  /** Levels of a side. */
  readonly levels: 1 | 2;
}

/** Contracts of each level, in multiples of the best price's size. */
const LEVEL_SIZES: readonly number[] = [1, 4];
/** Contracts of the largest level, likewise. */
export const LARGEST_LEVEL = Math.max(...LEVEL_SIZES);

/** Distance above the centre, and size, of the ask that stays when there is no room. */
const FAR_HALF_SPREADS = 10;
const FAR_SIZE_SHARE = 0.01;

/** Total contracts on a side. */
export function sideSize({ size, levels }: Pick<LadderTerms, 'size' | 'levels'>, room: number): number {
  return Math.min(size * LEVEL_SIZES.slice(0, levels).reduce((sum, sizes) => sum + sizes, 0), room);
}

/**
 * The ladder around a centre. The best prices are the next ones on the grid outside the half spread, so a bid is
 * never above the centre and an ask never below it; the second level is a half spread away and larger.
 * Sizes stop when the room is used up. If that leaves no ask, a small one stays far away: on an empty side a
 * stranger's first ask would become the mark, however absurd (MARK-1).
 */
export function ladderOf(terms: LadderTerms): Ladder {
  const { centre, halfSpread, size, room, levels } = terms;
  const [bids, asks]: [QuoteLevel[], QuoteLevel[]] = [[], []];
  const left = { bid: room.bid, ask: room.ask };
  let bid = tickBelow(centre - halfSpread);
  let ask = bestAskOf(terms);
  for (const sizes of LEVEL_SIZES.slice(0, levels)) {
    left.bid -= pushLevel(bids, bid, Math.min(size * sizes, left.bid));
    left.ask -= pushLevel(asks, ask, Math.min(size * sizes, left.ask));
    bid = tickBelow(bid - Math.max(halfSpread, tickAt(bid)));
    ask = tickAbove(ask + Math.max(halfSpread, tickAt(ask)));
  }
  if (asks.length === 0) pushLevel(asks, farAskOf(terms), size * FAR_SIZE_SHARE);
  return { bids, asks };
}

/** The price of the ask that stays when there is no room; below the ceiling as far as the spread allows. */
export function farAskOf(terms: LadderTerms): number {
  const far = terms.centre + FAR_HALF_SPREADS * terms.halfSpread;
  return Math.max(bestAskOf(terms), tickBelow(Math.min(far, terms.ceiling)));
}

/** The lowest positive price is a tick; an option worth less is only offered. */
function bestAskOf({ centre, halfSpread }: LadderTerms): number {
  return Math.max(tickAbove(centre + halfSpread), tickAt(0));
}

function pushLevel(levels: QuoteLevel[], price: number, wanted: number): number {
  // A small tolerance, so that a double just short of a whole micro counts as that micro.
  const qty = Math.floor(wanted * MICROS_PER_UNIT + 1e-3) / MICROS_PER_UNIT;
  if (price <= 0 || qty <= 0) return 0;
  levels.push([price, qty]);
  return qty;
}
