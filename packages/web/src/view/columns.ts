/** Which columns the person has chosen for the chain and the positions, in which order, and how positions are grouped. */

import { createStore, type StoreApi } from 'zustand/vanilla';

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

const KEPT = 'venue-columns';

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/** The columns of the last visit; every change is kept. Without storage they last as long as the page. */
export function keptColumns(storage: () => Storage): StoreApi<Columns> {
  const store = createStore<Columns>(() => read(storage));
  store.subscribe((columns) => {
    try {
      storage().setItem(KEPT, JSON.stringify(columns));
    } catch {
      // Full or refused.
    }
  });
  return store;
}

function read(storage: () => Storage): Columns {
  try {
    const kept: unknown = JSON.parse(storage().getItem(KEPT) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return USUAL_COLUMNS;
    const { chain, positions, grouping } = kept as Readonly<Record<keyof Columns, unknown>>;
    return {
      chain: known(chain, CHAIN_CHOICES),
      positions: known(positions, POSITION_CHOICES),
      grouping: GROUPINGS.find((one) => one === grouping) ?? null,
    };
  } catch {
    return USUAL_COLUMNS;
  }
}

/** The usable part of a kept list, each entry once: another release, or anybody, may have written it. */
function known<T extends string>(kept: unknown, choices: readonly T[]): readonly T[] | null {
  if (!Array.isArray(kept)) return null;
  const found = new Set(kept.filter((one): one is T => choices.includes(one as T)));
  // A list of nothing but strangers was not a choice of none.
  return found.size === 0 && kept.length > 0 ? null : [...found];
}
