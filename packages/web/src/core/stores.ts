/** What React shows besides the chain: small stores, each written by one part of the page and read by any. */

import type {
  Account,
  FillRecord,
  Healthz,
  Instrument,
  OpenOrder,
  OrderPreviewAnswer,
  Position,
  SettlementList,
} from '@venue/protocol';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Advice } from './ticket/order-errors.ts';

/** How the page stands with the venue. */
export type LinkState = 'connecting' | 'live' | 'late' | 'stale' | 'offline';

export interface Link {
  readonly state: LinkState;
  /** Which of them it is, while it is offline. */
  readonly reason: string | null;
  /** When the next try begins, by the clock of this page; null while none is planned. */
  readonly nextTryMs: number | null;
  /** Whether the stream is up; without it everything still comes by polls, later. */
  readonly isStreaming: boolean;
  readonly mode: Healthz['fundingMode'] | null;
  /** How far the venue's clock is ahead of this page's. */
  readonly clockAheadMs: number;
}

export interface Listing {
  readonly instruments: readonly Instrument[];
  readonly pendingReview: readonly string[];
  readonly symbol: string | null;
  /** Unix seconds, ascending. */
  readonly expiries: readonly number[];
  readonly expiryTs: number | null;
  /** Strikes of each expiry, ascending: what a chain has for rows before it comes. */
  readonly strikes: ReadonlyMap<number, readonly number[]>;
  readonly settlements: SettlementList | null;
}

/** While it is `connecting` or `signing` a wallet is waited for. */
export type SessionState = 'none' | 'restoring' | 'connecting' | 'signing' | 'ready' | 'expired' | 'revoked';

export interface SignedIn {
  readonly state: SessionState;
  readonly address: string | null;
  readonly sessionKey: string | null;
  readonly expiresAtMs: number | null;
  /** Name of the wallet, or null for a key of the page's own. */
  readonly wallet: string | null;
  /** False where the key is gone with the page. */
  readonly isLasting: boolean;
  /** The account that the wallet has turned to meanwhile, until the person decides; null while it has not. */
  readonly otherAddress: string | null;
  readonly fault: string | null;
}

export interface Holdings {
  readonly account: Account | null;
  readonly positions: ReadonlyMap<string, Position>;
  /** Resting orders by series, oldest first. */
  readonly orders: ReadonlyMap<string, readonly OpenOrder[]>;
  readonly fills: readonly FillRecord[];
  /** When the venue gave them, by its own clock. */
  readonly asOfMs: number;
}

export type Side = 'buy' | 'sell';

/** Best prices and mark in dollars, NaN where there is none. */
export interface Touch {
  readonly bid: number;
  readonly ask: number;
  readonly mark: number;
}

export interface TicketAdvice {
  readonly text: string;
  readonly advice: Advice;
  /**
   * The subject that it is true of: the account, until the next preview tells; the session or the link, until they are up again; or
   * the attempt alone, until the next one.
   */
  readonly of: 'account' | 'session' | 'link' | 'attempt';
  /** When it came, by the clock of this page: what counts down does so from there. */
  readonly atMs: number;
}

export interface Ticket {
  readonly seriesId: string | null;
  readonly side: Side;
  readonly kind: 'limit' | 'market';
  /** As typed. */
  readonly qty: string;
  readonly price: string;
  readonly preview: OrderPreviewAnswer | null;
  /** Why there is no preview. */
  readonly previewFault: string | null;
  readonly sending: 'no' | 'sending' | 'unknown';
  /** What the venue said to the order that was sent last, and what can be done about it. */
  readonly advice: TicketAdvice | null;
  /** Why the order is asked about once more: while there is a reason, the next press sends it. */
  readonly cautions: readonly string[];
  /** The touch of a contract that is not on the chain, read for the ticket; null while it is, or none has come. */
  readonly touch: Touch | null;
}

export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'plain' | 'warning' | 'danger';
  readonly title: string;
  readonly text: string;
  /** The lines that it sums up. */
  readonly lines?: readonly string[];
  /** Its subject, where a later one about the same takes its place. */
  readonly key?: string;
  readonly atMs: number;
  /** Stays until it is put away: what happened to a position without the person's doing. */
  readonly isSticky: boolean;
}

/** What of the page is looked at. */
export interface View {
  /** The dock's tab, by its name. */
  readonly panel: string;
  /** On a phone, where the dock takes the place of the chain: whether it does. */
  readonly isOnPanel: boolean;
  /** Whether the keys are shown. */
  readonly isHelpOpen: boolean;
  /** Orders that filled while nobody looked at the page. */
  readonly unseenFills: number;
}

/** What a screen reader is told, beside what it finds by itself: at leisure, and at once. */
export interface Said {
  readonly polite: string;
  readonly assertive: string;
}

export interface Stores {
  readonly link: StoreApi<Link>;
  readonly listing: StoreApi<Listing>;
  readonly session: StoreApi<SignedIn>;
  readonly holdings: StoreApi<Holdings>;
  readonly ticket: StoreApi<Ticket>;
  readonly notices: StoreApi<{ readonly list: readonly Notice[] }>;
  readonly view: StoreApi<View>;
  readonly said: StoreApi<Said>;
}

export function createStores(): Stores {
  return {
    link: createStore<Link>(() => ({
      state: 'connecting',
      reason: null,
      nextTryMs: null,
      isStreaming: false,
      mode: null,
      clockAheadMs: 0,
    })),
    listing: createStore<Listing>(() => ({
      instruments: [],
      pendingReview: [],
      symbol: null,
      expiries: [],
      expiryTs: null,
      strikes: new Map(),
      settlements: null,
    })),
    session: createStore<SignedIn>(() => NOBODY),
    holdings: createStore<Holdings>(() => NOTHING),
    ticket: createStore<Ticket>(() => EMPTY_TICKET),
    notices: createStore(() => ({ list: [] as readonly Notice[] })),
    view: createStore<View>(() => ({
      panel: 'Positions',
      isOnPanel: false,
      isHelpOpen: false,
      unseenFills: 0,
    })),
    said: createStore<Said>(() => ({ polite: '', assertive: '' })),
  };
}

export const NOBODY: SignedIn = {
  state: 'none',
  address: null,
  sessionKey: null,
  expiresAtMs: null,
  wallet: null,
  isLasting: true,
  otherAddress: null,
  fault: null,
};

export const NOTHING: Holdings = {
  account: null,
  positions: new Map(),
  orders: new Map(),
  fills: [],
  asOfMs: 0,
};

export const EMPTY_TICKET: Ticket = {
  seriesId: null,
  side: 'buy',
  kind: 'limit',
  qty: '',
  price: '',
  preview: null,
  previewFault: null,
  sending: 'no',
  advice: null,
  cautions: [],
  touch: null,
};

/** What of the account the chain and the tables look up by series. */
export function holdingsOf(account: Account, fills: readonly FillRecord[], asOfMs: number): Holdings {
  const orders = new Map<string, OpenOrder[]>();
  for (const order of account.openOrders) {
    const known = orders.get(order.seriesId);
    if (known === undefined) orders.set(order.seriesId, [order]);
    else known.push(order);
  }
  return {
    account,
    positions: new Map(account.positions.map((position) => [position.seriesId, position])),
    orders,
    fills,
    asOfMs,
  };
}
