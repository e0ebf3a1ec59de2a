/** Snapshots of the state, so that a start replays only what came after the newest (design of the log, part 1; OWN-54). */

import type { State } from '@venue/engine';
import { type Head, type Log, LogOpenError, type ReadOnlyLog, type Snapshot } from '@venue/log';
import { type ChainedLog, restoreSnapshot, snapshotFrom, textBlocks } from '@venue/replay';
import type { Logger } from '../observe/logger.ts';
import { type AppliedWork, ReplayCost } from './replay-cost.ts';

/** When a start would replay this long, another snapshot is due (LOG-3). */
export const REPLAY_LIMIT_MS = 5_000;
/** After a failure, such as a full disk, the next attempt waits: each costs a thread seconds of work. */
const RETRY_MS = 60_000;

export interface LoadOptions {
  /** The last entry of the history; the replay must not begin after it. */
  readonly lastSeq?: number;
  readonly oldestFirst?: boolean;
}

/**
 * The newest state that can be restored, or null. A snapshot that cannot be restored is logged and skipped. Rejects with
 * `LogOpenError` where the log ends before a snapshot: what was acknowledged is missing then.
 */
export async function loadState(
  log: ChainedLog & Pick<ReadOnlyLog, 'loadSnapshots' | 'head'>,
  logger: Pick<Logger, 'warn'>,
  { lastSeq = Number.POSITIVE_INFINITY, oldestFirst = false }: LoadOptions = {},
): Promise<State | null> {
  const snapshots = await log.loadSnapshots();
  refuseBeyond(snapshots, await log.head());
  const [newest] = snapshots;
  if (newest !== undefined && newest.seq > lastSeq)
    logger.warn(
      { seq: newest.seq },
      `passed over: the snapshot of entry ${newest.seq} is past the history, which ends with entry ${lastSeq} and gets the rest from a longer replay`,
    );
  const ordered = oldestFirst ? snapshots.toReversed() : snapshots;
  for (const snapshot of ordered.filter(({ seq }) => seq <= lastSeq)) {
    const restored = await restoreSnapshot(snapshot, log);
    if (typeof restored !== 'string') return restored;
    const { seq } = snapshot;
    logger.warn({ seq }, `passed over: the snapshot of entry ${seq} ${restored}`);
  }
  return null;
}

/** Read the head after the snapshots: other nodes may append and save in between. */
function refuseBeyond([newest]: readonly Snapshot[], head: Head): void {
  if (newest === undefined || newest.seq <= head.seq) return;
  throw new LogOpenError(
    `the log ends with entry ${head.seq}, before the snapshot of entry ${newest.seq}: its end is missing; restore it from a backup`,
  );
}

/** A snapshot was not made and saved in time. */
export class SnapshotLateError extends Error {
  override readonly name = 'SnapshotLateError';
}

/**
 * The state as it is at the moment of the call, with its place in the log, for a node that goes on applying entries. Makes
 * all of its text before it waits for anything, which holds the event loop: some 50 ms for a paper market, seconds for
 * 100,000 accounts with long histories. Rejects with `SnapshotLateError` when it is not done by `untilMs` of the monotonic
 * clock.
 */
export async function snapshotOf(
  state: State,
  log: ChainedLog,
  untilMs = Number.POSITIVE_INFINITY,
): Promise<Snapshot> {
  const { seq } = state;
  const blocks: string[] = [];
  for (const block of textBlocks(state)) {
    blocks.push(block);
    if (performance.now() > untilMs) throw new SnapshotLateError(`entry ${seq}`);
  }
  const snapshot = await snapshotFrom(blocks, state, log);
  if (performance.now() > untilMs) throw new SnapshotLateError(`entry ${seq}`);
  return snapshot;
}

/** After the limit the promise continues, but its outcome is ignored. */
async function within<T>(promise: Promise<T>, limitMs: number, error: Error): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error), limitMs);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A snapshot, with the cost of the replay that produced it, if there was one. */
export interface TakenSnapshot extends Snapshot {
  readonly replay?: ReplayTime;
}

export interface ReplayTime {
  /** The replay began after this entry. */
  readonly fromSeq: number;
  readonly processorMs: number;
}

export interface SnapshotsOptions {
  readonly log: ChainedLog & Pick<Log, 'saveSnapshot'>;
  readonly state: State;
  /** Makes a snapshot of the state as it is at the moment of the call, without holding the event loop. */
  readonly take: (signal: AbortSignal) => Promise<TakenSnapshot>;
  /** A snapshot is due when a start would replay this long. */
  readonly limitMs: number;
  /** Resolves once the history up to an entry is on the disk, so that a start from the snapshot finds no gap in it. */
  readonly durable?: (seq: number) => Promise<void>;
}

/** Saves the state whenever a replay would take too long, and at the end. */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #cost = new ReplayCost();
  #savedSeq: number;
  #savedAtMs = performance.now();
  #saving: Promise<void> | null = null;
  #retryAtMs = 0;
  readonly #givingUp = new AbortController();

  constructor(options: SnapshotsOptions) {
    this.#options = options;
    this.#savedSeq = options.state.seq;
  }

  /** Entry of the newest snapshot saved or started from. */
  get savedSeq(): number {
    return this.#savedSeq;
  }

  /** Milliseconds since that snapshot was saved, or since the start from it. */
  get savedAgeMs(): number {
    return performance.now() - this.#savedAtMs;
  }

  /** How long replaying what came after that snapshot would take, ms. */
  get replayMs(): number {
    return this.#cost.ms;
  }

  /** Call it for all applied entries, including those that a start replays. */
  applied(work: AppliedWork): void {
    this.#cost.applied(work);
  }

  /**
   * Saves if replaying the entries since the newest snapshot would take too long; never two at a time. After a failure, the
   * first call a minute later tries again.
   */
  async saveIfDue(): Promise<void> {
    await this.#saveIfDue(this.#options.take);
  }

  /**
   * The same for a node that is still replaying and serves no requests: it makes the snapshot itself. A start that keeps
   * crashing before its replay ends thus leaves less to replay each time.
   */
  async saveIfDueInReplay(): Promise<void> {
    const { state, log } = this.#options;
    await this.#saveIfDue(() => snapshotOf(state, log));
  }

  /** Saves if the newest snapshot is that old, whatever replaying the rest would take; unless one is being made. */
  async saveIfOlder(ageMs: number): Promise<void> {
    const { signal } = this.#givingUp;
    if (this.savedAgeMs < ageMs || this.#saving !== null || signal.aborted) return;
    await this.#save(() => this.#options.take(signal));
  }

  async #saveIfDue(take: SnapshotsOptions['take']): Promise<void> {
    const isDue = this.#cost.ms >= this.#options.limitMs;
    const { signal } = this.#givingUp;
    if (!isDue || this.#saving !== null || signal.aborted || performance.now() < this.#retryAtMs) return;
    await this.#save(() => take(signal)).catch((error) => {
      if (signal.aborted) return;
      this.#retryAtMs = performance.now() + RETRY_MS;
      throw error;
    });
  }

  /** Aborts the snapshot in progress: a stop cannot wait for it, and saves a newer one. */
  giveUp(): void {
    this.#givingUp.abort();
  }

  /**
   * Saves the state as it is now, unless that was saved already: for a node that answers nobody any more. Rejects with
   * `SnapshotLateError` when it is not made and saved in time; the next start has the more to replay.
   */
  async save(limitMs: number): Promise<void> {
    const untilMs = performance.now() + limitMs;
    await within(this.#saveLast(untilMs), limitMs, new SnapshotLateError(`in ${limitMs} ms`));
  }

  async #saveLast(untilMs: number): Promise<void> {
    await this.#saving?.catch(() => {});
    const { state, log } = this.#options;
    if (state.seq !== this.#savedSeq) await this.#save(() => snapshotOf(state, log, untilMs));
  }

  #save(take: () => Promise<TakenSnapshot>): Promise<void> {
    this.#saving = this.#saveTaken(take).finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  /** Entries that arrive meanwhile are not in the snapshot; a failure leaves as much to replay as before. */
  async #saveTaken(take: () => Promise<TakenSnapshot>): Promise<void> {
    const { work } = this.#cost;
    const fromSeq = this.#savedSeq;
    const { replay, ...snapshot } = await take();
    await this.#options.durable?.(snapshot.seq);
    await this.#options.log.saveSnapshot(snapshot);
    this.#savedSeq = snapshot.seq;
    this.#savedAtMs = performance.now();
    this.#cost.covered(work);
    // Beside other nodes a thread may find a newer snapshot to begin with.
    if (replay?.fromSeq === fromSeq) this.#cost.learn(work, replay.processorMs);
  }
}
