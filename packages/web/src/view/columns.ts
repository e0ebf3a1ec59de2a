/** Which columns the person has chosen for the chain and the positions, in which order, and how positions are grouped. */

import type { StoreApi } from 'zustand/vanilla';
import type { Storage } from '../basics/kept.ts';
import { keptStore } from '../basics/kept-store.ts';

/** Columns of the chain beside its prices, which always stand there. */
export const CHAIN_CHOICES = [
  'oi',
  'volume',
  'gamma',
  'theta',
  'vega',
  'delta',
  'iv',
  'bidIv',
  'askIv',
  'mark',
  'size',
] as const;
export type ChainChoice = (typeof CHAIN_CHOICES)[number];

/** Columns of the positions beside the contract and how much is held. */
export const POSITION_CHOICES = [
  'avgPrice',
  'mark',
  'value',
  'unrealized',
  'realized',
  'delta',
  'gamma',
  'theta',
  'vega',
  'iv',
] as const;
export type PositionChoice = (typeof POSITION_CHOICES)[number];

export const GROUPINGS = ['strategy', 'expiry', 'none'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Columns {
  /** From the strike outwards; null for the page's own choice, which goes by the room there is. */
  readonly chain: readonly ChainChoice[] | null;
  /** From left to right; null for the page's own choice. */
  readonly positions: readonly PositionChoice[] | null;
  /** Null for the page's own choice. */
  readonly grouping: Grouping | null;
}

export const USUAL_COLUMNS: Columns = { chain: null, positions: null, grouping: null };

/** The columns of the last visit; every change is kept. */
export function keptColumns(storage: () => Storage): StoreApi<Columns> {
  return keptStore<Columns>({
    storage,
    name: 'venue-columns',
    usable: ({ chain, positions, grouping }) => ({
      chain: known(chain, CHAIN_CHOICES),
      positions: known(positions, POSITION_CHOICES),
      grouping: GROUPINGS.find((one) => one === grouping) ?? null,
    }),
  });
}

/** The usable part of a kept list, each entry once. */
function known<T extends string>(kept: unknown, choices: readonly T[]): readonly T[] | null {
  if (!Array.isArray(kept)) return null;
  const found = new Set(kept.filter((one): one is T => choices.includes(one as T)));
  // A list of nothing but strangers was not a choice of none.
  return found.size === 0 && kept.length > 0 ? null : [...found];
}
