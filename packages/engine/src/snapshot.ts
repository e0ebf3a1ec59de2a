/**
 * The state as lines of text, and back: the content of a snapshot, and the form in which two nodes compare states.
 * Canonical: states that no entry can tell apart have the same lines.
 */

import { bytesToHex, sha256 } from '@venue/protocol';
import { assertReadable, FEATURE_LEVEL, FIRST_FEATURE_LEVEL, levelInForce } from './entry/feature-level.ts';
import { openProposals } from './expiry/settle-proposals.ts';
import { accountRow, payoutRow, restoreAccount, restoreDeposit, restorePayout } from './snapshot-accounts.ts';
import {
  instrumentRow,
  type OrderRow,
  placeOrders,
  restoreInstrument,
  restoreSeries,
  seriesRow,
} from './snapshot-market.ts';
import type { Custody } from './state/custody.ts';
import { FEATURE_LEVELS, type FeatureLevel } from './state/feature-levels.ts';
import type { Decision } from './state/series.ts';
import { createState, type State } from './state/state.ts';

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

function decisionOf(state: State, symbol: string, expiryTs: number): Decision {
  const decision = state.instruments.get(symbol)?.decisions.get(expiryTs);
  if (decision === undefined) throw new Error(`a snapshot settles ${symbol} without a decision`);
  return decision;
}
