/** A contract's book as a ladder, and its prints: what stands at each price, and what has traded. */

import type { Level, OpenOrder, Trade } from '@venue/protocol';
import { MICROS_PER_UNIT } from '@venue/protocol';
import { microsOf } from '../../../basics/micros.ts';
import type { Sides } from '../../../market/books.ts';
import type { Side } from '../../../market/touch.ts';

export interface Rung {
  /** The side of the order that a press begins: it trades with what rests there. */
  readonly takes: Side;
  readonly price: number;
  /** Contracts at this price. */
  readonly qty: number;
  /** Share of the largest rung, for its bar: 0 to 1. */
  readonly share: number;
  /** Contracts of the account's own orders at this price. */
  readonly ownQty: number;
}

/** Rungs a side: the ticket has room for no more. */
const RUNGS = 8;

/** From the highest ask to the lowest bid, the best of both sides in the middle. */
export function ladderOf({ bids, asks }: Sides, own: readonly OpenOrder[] = []): Rung[] {
  const levels = [...asks.slice(0, RUNGS), ...bids.slice(0, RUNGS)];
  const most = Math.max(...levels.map(({ qty }) => qty));
  const rung = ({ price, qty }: Level, takes: Side): Rung => {
    const mine = own.filter((order) => order.price === price && order.side !== takes);
    const micros = mine.reduce((sum, { remaining }) => sum + microsOf(remaining), 0);
    return { takes, price, qty, share: qty / most, ownQty: micros / MICROS_PER_UNIT };
  };
  return [
    ...asks
      .slice(0, RUNGS)
      .reverse()
      .map((level) => rung(level, 'buy')),
    ...bids.slice(0, RUNGS).map((level) => rung(level, 'sell')),
  ];
}

/** Prints kept of a contract. */
export const PRINTS_KEPT = 30;

/** The newest prints of one contract, newest first, each once. */
export function withPrints(
  known: readonly Trade[],
  news: readonly Trade[],
  seriesId: string,
): readonly Trade[] {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = news.filter((trade) => trade.seriesId === seriesId && !ids.has(trade.id));
  if (fresh.length === 0) return known;
  return [...fresh, ...known].sort((a, b) => b.id - a.id).slice(0, PRINTS_KEPT);
}
