/** The page's link to the venue, and what is listed there. */

import type { Healthz, Instrument, SettlementList, Venue } from '@venue/protocol';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DayFigures } from './day-figures.ts';

/** State of the link to the venue. */
export type LinkState = 'connecting' | 'live' | 'late' | 'stale' | 'offline';

export interface Link {
  readonly state: LinkState;
  /** Why the page is offline. */
  readonly reason: string | null;
  /** True once another deployment answers at this address: trading has stopped (VEN-1). */
  readonly isOtherVenue: boolean;
  /** When the next try starts, by this page's clock; null while none is planned. */
  readonly nextTryMs: number | null;
  /** Connections made since the page was opened, however short the gaps between them were. */
  readonly connections: number;
  /** The deployment's id (VEN-1); null before it is known. */
  readonly venue: string | null;
  readonly mode: Healthz['fundingMode'] | null;
  /** The mark that the venue values accounts by. */
  readonly riskMark: Venue['riskMark'];
  /** True if its prices are simulated or replayed (FEED-1). */
  readonly simulatedPrices: boolean;
  /** How far the venue's clock is ahead of this page's. */
  readonly clockAheadMs: number;
  /** When the venue was last reached at an earlier visit, by this machine's clock; null if not known. */
  readonly lastReachedMs: number | null;
}

export interface Listing {
  readonly instruments: readonly Instrument[];
  /** The expiries whose settlement the oracle refused, by `expiryKey`. */
  readonly inReview: ReadonlySet<string>;
  readonly symbol: string | null;
  /** The underlying whose expiries and strikes these are; null before the first. */
  readonly readSymbol: string | null;
  /** Unix seconds, ascending. */
  readonly expiries: readonly number[];
  readonly expiryTs: number | null;
  /** Strikes of each expiry, ascending: the rows of a chain before it comes. */
  readonly strikes: ReadonlyMap<number, readonly number[]>;
  readonly settlements: SettlementList | null;
}

export interface MarketStores {
  readonly link: StoreApi<Link>;
  readonly listing: StoreApi<Listing>;
  /** By underlying. */
  readonly days: StoreApi<ReadonlyMap<string, DayFigures>>;
}

export function marketStores(): MarketStores {
  return {
    link: createStore<Link>(() => ({
      state: 'connecting',
      reason: null,
      isOtherVenue: false,
      nextTryMs: null,
      connections: 0,
      venue: null,
      mode: null,
      riskMark: 'book',
      simulatedPrices: false,
      clockAheadMs: 0,
      lastReachedMs: null,
    })),
    listing: createStore<Listing>(() => ({
      instruments: [],
      inReview: new Set(),
      symbol: null,
      readSymbol: null,
      expiries: [],
      expiryTs: null,
      strikes: new Map(),
      settlements: null,
    })),
    days: createStore<ReadonlyMap<string, DayFigures>>(() => new Map()),
  };
}
