import { LogClosedError, type StampConflict, StampConflictError } from './errors.ts';
import { LogFollower } from './follower.ts';
import type { Follower, FollowOptions, Head, Log, LogEntry, LogItem, Snapshot } from './log.ts';

/**
 * Where a `GroupCommitLog` keeps its entries. Requests take effect in the order they are made. A rejection means
 * the store can no longer be trusted; it is never asked for anything again.
 */
export interface LogStore {
  /** The last durable entry when the store was opened. */
  readonly head: Head;
  /** Makes all entries durable, or none. Seqs continue those of the head. */
  commit(entries: readonly LogEntry[]): Promise<void>;
  /** At least one entry from `fromSeq` on, none beyond `toSeq`, as many as make a sensible page. */
  read(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]>;
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  loadSnapshots(): Promise<Snapshot[]>;
  readStamp(): Promise<Map<string, string>>;
  /** Answers the conflict, having written nothing, if a key already has another value. */
  writeStamp(entries: ReadonlyMap<string, string>): Promise<StampConflict | undefined>;
  close(): Promise<void>;
  /** Releases what can be released after a failure, without touching the data. */
  abandon(): Promise<void>;
  /** Resolves if the store breaks while nothing is being asked of it. */
  readonly broken: Promise<Error>;
}

/** What one transaction holds at most; a single call to `append` may exceed it, as it is never split. */
const TRANSACTION_ITEMS_MAX = 8192;
const TRANSACTION_BYTES_MAX = 4 * 1024 * 1024;

interface PendingAppend {
  readonly entries: readonly LogEntry[];
  readonly bytes: number;
  readonly placed: { firstSeq: number; ts: number };
  readonly resolve: (placed: { firstSeq: number; ts: number }) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A log over a store with a single writer. What arrives during a flush waits together and
 * shares the next transaction, so there is no timer: an idle log flushes at once, a busy one in large transactions.
 */
export class GroupCommitLog implements Log {
  readonly failed: Promise<Error>;
  readonly #store: LogStore;
  readonly #now: () => number;
  readonly #resolveFailed: (error: Error) => void;
  readonly #followers = new Set<LogFollower>();
  #queue: PendingAppend[] = [];
  #inFlight: readonly PendingAppend[] = [];
  #pumpScheduled = false;
  #nextSeq: number;
  #lastTs: number;
  #head: Head;
  #failure: Error | undefined;
  #closed: Promise<void> | undefined;
  /** Called when nothing is queued or in flight any more. */
  #onIdle: (() => void) | undefined;

  constructor(store: LogStore, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.#head = store.head;
    this.#nextSeq = store.head.seq + 1;
    this.#lastTs = store.head.ts;
    const { promise, resolve } = Promise.withResolvers<Error>();
    this.failed = promise;
    this.#resolveFailed = resolve;
    store.broken.then((error) => this.#fail(error));
  }

  append(items: readonly LogItem[]): Promise<{ firstSeq: number; ts: number }> {
    const refusal = this.#refusal();
    if (refusal) return Promise.reject(refusal);
    const ts = Math.max(this.#lastTs, this.#now());
    const firstSeq = this.#nextSeq;
    const entries = items.map(({ kind, body, local }, i) => ({ seq: firstSeq + i, ts, kind, body, local }));
    if (entries.length > 0) this.#lastTs = ts;
    this.#nextSeq += entries.length;
    const bytes = items.reduce((sum, item) => sum + item.body.byteLength, 0);
    return new Promise((resolve, reject) => {
      this.#queue.push({ entries, bytes, placed: { firstSeq, ts }, resolve, reject });
      this.#schedulePump();
    });
  }

  follow(
    fromSeq: number,
    onEntries: (entries: readonly LogEntry[]) => void,
    options: FollowOptions = {},
  ): Follower {
    if (!Number.isSafeInteger(fromSeq) || fromSeq < 1) throw new RangeError(`bad fromSeq ${fromSeq}`);
    const refusal = this.#refusal();
    if (refusal) throw refusal;
    const readPage = (from: number, to: number) => this.#ask(() => this.#store.read(from, to));
    const source = { fromSeq, storedSeq: this.#head.seq, readPage };
    const follower = new LogFollower(source, onEntries, options);
    this.#followers.add(follower);
    return follower;
  }

  head(): Promise<Head> {
    return this.#ask(() => Promise.resolve(this.#head));
  }

  saveSnapshot(snapshot: Snapshot): Promise<void> {
    return this.#ask(() => this.#store.saveSnapshot(snapshot));
  }

  loadSnapshots(): Promise<Snapshot[]> {
    return this.#ask(() => this.#store.loadSnapshots());
  }

  readStamp(): Promise<Map<string, string>> {
    return this.#ask(() => this.#store.readStamp());
  }

  async writeStamp(entries: ReadonlyMap<string, string>): Promise<void> {
    const conflict = await this.#ask(() => this.#store.writeStamp(entries));
    if (conflict) throw new StampConflictError(conflict);
  }

  close(): Promise<void> {
    this.#closed ??= this.#flushAndClose();
    return this.#closed;
  }

  async #flushAndClose(): Promise<void> {
    const busy = this.#queue.length > 0 || this.#inFlight.length > 0;
    if (busy) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    this.#endFollowers(new LogClosedError());
    if (this.#failure) await this.#store.abandon();
    else await this.#store.close();
  }

  /** Appends made in one turn of the event loop share a transaction, hence the microtask. */
  #schedulePump(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    queueMicrotask(() => {
      this.#pumpScheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#inFlight.length > 0 || this.#queue.length === 0) return;
    const batch = this.#takeBatch();
    const entries = batch.flatMap((append) => append.entries);
    this.#inFlight = batch;
    const flushed = entries.length > 0 ? this.#store.commit(entries) : Promise.resolve();
    flushed.then(
      () => this.#settle(batch, entries),
      (error: Error) => this.#fail(error),
    );
  }

  #takeBatch(): readonly PendingAppend[] {
    let count = 0;
    let items = 0;
    let bytes = 0;
    for (const append of this.#queue) {
      items += append.entries.length;
      bytes += append.bytes;
      if (count > 0 && (items > TRANSACTION_ITEMS_MAX || bytes > TRANSACTION_BYTES_MAX)) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  #settle(batch: readonly PendingAppend[], entries: readonly LogEntry[]): void {
    // A store that broke on its own has already failed these appends.
    if (this.#failure) return;
    this.#inFlight = [];
    // The disk works on the next transaction while this one is being applied.
    this.#pump();
    const last = entries.at(-1);
    if (last) this.#publish(entries, { seq: last.seq, ts: last.ts });
    for (const append of batch) append.resolve(append.placed);
    if (this.#queue.length === 0 && this.#inFlight.length === 0) this.#onIdle?.();
  }

  #publish(entries: readonly LogEntry[], head: Head): void {
    this.#head = head;
    // A copy, because a follower may start or stop another one.
    for (const follower of [...this.#followers]) {
      follower.offer(entries);
      if (follower.stopped) this.#followers.delete(follower);
    }
  }

  #refusal(): Error | undefined {
    if (this.#failure) return this.#failure;
    return this.#closed ? new LogClosedError() : undefined;
  }

  async #ask<T>(request: () => Promise<T>): Promise<T> {
    const refusal = this.#refusal();
    if (refusal) throw refusal;
    try {
      return await request();
    } catch (error) {
      this.#fail(error as Error);
      throw error;
    }
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    for (const append of [...this.#inFlight, ...this.#queue]) append.reject(error);
    this.#inFlight = [];
    this.#queue = [];
    this.#endFollowers(error);
    this.#resolveFailed(error);
    this.#onIdle?.();
  }

  #endFollowers(reason: Error): void {
    for (const follower of this.#followers) follower.end(reason);
    this.#followers.clear();
  }
}
