import { AppendQueue, type Placed } from './append-queue.ts';
import type { LogClock } from './clock.ts';
import {
  isAboutRequest,
  LogArchiveError,
  LogClockError,
  LogClosedError,
  LogFullError,
  StampConflictError,
} from './errors.ts';
import { LogFollower } from './follower.ts';
import type {
  BatchRecord,
  Flush,
  Follower,
  FollowOptions,
  Head,
  Log,
  LogEntry,
  LogItem,
  LogNode,
  LogStatus,
  Snapshot,
} from './log.ts';
import type { LogStore } from './store.ts';

export interface GroupCommitOptions {
  readonly clock: LogClock;
  /** How long an append may stay pending; unlimited by default. */
  readonly appendTimeoutMs?: number;
}

/**
 * A log on top of a store. Appends that arrive while a batch is being made durable share the next batch. No timer is
 * needed: an idle log appends immediately, a busy one in large batches.
 */
export class GroupCommitLog implements Log {
  readonly failed: Promise<Error>;
  readonly #store: LogStore;
  readonly #resolveFailed: (error: Error) => void;
  readonly #followers = new Set<LogFollower>();
  readonly #queue: AppendQueue;
  readonly #clock: LogClock;
  readonly #flushListeners: ((flush: Flush) => void)[] = [];
  #pumpScheduled = false;
  #flushStartedMs = 0;
  /** The last entry delivered. */
  #head: Head;
  #failure: Error | undefined;
  /** True if the last batch found room. */
  #hasRoom = true;
  #closed: Promise<void> | undefined;

  constructor(store: LogStore, options: GroupCommitOptions) {
    this.#store = store;
    this.#clock = options.clock;
    this.#head = store.head;
    this.#queue = new AppendQueue(options.appendTimeoutMs);
    const { promise, resolve } = Promise.withResolvers<Error>();
    this.failed = promise;
    this.#resolveFailed = resolve;
    store.begin({
      committed: (entries) => this.#commit(entries),
      refused: (error) => this.#refuse(error),
      arrived: (entries) => this.#publish(entries),
      failed: (error) => this.#fail(error),
    });
  }

  append(items: readonly LogItem[]): Promise<Placed> {
    const refusal = this.#refusal();
    if (refusal) return Promise.reject(refusal);
    const placed = this.#queue.push(items);
    this.#schedulePump();
    return placed;
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
    return this.#ask(() => this.#store.readHead());
  }

  firstSeq(): Promise<number> {
    return this.#ask(() => this.#store.firstSeq());
  }

  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    return this.#ask(() => this.#store.readBatches(fromSeq, toSeq));
  }

  dropBefore(seq: number): Promise<number> {
    return this.#ask(async () => {
      await this.#refuseUnsafeDrop(seq);
      while (await this.#store.dropSome(seq));
      return this.#store.firstSeq();
    });
  }

  async #refuseUnsafeDrop(seq: number): Promise<void> {
    if (!Number.isSafeInteger(seq) || seq < 1) throw new LogArchiveError(`${seq} is no entry`);
    const { seq: lastSeq } = await this.#store.readHead();
    if (seq > lastSeq) throw new LogArchiveError(`the log ends at entry ${lastSeq}, before entry ${seq}`);
    const [newest] = await this.#store.loadSnapshots();
    if (newest !== undefined && newest.seq >= seq) return;
    const latest = newest === undefined ? 'there is none' : `the newest is of entry ${newest.seq}`;
    throw new LogArchiveError(
      `entries below ${seq} may only be dropped once a snapshot of entry ${seq} or later is kept; ${latest}`,
    );
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

  get isShared(): boolean {
    return this.#store.isShared;
  }

  nodes(): Promise<readonly LogNode[]> {
    return this.#ask(() => this.#store.nodes());
  }

  status(): LogStatus {
    const status = this.#store.status();
    const clockFault = this.#clock.read(this.#head.ts).fault ?? status.clockFault;
    return { ...status, clockFault, writable: this.#hasRoom, ...(this.#refusal() && { reachable: false }) };
  }

  acceptClock(): void {
    this.#clock.accept();
  }

  onFlushed(listener: (flush: Flush) => void): void {
    this.#flushListeners.push(listener);
  }

  close(): Promise<void> {
    this.#closed ??= this.#flushAndClose();
    return this.#closed;
  }

  async #flushAndClose(): Promise<void> {
    await this.#queue.idle();
    this.#endFollowers(new LogClosedError());
    if (this.#failure) await this.#store.abandon();
    else await this.#store.close();
  }

  /** In a microtask, so that appends made in one turn of the event loop share a batch. */
  #schedulePump(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    queueMicrotask(() => {
      this.#pumpScheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#queue.isInFlight || this.#queue.isEmpty) return;
    const items = this.#queue.take();
    if (items.length > 0) this.#flush(items);
    // Only after the caller has announced the previous batch.
    else queueMicrotask(() => this.#land());
  }

  #flush(items: readonly LogItem[]): void {
    this.#flushStartedMs = performance.now();
    const { nowMs, fault = this.#store.status().clockFault } = this.#clock.read(this.#head.ts);
    if (fault === undefined) this.#store.commit(items, nowMs);
    // Only after the caller has announced the previous batch.
    else queueMicrotask(() => this.#refuse(new LogClockError(fault)));
  }

  #commit(entries: readonly LogEntry[]): void {
    if (this.#failure) return;
    this.#hasRoom = true;
    const flush: Flush = { entries: entries.length, ms: performance.now() - this.#flushStartedMs };
    for (const listener of this.#flushListeners) listener(flush);
    const batch = this.#queue.land();
    // Let the store work on the next batch while this one is being applied.
    this.#pump();
    this.#publish(entries);
    const { seq: firstSeq, ts } = entries[0]!;
    batch.resolve({ firstSeq, ts });
    this.#queue.tellIfIdle();
  }

  /** Calls without items complete once everything before them has. */
  #land(): void {
    const { seq, ts } = this.#head;
    this.#queue.land().resolve({ firstSeq: seq + 1, ts });
    this.#pump();
    this.#queue.tellIfIdle();
  }

  #refuse(error: Error): void {
    if (this.#failure) return;
    if (error instanceof LogFullError) this.#hasRoom = false;
    this.#queue.land().reject(error);
    this.#pump();
    this.#queue.tellIfIdle();
  }

  #publish(entries: readonly LogEntry[]): void {
    const { seq, ts } = entries.at(-1)!;
    this.#head = { seq, ts };
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
      if (!isAboutRequest(error)) this.#fail(error as Error);
      throw error;
    }
  }

  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#queue.fail(error);
    this.#endFollowers(error);
    this.#resolveFailed(error);
  }

  #endFollowers(reason: Error): void {
    for (const follower of this.#followers) follower.end(reason);
    this.#followers.clear();
  }
}
