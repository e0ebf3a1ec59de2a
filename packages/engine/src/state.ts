/** The state of the exchange: plain data, changed by entries alone. */

import type { Address, Micros, Right } from '@venue/protocol';
import { ZERO } from '@venue/protocol';
import { type Book, OrderStore } from './book.ts';
import type { AssetClass, Side, VenueParameters } from './command.ts';

declare const accountIndex: unique symbol;
/** Place of an account in order of opening. */
export type AccountIndex = number & { readonly [accountIndex]: true };
declare const sid: unique symbol;
/** Place of a series in order of listing. */
export type Sid = number & { readonly [sid]: true };

export type AccountRole = 'house' | 'fees' | 'maker' | 'trader';

export interface FillRecord {
  /** Ascending over the venue. */
  readonly id: number;
  readonly orderId: number;
  readonly series: Series;
  /** The side the account traded. */
  readonly side: Side;
  readonly priceMicros: Micros;
  readonly qtyMicros: Micros;
  readonly feeMicros: Micros;
  /** Without the fee (FINE-7). */
  readonly realizedMicros: Micros;
  readonly taker: boolean;
  readonly ts: number;
  readonly kind: 'trade' | 'settlement' | 'liquidation';
  /** The session key that signed the originating order. */
  readonly signer?: Address;
}

export interface Position {
  readonly series: Series;
  /** Signed; negative is short. */
  qtyMicros: Micros;
  /** Premium paid for a long or received for a short, never negative. */
  costMicros: Micros;
  realizedMicros: Micros;
  /** Quantity of the account's resting orders in the series. */
  restingBuyMicros: Micros;
  restingSellMicros: Micros;
}

export interface SessionRecord {
  readonly sessionKey: Address;
  expiresAt: number;
  approvedAt: number;
  revokedAt: number | null;
  /** Expiries of approvals that this one replaced and that could still be replayed (KEY-2). */
  readonly supersededExpiries: Set<number>;
  readonly nonces: Set<number>;
}

export interface Account {
  readonly index: AccountIndex;
  readonly role: AccountRole;
  /** Null for the venue's own accounts. */
  readonly address: Address | null;
  cashMicros: Micros;
  realizedMicros: Micros;
  /** Cost of the resting buys of a trader, each rounded up. */
  reservedMicros: Micros;
  marginEnabled: boolean;
  frozen: boolean;
  /** Positions that are short. */
  shortCount: number;
  /** In margin call when the last sweep came by (LIQ-1). */
  wasCalled: boolean;
  readonly positions: Map<Sid, Position>;
  /** Oldest first, the newest `FILLS_KEPT`. */
  readonly fills: FillRecord[];
  readonly sessions: Map<Address, SessionRecord>;
}

export type SeriesStatus = 'live' | 'pending-review' | 'settled';

export interface Series {
  readonly sid: Sid;
  readonly seriesId: string;
  readonly instrument: Instrument;
  /** Unix seconds. */
  readonly expiryTs: number;
  readonly cutoffMs: number;
  readonly right: Right;
  readonly strikeMicros: Micros;
  status: SeriesStatus;
  readonly book: Book;
  /** Order ids of the maker's ladder, best first; ids that were filled or pulled since may still stand here. */
  readonly quotes: { bids: number[]; asks: number[] };
  /** Annotations of the market maker, carried and never computed with. */
  iv: number;
  delta: number;
  volumeMicros: Micros;
  openInterestMicros: Micros;
  /** All that rests on each side of the book. */
  restingBuyMicros: Micros;
  restingSellMicros: Micros;
}

export interface PriceSource {
  readonly source: string;
  priceMicros: Micros;
  /** The log's time of the last print. */
  ts: number;
}

export interface Instrument {
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** False when the parameters no longer name the symbol: it takes no prints and lists nothing. */
  active: boolean;
  /** Zero before the first print. */
  spotMicros: Micros;
  readonly sources: Map<string, PriceSource>;
  /** The expiries the listings were last rolled for. */
  rolledFor: string;
  readonly series: Series[];
}

export interface State {
  seq: number;
  ts: number;
  /** Null until the first configuration entry. */
  parameters: VenueParameters | null;
  readonly accounts: Account[];
  readonly accountByAddress: Map<Address, Account>;
  readonly instruments: Map<string, Instrument>;
  readonly series: Series[];
  readonly seriesById: Map<string, Series>;
  readonly orders: OrderStore;
  /** Who approved a session key. */
  readonly accountsBySessionKey: Map<Address, Set<Account>>;
  /** Sessions that remember at least one nonce. */
  readonly spentSessions: Set<SessionRecord>;
  /** Session keys of signed resting orders, by order id. */
  readonly signers: Map<number, Address>;
  lastOrderId: number;
  lastFillId: number;
  lastMaintenanceTs: number;
  lastQuoteTs: number;
  /** Place of the sweep under way, or null when none is. */
  sweepNext: number | null;
  /** Paper capital ever paid out: what came in. */
  fundedMicros: Micros;
}

export const HOUSE = 0 as AccountIndex;
export const FEES = 1 as AccountIndex;
export const MAKER = 2 as AccountIndex;

/** The state before the first entry: the venue's own accounts, and nothing else. */
export function createState(): State {
  const state: State = {
    seq: 0,
    ts: 0,
    parameters: null,
    accounts: [],
    accountByAddress: new Map(),
    instruments: new Map(),
    series: [],
    seriesById: new Map(),
    orders: new OrderStore(),
    accountsBySessionKey: new Map(),
    spentSessions: new Set(),
    signers: new Map(),
    lastOrderId: 0,
    lastFillId: 0,
    lastMaintenanceTs: 0,
    lastQuoteTs: 0,
    sweepNext: null,
    fundedMicros: ZERO,
  };
  for (const role of ['house', 'fees', 'maker'] as const) addAccount(state, role, null);
  return state;
}

/** Opens an account without cash. */
export function addAccount(state: State, role: AccountRole, address: Address | null): Account {
  const account: Account = {
    index: state.accounts.length as AccountIndex,
    role,
    address,
    cashMicros: ZERO,
    realizedMicros: ZERO,
    reservedMicros: ZERO,
    marginEnabled: false,
    frozen: false,
    shortCount: 0,
    wasCalled: false,
    positions: new Map(),
    fills: [],
    sessions: new Map(),
  };
  state.accounts.push(account);
  if (address !== null) state.accountByAddress.set(address, account);
  return account;
}

/** A flat position that belongs to no account yet. */
export function newPosition(series: Series): Position {
  return {
    series,
    qtyMicros: ZERO,
    costMicros: ZERO,
    realizedMicros: ZERO,
    restingBuyMicros: ZERO,
    restingSellMicros: ZERO,
  };
}

/** The account's position in the series, opened flat where there is none. */
export function positionOf(account: Account, series: Series): Position {
  let position = account.positions.get(series.sid);
  if (position === undefined) {
    position = newPosition(series);
    account.positions.set(series.sid, position);
  }
  return position;
}

/** The parameters in force; every entry but the first configuration needs them. */
export function parametersOf(state: State): VenueParameters {
  if (state.parameters === null) throw new Error('no configuration entry yet');
  return state.parameters;
}
