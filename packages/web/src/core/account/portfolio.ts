/** Converts the positions of one underlying to the legs of one payoff. */

import { type Chain, type FillRecord, MICROS_PER_UNIT, type Position } from '@venue/protocol';
import { legOfPosition, type PayoffLeg } from '../ticket/payoff.ts';

/**
 * Fees paid for a position, in dollars: those of its fills since it was last flat, including the whole fill that
 * reversed it.
 *
 * @param fills newest first, as the venue lists them; if they do not reach back that far, only their fees count
 */
export function feesOf(
  { seriesId, qty }: Pick<Position, 'seriesId' | 'qty'>,
  fills: readonly FillRecord[],
): number {
  // In whole micros, so that sums of thousandths return to exactly zero.
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
  /** The chain of an expiry (Unix seconds), for its volatilities; null while unknown. */
  readonly chainOf: (expiryTs: number) => Chain | null;
}

/** One leg per position in the underlying, by expiry and strike. */
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

/** 0 where the maker has annotated none. */
function ivOf(chain: Chain | null, seriesId: string): number {
  for (const { call, put } of chain?.rows ?? []) {
    if (call?.seriesId === seriesId) return call.iv;
    if (put?.seriesId === seriesId) return put.iv;
  }
  return 0;
}
