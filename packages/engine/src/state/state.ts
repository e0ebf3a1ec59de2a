/** The state of the exchange: plain data, changed by entries alone. */

import type { Address, Micros } from '@venue/protocol';
import { AUDIT_GENESIS, ZERO } from '@venue/protocol';
import { OrderStore } from '../book/book.ts';
import { Account, type AccountRole, AmountStore, type Payout } from './account.ts';
import type { AccountIndex } from './ids.ts';
import type { VenueParameters } from './parameters.ts';
import { type Position, PositionStore } from './positions.ts';
import type { AuditLog, Deposit, SessionRecord, SpentChallenge } from './records.ts';
import type { Decision, Instrument, Series } from './series.ts';
import { ValuationStore } from './valuations.ts';

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
  readonly valuations: ValuationStore;
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
    valuations: new ValuationStore(),
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
