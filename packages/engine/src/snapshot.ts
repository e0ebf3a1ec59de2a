/**
 * The state as lines of text, and back: the content of a snapshot, and the form in which two nodes compare states.
 * Canonical: states that no entry can tell apart have the same lines.
 */

import {
  type Address,
  bytesToHex,
  formatSeriesId,
  type OrderTerms,
  type Right,
  sha256,
  TERM_NAMES,
} from '@venue/protocol';
import { Book, BUY, SELL } from './book/book.ts';
import { recordDeposit } from './custody/deposits.ts';
import { assertReadable, FEATURE_LEVEL, FIRST_FEATURE_LEVEL, levelInForce } from './entry/feature-level.ts';
import { cutoffMs } from './expiry/oracle.ts';
import { recentSpots } from './expiry/recent-spots.ts';
import { openProposals } from './expiry/settle-proposals.ts';
import { ivAt } from './risk/annotations.ts';
import { countQuote, ownerCell, ownerOfCell, restoreSet, setRow } from './snapshot-sets.ts';
import type { Account, Payout } from './state/account.ts';
import { type Custody, recordPayout } from './state/custody.ts';
import { FEATURE_LEVELS, type FeatureLevel } from './state/feature-levels.ts';
import type { Sid } from './state/ids.ts';
import type { Position } from './state/positions.ts';
import type { Deposit, FillRecord } from './state/records.ts';
import type { Decision, Instrument, OracleWindow, Series, SeriesStatus } from './state/series.ts';
import { SessionRecord } from './state/session.ts';
import { addAccount, createState, positionOf, type State } from './state/state.ts';
import { PLAIN_LIMIT } from './state/terms.ts';
import { keepTerms, ownerOf, sign, signerOf } from './trading/resting.ts';

/** The version of the lines of a state: its feature level. A node that does not read it replays the log instead. */
export function snapshotVersion(state: State): number {
  return levelInForce(state);
}

export function isSnapshotVersion(version: number): boolean {
  return version >= FIRST_FEATURE_LEVEL && version <= FEATURE_LEVEL;
}

const encoder = new TextEncoder();

/** SHA-256, in hex, over the whole state. */
export function stateDigest(state: State): string {
  const hash = sha256.create();
  for (const line of stateLines(state)) hash.update(encoder.encode(`${line}\n`));
  return bytesToHex(hash.digest());
}

/**
 * One JSON value per line: the venue's own numbers, then audit, instruments, series, accounts, custody and session
 * keys.
 */
export function* stateLines(state: State): Generator<string> {
  yield JSON.stringify(venueOf(state));
  for (const entry of state.audit.entries) yield JSON.stringify(entry);
  for (const instrument of state.instruments.values()) yield JSON.stringify(instrumentRow(state, instrument));
  for (const series of state.series) yield JSON.stringify(seriesRow(state, series));
  for (const account of state.accounts) yield JSON.stringify(accountRow(state, account));
  for (const deposit of state.custody.deposits.values()) yield JSON.stringify(deposit);
  for (const payout of state.custody.payouts) yield JSON.stringify(payoutRow(payout));
  for (const [key, accounts] of state.accountsBySessionKey) {
    yield JSON.stringify([key, [...accounts].map(({ index }) => index)]);
  }
}

/** The state described by the lines. Throws if they are incomplete. */
export function restoreState(lines: Iterable<string>, featureLevels = FEATURE_LEVELS): State {
  const restoration = new Restoration(featureLevels);
  for (const line of lines) restoration.add(line);
  return restoration.end();
}

/** Restores a state from lines as they arrive, so that no caller has to hold all of them. */
export class Restoration {
  readonly #steps: Restoring<State>;

  constructor(featureLevels = FEATURE_LEVELS) {
    this.#steps = restoring(featureLevels);
    // Runs to where the first line is wanted.
    this.#steps.next();
  }

  /** Throws for a line that cannot follow those before it. */
  add(line: string): void {
    this.#steps.next(line);
  }

  /** The state described by all lines. Throws if they are incomplete. */
  end(): State {
    const { value: state } = this.#steps.next(undefined);
    if (state === undefined) throw new Error('a snapshot breaks off');
    return state;
  }
}

/** Takes one line at a time, and undefined after the last. */
type Restoring<T> = Generator<undefined, T, string | undefined>;

function* restoring(featureLevels: readonly FeatureLevel[]): Restoring<State> {
  const venue = yield* nextRow<Venue>();
  const { audit, instruments, series, accounts, deposits, payouts, settling, ...rest } = venue;
  const { quoting, spentChallenges, parked, custody, ...own } = rest;
  assertReadable({ featureLevels }, levelInForce(own), `the snapshot of entry ${own.seq}`);
  const state: State = {
    ...createState(featureLevels),
    ...own,
    settling: null,
    spentChallenges: new Map(spentChallenges),
    parked: new Map(parked.map((one) => [one.id, one])),
    quoting: { ...quoting, attempts: new Map(quoting.attempts) },
  };
  state.accounts.length = 0;
  restoreCustody(state.custody, custody);
  Object.assign(state.audit, { count: audit.count, head: audit.head });
  for (let i = 0; i < audit.entries; i++) state.audit.entries.push(yield* nextRow());
  for (let i = 0; i < instruments; i++) restoreInstrument(state, yield* nextRow());
  const orders: OrderRow[] = [];
  for (let i = 0; i < series; i++) {
    for (const order of restoreSeries(state, yield* nextRow())) orders.push(order);
  }
  for (let i = 0; i < accounts; i++) restoreAccount(state, yield* nextRow());
  placeOrders(state, orders);
  for (let i = 0; i < deposits; i++) restoreDeposit(state, yield* nextRow());
  for (let i = 0; i < payouts; i++) restorePayout(state, yield* nextRow());
  for (let row = yield* nextRowOrNone<KeyRow>(); row !== undefined; row = yield* nextRowOrNone<KeyRow>()) {
    state.accountsBySessionKey.set(row[0], new Set(row[1].map((index) => state.accounts[index]!)));
  }
  state.settling = settling?.map(([symbol, expiryTs]) => decisionOf(state, symbol, expiryTs)) ?? null;
  return state;
}

function* nextRow<T>(): Restoring<T> {
  const row = yield* nextRowOrNone<T>();
  if (row === undefined) throw new Error('a snapshot breaks off');
  return row;
}

function* nextRowOrNone<T>(): Restoring<T | undefined> {
  const line = yield;
  return line === undefined ? undefined : (JSON.parse(line) as T);
}

function venueOf(state: State) {
  const { seq, ts, venue, parameters, lastOrderId, lastFillId, lastMaintenanceTs, lastQuoteTs } = state;
  const { liquidationNext, fundedMicros, expiries, audit, parkedAnswers } = state;
  return {
    ...{ seq, ts, venue, parameters, lastOrderId, lastFillId, lastMaintenanceTs, lastQuoteTs },
    ...{ liquidationNext, fundedMicros, expiries },
    audit: { count: audit.count, head: audit.head, entries: audit.entries.length },
    settling:
      state.settling?.map(({ instrument, expiryTs }) => [instrument.symbol, expiryTs] as const) ?? null,
    quoting: { session: state.quoting.session, attempts: [...state.quoting.attempts] },
    instruments: state.instruments.size,
    series: state.series.length,
    accounts: state.accounts.length,
    deposits: state.custody.deposits.size,
    payouts: state.custody.payouts.length,
    spentChallenges: [...state.spentChallenges],
    settleProposals: openProposals(state),
    parked: [...state.parked.values()],
    parkedAnswers,
    custody: custodyOf(state.custody),
  };
}

function custodyOf({
  binding,
  isBindingUnused,
  earlierBindings,
  bindRequests,
  epoch,
  halted,
  houseFundedMicros,
  doubted,
  frozenWithdrawals,
}: Custody) {
  return {
    ...{ binding, isBindingUnused, earlierBindings, bindRequests, epoch, halted, houseFundedMicros },
    doubted: [...doubted],
    frozenWithdrawals: [...frozenWithdrawals],
  };
}

function restoreCustody(
  custody: Custody,
  { doubted, frozenWithdrawals, ...own }: ReturnType<typeof custodyOf>,
): void {
  Object.assign(custody, own);
  for (const key of doubted) custody.doubted.add(key);
  for (const address of frozenWithdrawals) custody.frozenWithdrawals.add(address);
}

type Venue = ReturnType<typeof venueOf>;
type KeyRow = readonly [Parameters<State['accountsBySessionKey']['set']>[0], readonly number[]];

function instrumentRow({ ts }: State, instrument: Instrument) {
  const { symbol, assetClass, active, spotMicros, rolledFor, sources, windows, decisions, jump } = instrument;
  return {
    ...{ symbol, assetClass, active, spotMicros, rolledFor, jump },
    spots: recentSpots(instrument.spots, ts),
    sources: [...sources.values()],
    windows: [...windows.values()].map(windowRow),
    decisions: [...decisions.values()].map(({ instrument: _, ...decision }) => decision),
  };
}

function windowRow({ expiryTs, sources }: OracleWindow) {
  const rows = [...sources.values()].map((source) => ({ ...source, integral: String(source.integral) }));
  return { expiryTs, sources: rows };
}

function restoreInstrument(state: State, row: ReturnType<typeof instrumentRow>): void {
  const { sources, windows, decisions, spots, ...own } = row;
  const instrument: Instrument = {
    ...own,
    spots: [...spots],
    sources: new Map(sources.map((source) => [source.source, source])),
    windows: new Map(windows.map((window) => [window.expiryTs, restoreWindow(window)])),
    decisions: new Map(),
    series: [],
  };
  for (const decision of decisions) instrument.decisions.set(decision.expiryTs, { ...decision, instrument });
  state.instruments.set(instrument.symbol, instrument);
}

function restoreWindow({ expiryTs, sources }: ReturnType<typeof windowRow>): OracleWindow {
  const rows = sources.map((source) => ({ ...source, integral: BigInt(source.integral) }));
  return { expiryTs, sources: new Map(rows.map((source) => [source.source, source])) };
}

function decisionOf(state: State, symbol: string, expiryTs: number): Decision {
  const decision = state.instruments.get(symbol)?.decisions.get(expiryTs);
  if (decision === undefined) throw new Error(`a snapshot settles ${symbol} without a decision`);
  return decision;
}

/** The terms in the order of `TERM_NAMES`; null for one that the order has not. */
type TermsRow = readonly (OrderTerms[keyof OrderTerms] | null)[];

/**
 * [id, book, side, owner, price, quantity, remaining, placed at, signer, terms of an order placed in a batch]; the owner is
 * an account, or below zero a quote set.
 */
type OrderRow = readonly [
  ...[number, number, number, number, number, number, number, number, Address | null],
  TermsRow?,
];

function seriesRow(state: State, series: Series) {
  const { instrument, expiryTs, right, strikeMicros, status, payoutMicros, iv, delta } = series;
  const { volumeMicros, openInterestMicros, restingBuyMicros, restingSellMicros, quotes } = series;
  const annotatedIv = ivAt(series, state.ts);
  return {
    symbol: instrument.symbol,
    ...{ expiryTs, right, strikeMicros, status, payoutMicros, iv, delta },
    ...{ volumeMicros, openInterestMicros, restingBuyMicros, restingSellMicros },
    // One that is too old no longer counts.
    ...(annotatedIv !== null && { annotation: [annotatedIv, series.annotatedAt] as const }),
    // Leaves out ids that no longer rest.
    bids: quotes.bids.filter((id) => state.orders.find(id) !== null),
    asks: quotes.asks.filter((id) => state.orders.find(id) !== null),
    orders: [...orderRows(state, series)],
  };
}

function* orderRows(state: State, { book, sid }: Series): Generator<OrderRow> {
  const { orders, sessions } = state;
  for (const side of [BUY, SELL] as const) {
    for (let h = book.best(side); h !== null; h = book.next(h)) {
      const signer = signerOf(state, h);
      const terms = [ownerCell(state, h), orders.price(h), orders.quantity(h), orders.remaining(h)] as const;
      yield [
        orders.id(h),
        sid,
        side,
        ...terms,
        orders.placedAt(h),
        signer === null ? null : sessions.key(signer),
        ...termsRow(state.terms.of(orders.id(h))),
      ];
    }
  }
}

function termsRow(terms: OrderTerms): [TermsRow?] {
  return terms === PLAIN_LIMIT ? [] : [TERM_NAMES.map((name) => terms[name] ?? null)];
}

function restoreTerms(row: TermsRow): OrderTerms {
  const given = TERM_NAMES.map((name, i) => [name, row[i] ?? null] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== null)) as unknown as OrderTerms;
}

function restoreSeries(state: State, row: ReturnType<typeof seriesRow>): readonly OrderRow[] {
  const { symbol, bids, asks, orders, annotation = [0, 0], ...own } = row;
  const instrument = state.instruments.get(symbol);
  if (instrument === undefined)
    throw new Error(`a snapshot has a series of ${symbol} and no such instrument`);
  const sid = state.series.length as Sid;
  const series: Series = {
    ...own,
    sid,
    seriesId: formatSeriesId({ ...own, symbol, right: own.right as Right }),
    instrument,
    cutoffMs: cutoffMs(own.expiryTs),
    status: own.status as SeriesStatus,
    holders: [],
    book: new Book(state.orders, sid),
    quotes: { bids, asks },
    annotatedIv: annotation[0],
    annotatedAt: annotation[1],
  };
  state.series.push(series);
  state.seriesById.set(series.seriesId, series);
  if (series.status !== 'settled') instrument.series.push(series);
  return orders;
}

/** Owners' lists are in order of ids; an amended order may stand behind later ones at its price. */
function placeOrders(state: State, rows: readonly OrderRow[]): void {
  for (const row of rows.toSorted(([a], [b]) => a - b)) placeOrder(state, row);
  let isOutOfOrder = false;
  rows.forEach((row, i) => {
    const before = rows[i - 1];
    const isSameLevel = before !== undefined && [1, 2, 4].every((cell) => row[cell] === before[cell]);
    isOutOfOrder = isSameLevel && (isOutOfOrder || row[0] < before[0]);
    if (isOutOfOrder) moveToEnd(state, row);
  });
}

/** From the first order behind a later one on, a queue is what the rows say once each of them has gone to its end. */
function moveToEnd(state: State, [id, book, , , price, quantity, remaining]: OrderRow): void {
  const series = state.series[book]!.book;
  series.requeue(series.lift(state.orders.find(id)!), { price, quantity, remaining });
}

function placeOrder(state: State, row: OrderRow): void {
  const [id, book, side, owner, price, quantity, remaining, placedAt, signer, terms] = row;
  const order = { id, owner: ownerOfCell(state, owner), price, quantity, remaining, placedAt };
  const h = state.series[book]!.book.place({ ...order, side: side === BUY ? BUY : SELL });
  if (owner < 0) countQuote(state, h);
  const account = ownerOf(state, h);
  if (signer !== null) withSigner(state, account, signer, (session) => sign(state, h, session));
  if (terms === undefined) return;
  const restored = restoreTerms(terms);
  keepTerms(state, account, id, restored);
  if (restored.clientId !== undefined) state.clientIds.open(account.index, restored.clientId, id);
}

function accountRow(state: State, account: Account) {
  const guardAt = state.deadlines.guardOf(account.index);
  const closedClientIds = state.clientIds.closedOf(account.index, state.ts);
  const quoteSets = state.quoteSets.of(account.index).map((set) => setRow(state, set));
  const pushFloors = state.pushFloors.rows(account.index, state.ts);
  const { role, address, cashMicros, realizedMicros, reservedMicros, marginEnabled } = account;
  const { frozen, heldMicros, heldCount, quarters, marginMode, calledSince } = account;
  return {
    ...{ role, address, cashMicros, realizedMicros, reservedMicros, marginEnabled },
    ...{ frozen, heldMicros, heldCount },
    ...(marginMode !== 'per-leg' && { marginMode }),
    wasCalled: account.wasCalled,
    ...(calledSince !== null && { calledSince }),
    ...(quarters !== null && { quarters: { tick: quarters.tick, sizes: [...quarters.sizes] } }),
    positions: [...account.positions].map(positionRow),
    fills: [...account.fills].map(({ series, ...fill }) => ({ ...fill, sid: series.sid })),
    sessions: [...account.sessions.values()].map(sessionRow),
    ...(guardAt !== null && { guardAt }),
    ...(closedClientIds.length > 0 && { closedClientIds }),
    ...(quoteSets.length > 0 && { quoteSets }),
    ...(pushFloors.length > 0 && { pushFloors }),
  };
}

function positionRow(position: Position) {
  const { series, qtyMicros, costMicros, realizedMicros, restingBuyMicros, restingSellMicros } = position;
  const { sid } = series;
  return { sid, qtyMicros, costMicros, realizedMicros, restingBuyMicros, restingSellMicros };
}

function sessionRow(session: SessionRecord) {
  const { sessionKey, expiresAt, approvedAt, revokedAt } = session;
  const { approval, attestation, revocation, revocationAttestation } = session;
  const supersededExpiries = [...session.supersededExpiries];
  return {
    ...{ sessionKey, expiresAt, approvedAt, revokedAt, supersededExpiries, nonces: [...session.nonces] },
    approval,
    ...(attestation !== null && { attestation }),
    ...(revocation !== null && { revocation }),
    ...(revocationAttestation !== null && { revocationAttestation }),
  };
}

function restoreAccount(state: State, row: ReturnType<typeof accountRow>): void {
  const { role, address, positions, fills, sessions, guardAt = null, ...later } = row;
  const { closedClientIds = [], quoteSets = [], pushFloors = [], quarters, ...own } = later;
  const account = Object.assign(addAccount(state, role, address), own);
  if (quarters !== undefined) account.quarters = { ...quarters, sizes: new Map(quarters.sizes) };
  for (const { sid, ...amounts } of positions) {
    const series = state.series[sid]!;
    Object.assign(positionOf(account, series), amounts);
    if (amounts.qtyMicros < 0) account.shortCount += 1;
  }
  for (const session of sessions) restoreSession(state, account, session);
  restoreFills(state, account, fills);
  state.deadlines.setGuard(account.index, guardAt);
  state.clientIds.restoreClosed(account.index, closedClientIds);
  for (const set of quoteSets) restoreSet(state, account, set);
  for (const [of, nonce] of pushFloors) state.pushFloors.raise(account.index, of, nonce);
}

function restoreFills(state: State, account: Account, rows: ReturnType<typeof accountRow>['fills']): void {
  let last: SessionRecord | undefined;
  for (const { sid, ...fill } of rows) {
    const row: FillRecord = { ...fill, series: state.series[sid]! };
    if (row.signer === undefined) {
      account.fills.add(row, null);
    } else if (last?.sessionKey === row.signer) {
      account.fills.add(row, last.handle);
    } else {
      last = withSigner(state, account, row.signer, ({ handle }) => account.fills.add(row, handle));
    }
  }
}

function restoreSession(state: State, account: Account, row: ReturnType<typeof sessionRow>): void {
  const { sessionKey, supersededExpiries, nonces, ...rest } = row;
  const { approval, attestation = null, revocation, revocationAttestation = null, ...own } = rest;
  const session = new SessionRecord(state.sessions, state.sessions.open(sessionKey));
  Object.assign(session, own);
  session.proveApproval(approval, attestation);
  if (revocation !== undefined) session.proveRevocation(revocation, revocationAttestation);
  for (const expiry of supersededExpiries) session.supersededExpiries.add(expiry);
  for (const nonce of nonces) session.nonces.add(nonce);
  account.sessions.set(sessionKey, session);
}

/**
 * Calls `hold` with the session that signed. Orders and fills outlive it: where it is forgotten, `hold` gets a row for
 * the key alone, which nobody else holds.
 */
function withSigner(
  state: State,
  account: Account,
  key: Address,
  hold: (signer: SessionRecord) => void,
): SessionRecord {
  const session = account.sessions.get(key);
  const signer = session ?? new SessionRecord(state.sessions, state.sessions.open(key));
  hold(signer);
  if (session === undefined) signer.forget();
  return signer;
}

function restoreDeposit(state: State, deposit: Deposit): void {
  recordDeposit(state, deposit);
}

/** Leaves out what few payouts have. */
function payoutRow({ account, ...payout }: Payout) {
  const { id, payoutId, amountMicros, requestedAt, txHash, isOfHouse, proof, voidedAt, waits } = payout;
  return {
    ...{ id, amountMicros, requestedAt, txHash, account: account.index },
    ...(payoutId !== id && { payoutId }),
    ...(isOfHouse && { isOfHouse }),
    ...(payout.isAdopted && { isAdopted: true }),
    ...(proof !== null && { proof }),
    ...(voidedAt !== null && { voidedAt }),
    ...(waits !== null && { waits }),
    ...(payout.approvals.length > 0 && { approvals: payout.approvals }),
  };
}

const USUAL_PAYOUT = {
  ...{ isOfHouse: false, isAdopted: false, proof: null, voidedAt: null, waits: null },
  approvals: [] as Payout['approvals'],
} as const;

function restorePayout({ custody, accounts }: State, row: ReturnType<typeof payoutRow>): void {
  recordPayout(custody, { ...USUAL_PAYOUT, payoutId: row.id, ...row, account: accounts[row.account]! });
}
