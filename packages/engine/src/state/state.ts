/** The state of the exchange: plain data, changed by entries only. */

import type { Address, Micros } from '@venue/protocol';
import { AUDIT_GENESIS, ZERO } from '@venue/protocol';
import { OrderStore } from '../book/book.ts';
import { Account, type AccountColumns, type AccountRole, AccountStore } from './account.ts';
import { ClientIds } from './client-ids.ts';
import { type Custody, createCustody } from './custody.ts';
import { Deadlines } from './deadlines.ts';
import { FEATURE_LEVELS, type FeatureLevel } from './feature-levels.ts';
import { FillStore } from './fill-store.ts';
import type { AccountIndex } from './ids.ts';
import type { VenueParameters } from './parameters.ts';
import { type Position, PositionStore } from './positions.ts';
import { PushFloors } from './push-floors.ts';
import { QuoteSets } from './quote-sets.ts';
import type { AuditLog, ParkedAnswer, ParkedApproval, SettleProposal, SpentChallenge } from './records.ts';
import type { Decision, Instrument, Series } from './series.ts';
import { SessionStore } from './session-store.ts';
import { RestingTerms } from './terms.ts';

export interface State {
  /** The feature levels that this process reads; no part of what the log says (OWN-72). */
  readonly featureLevels: readonly FeatureLevel[];
  seq: number;
  ts: number;
  /** Id of the deployment; null until an entry brings one (VEN-1). */
  venue: string | null;
  /** Null until the first configuration entry. */
  parameters: VenueParameters | null;
  readonly accounts: Account[];
  readonly accountByAddress: Map<Address, Account>;
  readonly instruments: Map<string, Instrument>;
  readonly series: Series[];
  readonly seriesById: Map<string, Series>;
  readonly orders: OrderStore;
  readonly terms: RestingTerms;
  readonly clientIds: ClientIds;
  readonly deadlines: Deadlines;
  readonly quoteSets: QuoteSets;
  readonly pushFloors: PushFloors;
  readonly positions: PositionStore;
  readonly sessions: SessionStore;
  readonly accountRows: AccountStore;
  readonly fills: FillStore;
  /** The memos of `risk`, which alone knows their form; null before anything was asked. No part of the lines. */
  riskMemos: object | null;
  /** The accounts that approved each session key. */
  readonly accountsBySessionKey: Map<Address, Set<Account>>;
  /** The entry that spent each address's last challenge and its time, by address, in order of spending. */
  readonly spentChallenges: Map<Address, SpentChallenge>;
  /** Approvals by contract wallets that wait for the attestor, by id, oldest first; some may have lapsed (CUS-19). */
  readonly parked: Map<number, ParkedApproval>;
  /** The outcomes of those before, oldest first. */
  readonly parkedAnswers: ParkedAnswer[];
  lastOrderId: number;
  lastFillId: number;
  lastMaintenanceTs: number;
  lastQuoteTs: number;
  /** The newest quote session, 0 before the first, and the attempts that registered sessions. */
  readonly quoting: { session: number; readonly attempts: Map<string, number> };
  /** Undecided expiries, ascending; their windows open in due time. */
  expiries: readonly number[];
  /** Decisions of this tick that have not been carried out for all their series; null if no tick is settling. */
  settling: Decision[] | null;
  /** The next account of the liquidation run, or null if there is no run. */
  liquidationNext: number | null;
  readonly audit: AuditLog;
  /** The newest of each secret, oldest first; some may have ended (CUS-10). */
  settleProposals: readonly SettleProposal[];
  readonly custody: Custody;
  /** Paper capital or deposits, less withdrawals: the sum of all cash and held deposits. */
  fundedMicros: Micros;
}

/** The state before the first entry, with nothing but the venue's own accounts. */
export function createState(featureLevels = FEATURE_LEVELS): State {
  const series: Series[] = [];
  const sessions = new SessionStore();
  const state: State = {
    featureLevels,
    seq: 0,
    ts: 0,
    venue: null,
    parameters: null,
    accounts: [],
    accountByAddress: new Map(),
    instruments: new Map(),
    series,
    seriesById: new Map(),
    orders: new OrderStore(),
    terms: new RestingTerms(),
    clientIds: new ClientIds(),
    deadlines: new Deadlines(),
    quoteSets: new QuoteSets(),
    pushFloors: new PushFloors(),
    positions: new PositionStore(series),
    sessions,
    accountRows: new AccountStore(sessions),
    fills: new FillStore(series, sessions),
    riskMemos: null,
    accountsBySessionKey: new Map(),
    spentChallenges: new Map(),
    parked: new Map(),
    parkedAnswers: [],
    lastOrderId: 0,
    lastFillId: 0,
    lastMaintenanceTs: 0,
    lastQuoteTs: 0,
    quoting: { session: 0, attempts: new Map() },
    expiries: [],
    settling: null,
    liquidationNext: null,
    audit: { count: 0, head: AUDIT_GENESIS, entries: [] },
    settleProposals: [],
    custody: createCustody(),
    fundedMicros: ZERO,
  };
  for (const role of ['house', 'fees', 'maker'] as const) addAccount(state, role, null);
  return state;
}

/** Opens an account without cash. */
export function addAccount(state: State, role: AccountRole, address: Address | null): Account {
  const index = state.accounts.length as AccountIndex;
  const account = new Account({ index, role, address }, columnsOf(state));
  state.accounts.push(account);
  if (address !== null) state.accountByAddress.set(address, account);
  return account;
}

export function columnsOf({ accountRows, positions, fills }: State): AccountColumns {
  return { rows: accountRows, positions, fills };
}

/** The account's position in the series, opened flat if there is none. */
export function positionOf(account: Account, series: Series): Position {
  const position = account.positions.get(series.sid);
  if (position !== undefined) return position;
  series.holders.push(account.index);
  return account.positions.open(series.sid);
}

/** The parameters in force; every entry except the first configuration needs them. */
export function parametersOf(state: State): VenueParameters {
  if (state.parameters === null) throw new Error('no configuration entry yet');
  return state.parameters;
}
