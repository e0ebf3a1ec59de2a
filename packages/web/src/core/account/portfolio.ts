/** The positions of one underlying as the legs of one payoff. */

import { type Chain, type FillRecord, MICROS_PER_UNIT, type Position } from '@venue/protocol';
import { legOfPosition, type PayoffLeg } from '../ticket/payoff.ts';

/**
 * Fees that a position has cost, in dollars: those of its fills since it was last flat, and of the whole fill that turned
 * it over.
 *
 * @param fills newest first, as the venue lists them; where they do not reach back so far, the fees that they name
 */
export function feesOf(
  { seriesId, qty }: Pick<Position, 'seriesId' | 'qty'>,
  fills: readonly FillRecord[],
): number {
  // In whole micros: sums of thousandths must come back to zero.
  let heldMicros = Math.round(qty * MICROS_PER_UNIT);
  const sign = Math.sign(heldMicros);
  let fees = 0;
  for (const fill of fills) {
    if (heldMicros * sign <= 0) break;
    if (fill.seriesId !== seriesId) continue;
    heldMicros -= (fill.side === 'buy' ? 1 : -1) * Math.round(fill.qty * MICROS_PER_UNIT);
    fees += fill.fee;
  }
  return fees;
}

export interface PortfolioSources {
  readonly symbol: string;
  /** Newest first. */
  readonly fills: readonly FillRecord[];
  /** The chain of an expiry (Unix seconds), for its volatilities; null while it is not known. */
  readonly chainOf: (expiryTs: number) => Chain | null;
}

/** A leg for each position of the underlying, by expiry and strike. */
export function portfolioLegs(positions: Iterable<Position>, sources: PortfolioSources): PayoffLeg[] {
  const { symbol, fills, chainOf } = sources;
  return [...positions]
    .filter((position) => position.symbol === symbol)
    .sort((a, b) => a.expiryTs - b.expiryTs || a.strike - b.strike)
    .map((position) => {
      const iv = ivOf(chainOf(position.expiryTs), position.seriesId);
      return legOfPosition(position, { iv, fee: feesOf(position, fills) });
    });
}

/** 0 where nobody has annotated one. */
function ivOf(chain: Chain | null, seriesId: string): number {
  for (const { call, put } of chain?.rows ?? []) {
    if (call?.seriesId === seriesId) return call.iv;
    if (put?.seriesId === seriesId) return put.iv;
  }
  return 0;
}
