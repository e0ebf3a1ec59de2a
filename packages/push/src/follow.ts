/** Follows the log with its own state, as a follower does, and reports what is new in it (PUSH-5). */

import { apply, createState, decodeEntry, type Effects, type State } from '@venue/engine';
import { type Follower, type LogEntry, messageOf, type ReadOnlyLog } from '@venue/log';
import { canApply, checkStamp, restoreSnapshot } from '@venue/replay';

/** How far into the log the file is: the last entry read, and the batch hash of that entry or an earlier one. */
export interface Place {
  readonly seq: number;
  readonly anchorSeq: number;
  readonly anchorHash: string;
}

export interface FollowLogOptions {
  readonly log: ReadOnlyLog;
  readonly place: Place | null;
  readonly skipSeqs: ReadonlySet<number>;
  /** Entries older than this are applied but not told, ms. */
  readonly ageMs: number;
  /** Unix ms. */
  readonly clock: () => number;
  readonly monotonicMs: () => number;
  readonly say: (line: string) => void;
}

/** Hears of each entry as it is applied. */
export interface Listener {
  readonly effects: Effects;
  /** Before an entry: whether what it does is told. */
  readonly before: (isTold: boolean) => void;
  readonly after: (kind: string) => void;
  /** After each page. */
  readonly applied: () => void;
}

/** The state to follow the log from, and the entry after which news is sent. */
export interface Beginning {
  readonly state: State;
  /** Nothing up to this entry is told. */
  readonly fromSeq: number;
}

/**
 * Restores the state from which the log is followed. The place goes on if it is of this log; otherwise, and without one,
 * telling begins with the present. Rejects with `LogError` for a log that cannot be read.
 */
export async function beginning({ log, place, say }: FollowLogOptions): Promise<Beginning> {
  await checkStamp(log);
  const head = await log.head();
  const known = place !== null && (await isOfLog(log, place, head.seq));
  if (place !== null && !known)
    say(
      `the file is at entry ${place.seq} of another log, or of a part that is gone: telling begins with the present`,
    );
  const fromSeq = known ? place.seq : head.seq;
  const snapshots = await log.loadSnapshots();
  for (const snapshot of snapshots.filter(({ seq }) => seq <= fromSeq)) {
    const state = await restoreSnapshot(snapshot, log);
    if (typeof state !== 'string') return { state, fromSeq };
    say(`passed over: the snapshot of entry ${snapshot.seq} ${state}`);
  }
  if ((await log.firstSeq()) === 1) return { state: createState(), fromSeq };
  const oldest = snapshots.at(-1);
  const state = oldest && (await restoreSnapshot(oldest, log));
  if (state === undefined || typeof state === 'string')
    throw new Error('the log is archived, and none of its snapshots can be restored');
  say(`entries ${fromSeq + 1} to ${state.seq} are archived: what they did is not told`);
  return { state, fromSeq: state.seq };
}

async function isOfLog(log: ReadOnlyLog, place: Place, headSeq: number): Promise<boolean> {
  if (place.seq > headSeq) return false;
  const [batch] = await log.readBatches(place.anchorSeq, place.anchorSeq);
  // An archived batch cannot be compared: a log that was archived past the anchor and goes on is taken for the same one.
  if (batch === undefined) return place.anchorSeq === 0 || place.anchorSeq < (await log.firstSeq());
  return batch.hash === place.anchorHash;
}

/** The log's time, counted on from its newest entry, so that a wrong clock of this machine does not move it. */
export class LogClock {
  readonly #monotonicMs: () => number;
  #ts = 0;
  #seenMs = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** An entry has this time. */
  saw(ts: number): void {
    if (ts < this.now()) return;
    this.#ts = ts;
    this.#seenMs = this.#monotonicMs();
  }

  /** Unix ms, never before the newest entry. */
  now(): number {
    return this.#ts + Math.floor(this.#monotonicMs() - this.#seenMs);
  }
}

export class FollowedState {
  readonly state: State;
  readonly clock: LogClock;
  readonly #options: FollowLogOptions;
  readonly #listener: Listener;
  readonly #fromSeq: number;
  /** Entries before this are not told: by the log's time, or during the replay by this machine's if that is later. */
  #oldestMs = 0;
  #isReplaying = true;
  #follower: Follower | null = null;
  readonly #failed = Promise.withResolvers<never>();

  constructor({ state, fromSeq }: Beginning, options: FollowLogOptions, listener: Listener) {
    this.state = state;
    this.clock = new LogClock(options.monotonicMs);
    // No entry may follow for a while, and at zero every expired session would count as live.
    this.clock.saw(state.ts);
    this.#fromSeq = fromSeq;
    this.#options = options;
    this.#listener = listener;
    this.#failed.promise.catch(() => {});
  }

  /** Rejects when the log can no longer be followed; the process must then exit. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** Applies what the log has and follows it. Resolves once it has caught up. */
  async start(): Promise<void> {
    const { log, ageMs, clock } = this.#options;
    const { ts } = await log.head();
    this.#oldestMs = Math.max(ts, clock()) - ageMs;
    void log.failed.then((error) => this.#failed.reject(error));
    this.#follower = log.follow(this.state.seq + 1, (entries) => this.#apply(entries), {
      onError: (error) => this.#failed.reject(error),
    });
    await this.#follower.caughtUp;
    this.#isReplaying = false;
  }

  stop(): void {
    this.#follower?.stop();
  }

  #apply(entries: readonly LogEntry[]): void {
    // After an outage, many entries come at once, and only the newest are news.
    this.clock.saw(this.#isReplaying ? 0 : entries.at(-1)!.ts);
    if (!this.#isReplaying) this.#oldestMs = this.clock.now() - this.#options.ageMs;
    for (const entry of entries) this.#applyOne(entry);
    this.clock.saw(this.state.ts);
    this.#listener.applied();
  }

  #applyOne(entry: LogEntry): void {
    const { seq, ts, kind } = entry;
    const { state } = this;
    if (this.#options.skipSeqs.has(seq) && !canApply(state, entry)) {
      state.seq = seq;
      return;
    }
    const { effects, before, after } = this.#listener;
    before(seq > this.#fromSeq && ts >= this.#oldestMs);
    try {
      apply(state, { seq, ts, command: decodeEntry(entry).command }, effects);
    } catch (cause) {
      throw new Error(`entry ${seq} (${kind}) cannot be applied: ${messageOf(cause)}`, { cause });
    }
    after(kind);
  }
}
