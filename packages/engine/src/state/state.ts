/** The state of the exchange: plain data, changed by entries alone. */

import type { Address, AuditRecord, Hex, Micros, Right } from '@venue/protocol';
import { AUDIT_GENESIS, ZERO } from '@venue/protocol';
import { type Book, OrderStore } from '../book/book.ts';
import type { AssetClass, Side, VenueParameters } from '../entry/command.ts';
import { RiskCharges } from '../risk/risk-charges.ts';
import { Valuations } from '../risk/valuations.ts';
import { Account, AmountStore } from './account.ts';
import type { NonceSet } from './nonces.ts';
import { type Position, PositionStore } from './positions.ts';

export type { Account, Position };

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
  readonly signer: Address | undefined;
}

export interface SessionRecord {
  readonly sessionKey: Address;
  expiresAt: number;
  approvedAt: number;
  revokedAt: number | null;
  /** Expiries of approvals that this one replaced and that could still be replayed (KEY-2). */
  readonly supersededExpiries: Set<number>;
  readonly nonces: NonceSet;
}

export interface SpentChallenge {
  readonly seq: number;
  readonly ts: number;
}

/** One log of the vault, as the watcher reported it. */
export interface Deposit {
  readonly address: Address;
  readonly amountMicros: Micros;
  readonly txHash: Hex;
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

/** A withdrawal: what the account no longer has and the vault is to pay to the account's own address. */
export interface Payout {
  /** 1 for the first, then without a gap. */
  readonly id: number;
  readonly account: Account;
  readonly amountMicros: Micros;
  readonly requestedAt: number;
  /** The transaction that committed it on chain; null while it is outstanding. */
  txHash: Hex | null;
}

/** What came in through the vault, and what is to go out through it. */
export interface Custody {
  /** By transaction and log: each credits once. */
  readonly deposits: Map<string, Deposit>;
  /** By id. */
  readonly payouts: Payout[];
  /** Sums over the payouts that are outstanding, and over those that are committed. */
  pendingMicros: bigint;
  committedMicros: bigint;
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
  /** What a contract paid; zero until it is settled. */
  payoutMicros: Micros;
  /** Accounts with a record of a position in it, a flat one included, in the order in which they opened it. */
  readonly holders: AccountIndex[];
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
  /** What the sources printed in the averaging windows that are open, by expiry. */
  readonly windows: Map<number, OracleWindow>;
  /** By expiry, in the order they were taken; the newest `DECISIONS_KEPT` that nothing waits for. */
  readonly decisions: Map<number, Decision>;
  /** The expiries the listings were last rolled for. */
  rolledFor: string;
  /** In listing order, the settled ones left out. */
  series: Series[];
}

/** What one source printed in the averaging window of one expiry, up to the cutoff. */
export interface SourceWindow {
  readonly source: string;
  /** Sum of price x milliseconds from the start of the window to the last sample. */
  integral: bigint;
  /** False while nothing was printed inside the window; the last print is then from before it. */
  hasSample: boolean;
  /** What it printed last, not after the cutoff, and the log's time of that. */
  priceMicros: Micros;
  ts: number;
}

export interface OracleWindow {
  readonly expiryTs: number;
  readonly sources: Map<string, SourceWindow>;
}

export interface SourceAverage {
  readonly source: string;
  /** Null for a source that printed nothing inside the window. */
  readonly averageMicros: Micros | null;
  readonly fresh: boolean;
  readonly lastMicros: Micros;
  readonly lastTs: number;
}

/** Why the oracle would not name a price. */
export type OracleRefusal = 'too few fresh sources' | 'dispersion too wide' | 'payout too large';

/** What became of one underlying at one expiry: its price and what that was decided from (ORA-2). */
export interface Decision {
  readonly instrument: Instrument;
  readonly expiryTs: number;
  readonly sources: readonly SourceAverage[];
  /** Spread of the fresh averages over their median, in millionths of a basis point; null without a fresh source. */
  readonly dispersionMicroBps: Micros | null;
  /** Median of the last prints at the cutoff over all sources, fresh or not; null when there was none (ORA-3). */
  readonly anchorMicros: Micros | null;
  readonly refusal: OracleRefusal | null;
  /** How far a hand settlement could stray when it was judged: no later configuration widens that. */
  readonly boundBps: number;
  /** When the oracle named the price or refused to. */
  readonly judgedAt: number;
  /** Null until somebody named a price. */
  priceMicros: Micros | null;
  decidedAt: number | null;
  by: 'oracle' | 'hand' | null;
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
  readonly positions: PositionStore;
  readonly amounts: AmountStore;
  readonly charges: RiskCharges;
  readonly valuations: Valuations;
  /** Who approved a session key. */
  readonly accountsBySessionKey: Map<Address, Set<Account>>;
  /** By address, in order of spending: the entry that spent the address's last challenge, and its time. */
  readonly spentChallenges: Map<Address, SpentChallenge>;
  /** Sessions that remember at least one nonce. */
  readonly spentSessions: Set<SessionRecord>;
  lastOrderId: number;
  lastFillId: number;
  lastMaintenanceTs: number;
  lastQuoteTs: number;
  /** The newest quote session, 0 before the first, and the attempts that registered sessions. */
  readonly quoting: { session: number; readonly attempts: Map<string, number> };
  /** Expiries that are not decided, ascending; their windows open as time comes. */
  expiries: readonly number[];
  /** Decisions of this tick whose series have not all been dealt with; null when no tick is settling. */
  settling: Decision[] | null;
  /** Place of the sweep under way, or null when none is. */
  sweepNext: number | null;
  readonly audit: AuditLog;
  readonly custody: Custody;
  /** What came in, paper capital or deposits, less what withdrawals took out: all cash and all that is held together. */
  fundedMicros: Micros;
}

/** Attempts to settle by hand, chained by hash; the oldest may have left for the log. */
export interface AuditLog {
  /** Entries ever made. */
  count: number;
  /** Hash of the newest. */
  head: string;
  /** Oldest first, the newest `AUDIT_KEPT`. */
  readonly entries: AuditRecord[];
}

export const HOUSE = 0 as AccountIndex;
export const FEES = 1 as AccountIndex;
export const MAKER = 2 as AccountIndex;

/** The state before the first entry: the venue's own accounts, and nothing else. */
export function createState(): State {
  const series: Series[] = [];
  const state: State = {
    seq: 0,
    ts: 0,
    parameters: null,
    accounts: [],
    accountByAddress: new Map(),
    instruments: new Map(),
    series,
    seriesById: new Map(),
    orders: new OrderStore(),
    positions: new PositionStore(series),
    amounts: new AmountStore(),
    charges: new RiskCharges(),
    valuations: new Valuations(),
    accountsBySessionKey: new Map(),
    spentChallenges: new Map(),
    spentSessions: new Set(),
    lastOrderId: 0,
    lastFillId: 0,
    lastMaintenanceTs: 0,
    lastQuoteTs: 0,
    quoting: { session: 0, attempts: new Map() },
    expiries: [],
    settling: null,
    sweepNext: null,
    audit: { count: 0, head: AUDIT_GENESIS, entries: [] },
    custody: { deposits: new Map(), payouts: [], pendingMicros: 0n, committedMicros: 0n },
    fundedMicros: ZERO,
  };
  for (const role of ['house', 'fees', 'maker'] as const) addAccount(state, role, null);
  return state;
}

/** Opens an account without cash. */
export function addAccount(state: State, role: AccountRole, address: Address | null): Account {
  const index = state.accounts.length as AccountIndex;
  const account = new Account({ index, role, address }, state.amounts, state.positions);
  state.accounts.push(account);
  if (address !== null) state.accountByAddress.set(address, account);
  return account;
}

/** The account's position in the series, opened flat where there is none. */
export function positionOf(account: Account, series: Series): Position {
  const position = account.positions.get(series.sid);
  if (position !== undefined) return position;
  series.holders.push(account.index);
  return account.positions.open(series.sid);
}

/** The parameters in force; every entry but the first configuration needs them. */
export function parametersOf(state: State): VenueParameters {
  if (state.parameters === null) throw new Error('no configuration entry yet');
  return state.parameters;
}
