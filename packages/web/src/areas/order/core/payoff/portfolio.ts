/** Converts the positions of one underlying to the legs of one payoff. */

import type { Chain, FillRecord, Position } from '@venue/protocol';
import { microsOf } from '../../../../basics/micros.ts';
import { legOfPosition } from './payoff.ts';
import type { PayoffLeg } from './payoff-leg.ts';

/**
 * Fees paid to open what is held of a position, in dollars. A fill that reduced it took its share of them along, as its
 * result is realised and no part of the average price; of a fill that reversed it, what was opened counts.
 *
 * @param fills newest first, as the venue lists them; if they do not reach back to where it was last flat, what was held
 *   before them counts without a fee
 */
export function feesOf(
  { seriesId, qty }: Pick<Position, 'seriesId' | 'qty'>,
  fills: readonly FillRecord[],
): number {
  const sign = Math.sign(qty);
  const own = fills.filter((fill) => fill.seriesId === seriesId);
  // In whole micros, so that sums of thousandths return to exactly zero.
  let heldMicros = microsOf(qty) * sign;
  let first = 0;
  for (; first < own.length && heldMicros > 0; first += 1) heldMicros -= signedMicros(own[first]!) * sign;
  let fees = 0;
  for (const fill of own.slice(0, first).toReversed()) {
    const changed = signedMicros(fill) * sign;
    const before = heldMicros;
    heldMicros += changed;
    if (changed < 0) fees *= heldMicros / before;
    else fees += (fill.fee * Math.min(changed, heldMicros)) / changed;
  }
  return fees;
}

function signedMicros({ side, qty }: FillRecord): number {
  return side === 'buy' ? microsOf(qty) : -microsOf(qty);
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
