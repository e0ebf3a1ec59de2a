/** A trader's knowledge when it decides. */

import type { Account, Chain, ChainLeg, Position } from '@venue/protocol';

/** One side of a chain at one strike. */
export interface Leg extends ChainLeg {
  readonly right: 'C' | 'P';
  readonly strike: number;
}

export interface View {
  readonly account: Account;
  readonly chain: Chain;
  /** Change of the spot over the last minute or so, as a share. */
  readonly move: number;
  readonly nowMs: number;
}

/** All legs of a chain, by rising strike, with those of one right together. */
export function legsOf({ rows }: Chain, right: 'C' | 'P'): Leg[] {
  return rows.flatMap(({ strike, call, put }) => {
    const leg = right === 'C' ? call : put;
    return leg === null ? [] : [{ ...leg, right, strike }];
  });
}

/** The leg that a position is in, or undefined if the chain is another's. */
export function legOf(chain: Chain, { seriesId }: Pick<Position, 'seriesId'>): Leg | undefined {
  return [...legsOf(chain, 'C'), ...legsOf(chain, 'P')].find((leg) => leg.seriesId === seriesId);
}

/** The steps in which traders of an underlying count contracts. */
export function lotAt(spot: number): number {
  if (spot >= 10_000) return 0.01;
  return spot >= 1_000 ? 0.1 : 1;
}

/** Whole lots at or below a size; 0 for less than one. */
export function lots(qty: number, spot: number): number {
  const lot = lotAt(spot);
  return Number((Math.floor(qty / lot + 1e-9) * lot).toFixed(2));
}
