/** After a run, checks that the log agrees with the answers to clients. */

import { isDeepStrictEqual } from 'node:util';
import {
  apply,
  type BookSide,
  BUY,
  brokenInvariants,
  type Command,
  createState,
  decodeCommand,
  isRefused,
  MAKER,
  NO_EFFECTS,
  type OutcomeOf,
  SELL,
  type State,
  stateDigest,
} from '@venue/engine';
import { type BatchRecord, ChainVerifier, type LogEntry, type Snapshot } from '@venue/log';
import { loadState } from '../src/snapshots/snapshots.ts';
import { guardedAccountView } from '../src/views/account.ts';
import { answerTo, type ExpectedAnswer, keyOf } from './answers.ts';
import type { Appends } from './appends.ts';
import type { Loss } from './database.ts';
import { DueWatch } from './due-watch.ts';
import type { Counts } from './faults.ts';
import type { Received, Sent } from './network.ts';
import { PUSH_ROWS, type Push, type PushRow } from './traffic.ts';

export interface Evidence {
  readonly batches: readonly BatchRecord[];
  readonly entries: readonly LogEntry[];
  readonly snapshots: readonly Snapshot[];
  /** Snapshots damaged by an injected fault. */
  readonly damagedSeqs: ReadonlySet<number>;
  readonly losses: readonly Loss[];
  readonly appends: Appends;
  readonly sent: readonly Sent[];
  /** States of the running nodes, by name. */
  readonly nodes: ReadonlyMap<string, State>;
  readonly counts: Counts;
}

/** One sentence for each fault. */
export async function* faultsOf(evidence: Evidence): AsyncGenerator<string> {
  const chainFault = chainFaultOf(evidence);
  if (chainFault !== null) {
    yield chainFault;
    return;
  }
  const replay = new Replay(evidence);
  replay.run();
  yield* replay.faults;
  yield* replay.watch.faults;
  yield* evidence.appends.faults(evidence.entries);
  yield* brokenInvariants(replay.state);
  for (const alike of byKey(evidence.sent)) yield* answerFaults(alike, replay, evidence.counts);
  const digest = stateDigest(replay.state);
  for (const [name, state] of evidence.nodes)
    if (stateDigest(state) !== digest)
      yield `${name} is at entry ${state.seq} with another state than the replay at entry ${replay.state.seq}`;
  for (const snapshot of evidence.snapshots) yield* snapshotFaults(snapshot, evidence, digest, replay);
  noteOutcomes(replay, evidence);
}

/** Checks that sequence numbers are dense, hashes chain and time never goes back. */
function chainFaultOf({ batches, entries }: Evidence): string | null {
  const verifier = new ChainVerifier();
  verifier.addBatches(batches);
  return (verifier.addEntries(entries) ?? verifier.finish())?.message ?? null;
}

/** The result of a client's entry. */
interface EntryResult {
  readonly seq: number;
  /** Null if the command was refused and changed nothing. */
  readonly answer: ExpectedAnswer | null;
}

class Replay {
  readonly state = createState();
  readonly faults: string[] = [];
  /** Results by request key. */
  readonly results = new Map<string, EntryResult[]>();
  readonly digests = new Map<number, string>();
  readonly watch = new DueWatch();
  /** Ticks refused as early because another node had proposed one. */
  earlyTicks = 0;
  readonly #evidence: Evidence;
  readonly #spent = new Map<string, number>();
  readonly #looks = new Map<number, (() => void)[]>();

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
    for (const sent of evidence.sent) {
      for (const received of sent.received) this.#planLook(sent, received);
    }
  }

  run(): void {
    const snapshotSeqs = new Set(this.#evidence.snapshots.map(({ seq }) => seq));
    for (const { seq, ts, kind, body } of this.#evidence.entries) {
      const command = decodeCommand(kind, body);
      this.watch.begin(ts);
      const outcome = apply(this.state, { seq, ts, command }, this.watch.effects);
      this.watch.end(command, outcome, ts);
      this.#take(seq, command, outcome);
      if (snapshotSeqs.has(seq)) this.digests.set(seq, stateDigest(this.state));
      for (const look of this.#looks.get(seq) ?? []) look();
    }
    const seenSeq = Math.max(...this.#looks.keys());
    if (seenSeq > this.state.seq)
      this.faults.push(`a client was shown entry ${seenSeq}, which is not in the log`);
  }

  #take(seq: number, command: Command, outcome: OutcomeOf<Command['kind']>): void {
    if (command.kind === 'maintain' && !isRefused(outcome) && !(outcome as { done: boolean }).done)
      this.earlyTicks += 1;
    const key = keyOf(command);
    if (key === null) return;
    const answer = isRefused(outcome) ? null : answerTo(this.state, command, outcome);
    this.results.set(key, [...(this.results.get(key) ?? []), { seq, answer }]);
    if (!key.startsWith('signed') || (isRefused(outcome) && UNSPENT.has(outcome.refusal))) return;
    const before = this.#spent.get(key);
    if (before !== undefined) this.faults.push(`entries ${before} and ${seq} spent one nonce: ${key}`);
    this.#spent.set(key, seq);
  }

  /** Plans to compare an answer that has no entry of its own with the state at that moment. */
  #planLook(sent: Sent, received: Received): void {
    const { seq, status, arrivalSeq } = received;
    if (status !== 200 || this.mayHaveBeenLost(received)) return;
    if (sent.kind === 'me') this.#lookAt(seq, () => this.#checkAccount(sent, received));
    const { kept, applied } = received.body as { kept?: number; applied?: number };
    const isUnlogged = sent.kind === 'quotes' && arrivalSeq === seq;
    if (isUnlogged && applied === 0 && kept === PUSH_ROWS)
      this.#lookAt(seq, () => this.#checkStanding(sent, seq));
  }

  /**
   * Returns whether a read may show entries that a fail-over took back: the database had reported that no standby had
   * them.
   */
  mayHaveBeenLost({ seq, atMs }: Received): boolean {
    return this.#evidence.losses.some((loss) => seq >= loss.firstSeq && atMs <= loss.atMs + LOSS_NOTICED_MS);
  }

  #lookAt(seq: number, look: () => void): void {
    this.#looks.set(seq, [...(this.#looks.get(seq) ?? []), look]);
  }

  #checkAccount(sent: Sent, { body, seq }: Received): void {
    const { address } = body as { address: never };
    const account = this.state.accountByAddress.get(address);
    this.#evidence.counts.note('account read and compared');
    if (account === undefined || !isDeepStrictEqual(body, plain(guardedAccountView(this.state, account))))
      this.faults.push(`request ${sent.id} showed an account as it never was, at entry ${seq}`);
  }

  #checkStanding(sent: Sent, seq: number): void {
    const { rows } = sent.call.body as Push;
    this.#evidence.counts.add('push answered without an entry');
    const missing = rows.find((row) => !isQuoted(this.state, row));
    if (missing !== undefined)
      this.faults.push(`request ${sent.id} was told at entry ${seq} that series ${missing[0]} stands quoted`);
  }
}

/** Returns whether the book holds the row, price level by price level, computed independently of the node. */
function isQuoted(state: State, [sid, bids, asks, iv]: PushRow): boolean {
  const series = state.series[sid]!;
  const levels = (side: BookSide) => {
    const found: number[][] = [];
    for (let h = series.book.best(side); h !== null; h = series.book.next(h))
      if (state.orders.owner(h) === MAKER) found.push([state.orders.price(h), state.orders.remaining(h)]);
    return found;
  };
  const asked = (side: readonly (readonly number[])[]) =>
    side.map((level) => level.map((decimal) => Math.round(decimal * 1_000_000)));
  return (
    series.iv === iv &&
    isDeepStrictEqual(levels(BUY), asked(bids)) &&
    isDeepStrictEqual(levels(SELL), asked(asks))
  );
}

/** Longest time in which a node notices that it may no longer answer. */
const LOSS_NOTICED_MS = 15_000;

/** Refusals that do not spend the nonce. */
const UNSPENT: ReadonlySet<string> = new Set([
  'unknownToken',
  'unknownSessionKey',
  'sessionExpired',
  'nonceOutsideWindow',
  'nonceUsed',
  'tooManyInFlight',
]);

/** Requests with the same bytes: clients may deliberately send an approval or a push more than once. */
interface Alike {
  readonly key: string;
  readonly kind: string;
  readonly id: number;
  readonly deliveries: number;
  readonly received: readonly Received[];
}

function byKey(sent: readonly Sent[]): Alike[] {
  const groups = Map.groupBy(sent, ({ key }) => key);
  return [...groups].flatMap(([key, [first, ...others]]) => {
    if (key === null || first === undefined) return [];
    const all = [first, ...others];
    const deliveries = all.reduce((sum, one) => sum + one.deliveries, 0);
    return [
      { key, kind: first.kind, id: first.id, deliveries, received: all.flatMap(({ received }) => received) },
    ];
  });
}

/**
 * Checks that an acknowledged write is in the log, exactly once where required, and that its answer matches the
 * replay.
 */
function* answerFaults(
  { key, kind, id, deliveries, received }: Alike,
  replay: Replay,
  counts: Counts,
): Generator<string> {
  const where = `${kind} ${id}`;
  const entries = replay.results.get(key) ?? [];
  if (entries.length > deliveries)
    yield `${where} reached nodes ${deliveries} times and is in the log ${entries.length} times`;
  const left = entries.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  const acknowledged = received.filter(
    (one) => isAcknowledgement(one) && (kind !== 'quotes' || hasApplied(one)),
  );
  if (acknowledged.length > 0) counts.note(`${kind} acknowledged`);
  for (const { status, body } of acknowledged) {
    const at = left.findIndex((answer) => answer.status === status && isAnswer(kind, body, answer.body));
    if (at >= 0) left.splice(at, 1);
    else if (left.length === 0)
      yield `${where} was acknowledged and is not in the log (${entries.length} entries)`;
    else yield `${where} was answered ${JSON.stringify(body)}, and replay says ${JSON.stringify(left)}`;
  }
  const refusedCopies = received.filter(({ body }) => (body as { error?: string }).error === NONCE_USED);
  if (entries.length === 0 && refusedCopies.some((one) => !replay.mayHaveBeenLost(one)))
    yield `${where} was told that its nonce is used, which it is not`;
  if (refusedCopies.length > 0 && acknowledged.length > 0)
    counts.add('copy of an acknowledged write refused by its nonce');
}

const NONCE_USED = 'nonce already used';

function isAcknowledgement({ status, body }: Received): boolean {
  const { status: orderStatus, error } = body as { status?: string; error?: string };
  return (
    status === 200 || orderStatus === 'rejected' || error?.startsWith('insufficient withdrawable') === true
  );
}

/** Returns whether a push changed anything. The answer to any other push comes from what the node already knew. */
function hasApplied({ body }: Received): boolean {
  return (body as { applied: number }).applied > 0;
}

/** Compares answers, allowing for rows that the node refuses itself: they appear in its answer but not in the log. */
function isAnswer(kind: string, body: unknown, expected: object): boolean {
  const { errors, applied } = body as { errors?: number; applied?: number };
  if (kind === 'quotes' && errors! > 0) return applied === (expected as { applied: number }).applied;
  return isDeepStrictEqual(withoutToken(body), plain(expected));
}

function withoutToken(body: unknown): unknown {
  const { token: _, ...rest } = body as { token?: string };
  return rest;
}

/** The value as JSON carries it. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

/**
 * Checks that each snapshot equals the state after its entry, and that a start from it ends where a full replay ends.
 */
async function* snapshotFaults(
  snapshot: Snapshot,
  { damagedSeqs, entries, batches }: Evidence,
  digest: string,
  replay: Replay,
): AsyncGenerator<string> {
  const log = {
    loadSnapshots: async () => [snapshot],
    head: async () => entries.at(-1)!,
    readBatches: async (seq: number) =>
      batches.filter(({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= lastSeq),
  };
  const state = await loadState(log, { warn() {} });
  if (state === null) {
    if (!damagedSeqs.has(snapshot.seq)) yield `the snapshot of entry ${snapshot.seq} cannot be read`;
    return;
  }
  if (stateDigest(state) !== replay.digests.get(snapshot.seq))
    yield `the snapshot of entry ${snapshot.seq} is not the state of that entry`;
  for (const { seq, ts, kind, body } of entries.slice(snapshot.seq))
    apply(state, { seq, ts, command: decodeCommand(kind, body) }, NO_EFFECTS);
  if (stateDigest(state) !== digest)
    yield `a start from the snapshot of entry ${snapshot.seq} ends elsewhere`;
}

function noteOutcomes(replay: Replay, { counts, nodes }: Evidence): void {
  if (nodes.size > 1 && replay.earlyTicks > 0) counts.add('maintenance proposed by two nodes');
  const { gtd, guard, late } = replay.watch.times;
  if (gtd > 0) counts.add('timed order expired');
  if (guard > 0) counts.add('guard fired');
  if (late > 0) counts.add('deadline passed while nobody wrote');
  if (replay.state.series.some(({ status }) => status === 'settled')) counts.add('series settled');
}
