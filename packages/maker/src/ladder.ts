/** What the maker quotes in one series: a few levels on either side of its centre. */

import { MICROS_PER_UNIT, type QuoteLevel } from '@venue/protocol';
import type { Room } from './inventory.ts';
import { tickAbove, tickAt, tickBelow } from './ticks.ts';

export interface Ladder {
  /** Best first; empty where no positive price or no room is left. */
  readonly bids: readonly QuoteLevel[];
  readonly asks: readonly QuoteLevel[];
}

export interface LadderTerms {
  readonly centre: number;
  readonly halfSpread: number;
  /** Contracts at the best price. */
  readonly size: number;
  readonly room: Room;
}

const LEVELS = 3;
/** Contracts of a whole side, in sizes at the best price. */
const SIDE_SIZES = 2 ** LEVELS - 1;

/** Contracts that a side offers in all. */
export function sideSize(size: number, room: number): number {
  return Math.min(SIDE_SIZES * size, room);
}

/**
 * The ladder around a centre. The best prices are the grid's next ones outside the half spread, so a bid is never
 * over the centre and an ask never under it; each further level is a half spread away and has twice the size.
 * Sizes end where the room does.
 */
export function ladderOf({ centre, halfSpread, size, room }: LadderTerms): Ladder {
  const [bids, asks]: [QuoteLevel[], QuoteLevel[]] = [[], []];
  const left = { bid: room.bid, ask: room.ask };
  // The least bid above nothing is a tick; under that the series is only offered.
  let bid = tickBelow(centre - halfSpread);
  let ask = Math.max(tickAbove(centre + halfSpread), tickAt(0));
  for (let level = 0; level < LEVELS; level++) {
    const wanted = size * 2 ** level;
    left.bid -= pushLevel(bids, bid, Math.min(wanted, left.bid));
    left.ask -= pushLevel(asks, ask, Math.min(wanted, left.ask));
    bid = tickBelow(bid - Math.max(halfSpread, tickAt(bid)));
    ask = tickAbove(ask + Math.max(halfSpread, tickAt(ask)));
  }
  return { bids, asks };
}

function pushLevel(levels: QuoteLevel[], price: number, wanted: number): number {
  // A little more than nothing, so that a double just short of a whole micro is that micro.
  const qty = Math.floor(wanted * MICROS_PER_UNIT + 1e-3) / MICROS_PER_UNIT;
  if (price <= 0 || qty <= 0) return 0;
  levels.push([price, qty]);
  return qty;
}
