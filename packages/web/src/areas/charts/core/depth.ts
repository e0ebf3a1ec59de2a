/** Cumulative depth of a book. */

import { type Level, MICROS_PER_UNIT } from '@venue/protocol';
import { microsOf } from '../../../basics/micros.ts';
import type { Sides } from '../../../market/books.ts';

/** A price level with the cumulative quantity at it or better. */
export interface DepthStep {
  /** Dollars. */
  readonly price: number;
  /** Contracts at this price. */
  readonly qty: number;
  /** Contracts at this price or a better one. */
  readonly total: number;
  /** Premium for taking `total`, in dollars, without the fee. */
  readonly totalUsd: number;
}

export interface Depth {
  /** Best first: descending. */
  readonly bids: readonly DepthStep[];
  /** Best first: ascending. */
  readonly asks: readonly DepthStep[];
  /** The larger side's total in contracts, for one scale; 0 for an empty book. */
  readonly most: number;
}

/**
 * Cumulative steps of both sides, summed in whole micros.
 *
 * @example depthOf({ bids: [{ price: 3, qty: 0.1 }, { price: 2, qty: 0.2 }], asks: [] }).most // 0.3
 */
export function depthOf({ bids, asks }: Sides): Depth {
  const depth = { bids: stepsOf(bids), asks: stepsOf(asks) };
  return { ...depth, most: Math.max(depth.bids.at(-1)?.total ?? 0, depth.asks.at(-1)?.total ?? 0) };
}

function stepsOf(levels: readonly Level[]): DepthStep[] {
  let micros = 0;
  let usdMicros = 0;
  return levels.map(({ price, qty }) => {
    micros += microsOf(qty);
    usdMicros += microsOf(price * qty);
    return { price, qty, total: micros / MICROS_PER_UNIT, totalUsd: usdMicros / MICROS_PER_UNIT };
  });
}
