/** The volatility smile: the market maker's volatility at each strike of an expiry. */

import type { Chain, ChainRow, Right } from '@venue/protocol';

export interface SmilePoint {
  readonly strike: number;
  /** Annual volatility as a fraction. */
  readonly iv: number;
  /** The leg it was taken from. */
  readonly right: Right;
}

/** One expiry; ascending by strike. */
export interface Smile {
  /** Unix seconds. */
  readonly expiryTs: number;
  readonly points: readonly SmilePoint[];
}

/**
 * Smiles of chains, nearest expiry first; an expiry without volatilities is left out. Each strike uses its
 * out-of-the-money leg, as that is the one that trades, or the other leg where that has no volatility.
 */
export function smilesOf(chains: readonly Chain[]): Smile[] {
  return chains
    .map(({ expiryTs, spot, rows }) => ({
      expiryTs,
      points: rows.flatMap((row) => pointOf(row, spot) ?? []).sort((a, b) => a.strike - b.strike),
    }))
    .filter(({ points }) => points.length > 0)
    .sort((a, b) => a.expiryTs - b.expiryTs);
}

function pointOf({ strike, call, put }: ChainRow, spot: number): SmilePoint | null {
  const ofCall = call !== null && call.iv > 0 ? { strike, iv: call.iv, right: 'C' as const } : null;
  const ofPut = put !== null && put.iv > 0 ? { strike, iv: put.iv, right: 'P' as const } : null;
  return strike < spot ? (ofPut ?? ofCall) : (ofCall ?? ofPut);
}
