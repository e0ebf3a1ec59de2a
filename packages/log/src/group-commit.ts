import { AppendQueue, type Placed } from './append-queue.ts';
import type { LogClock } from './clock.ts';
import { LogArchiveError, LogClockError, LogFullError, StampConflictError } from './errors.ts';
import type { Flush, Log, LogEntry, LogItem, LogNode, LogStatus, Snapshot } from './log.ts';
import type { LogStore } from './store.ts';
import { StoredLog } from './stored-log.ts';

export interface GroupCommitOptions {
  readonly clock: LogClock;
  /** How long an append may stay pending; unlimited by default. */
  readonly appendTimeoutMs?: number;
}

/**
 * A log on top of a store. Appends that arrive while a batch is being made durable share the next batch. No timer is
 * needed: an idle log appends immediately, a busy one in large batches.
 */
export class GroupCommitLog extends StoredLog<LogStore> implements Log {
  readonly #queue: AppendQueue;
  readonly #clock: LogClock;
  readonly #flushListeners: ((flush: Flush) => void)[] = [];
  #pumpScheduled = false;
  #flushStartedMs = 0;
  /** True if the last batch found room. */
  #hasRoom = true;

  constructor(store: LogStore, options: GroupCommitOptions) {
    super(store);
    this.#clock = options.clock;
    this.#queue = new AppendQueue(options.appendTimeoutMs);
    store.begin({
      committed: (entries) => this.#commit(entries),
      refused: (error) => this.#refuse(error),
      arrived: (entries) => this.publish(entries),
      failed: (error) => this.fail(error),
    });
  }

  append(items: readonly LogItem[]): Promise<Placed> {
    const refusal = this.refusal();
    if (refusal) return Promise.reject(refusal);
    const placed = this.#queue.push(items);
    this.#schedulePump();
    return placed;
  }

  dropBefore(seq: number): Promise<number> {
    return this.ask(async () => {
      await this.#refuseUnsafeDrop(seq);
      while (await this.store.dropSome(seq));
      return this.store.firstSeq();
    });
  }

  async #refuseUnsafeDrop(seq: number): Promise<void> {
    if (!Number.isSafeInteger(seq) || seq < 1) throw new LogArchiveError(`${seq} is no entry`);
    const { seq: lastSeq } = await this.store.readHead();
    if (seq > lastSeq) throw new LogArchiveError(`the log ends at entry ${lastSeq}, before entry ${seq}`);
    const [newest] = await this.store.loadSnapshots();
    if (newest !== undefined && newest.seq >= seq) return;
    const latest = newest === undefined ? 'there is none' : `the newest is of entry ${newest.seq}`;
    throw new LogArchiveError(
      `entries below ${seq} may only be dropped once a snapshot of entry ${seq} or later is kept; ${latest}`,
    );
  }

  saveSnapshot(snapshot: Snapshot): Promise<void> {
    return this.ask(() => this.store.saveSnapshot(snapshot));
  }

  async writeStamp(entries: ReadonlyMap<string, string>): Promise<void> {
    const conflict = await this.ask(() => this.store.writeStamp(entries));
    if (conflict) throw new StampConflictError(conflict);
  }

  get isShared(): boolean {
    return this.store.isShared;
  }

  nodes(): Promise<readonly LogNode[]> {
    return this.ask(() => this.store.nodes());
  }

  override status(): LogStatus {
    const status = super.status();
    const clockFault = this.#clock.read(this.lastDelivered.ts).fault ?? status.clockFault;
    return { ...status, clockFault, writable: this.#hasRoom };
  }

  acceptClock(): void {
    this.#clock.accept();
  }

  onFlushed(listener: (flush: Flush) => void): void {
    this.#flushListeners.push(listener);
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
    const { nowMs, fault = this.store.status().clockFault } = this.#clock.read(this.lastDelivered.ts);
    if (fault === undefined) this.store.commit(items, nowMs);
    // Only after the caller has announced the previous batch.
    else queueMicrotask(() => this.#refuse(new LogClockError(fault)));
  }

  #commit(entries: readonly LogEntry[]): void {
    if (this.hasFailed) return;
    this.#hasRoom = true;
    const flush: Flush = { entries: entries.length, ms: performance.now() - this.#flushStartedMs };
    for (const listener of this.#flushListeners) listener(flush);
    const batch = this.#queue.land();
    // Let the store work on the next batch while this one is being applied.
    this.#pump();
    this.publish(entries);
    const { seq: firstSeq, ts } = entries[0]!;
    batch.resolve({ firstSeq, ts });
    this.#queue.tellIfIdle();
  }

  /** Calls without items complete once everything before them has. */
  #land(): void {
    const { seq, ts } = this.lastDelivered;
    this.#queue.land().resolve({ firstSeq: seq + 1, ts });
    this.#pump();
    this.#queue.tellIfIdle();
  }

  #refuse(error: Error): void {
    if (this.hasFailed) return;
    if (error instanceof LogFullError) this.#hasRoom = false;
    this.#queue.land().reject(error);
    this.#pump();
    this.#queue.tellIfIdle();
  }

  protected override fail(error: Error): void {
    if (this.hasFailed) return;
    this.#queue.fail(error);
    super.fail(error);
  }

  protected override async finish(): Promise<void> {
    await this.#queue.idle();
  }
}
