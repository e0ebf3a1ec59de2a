/** The disk of a single node, with a log store that keeps SQLite's promise: a batch is written whole or not at all. */

import {
  BatchDigest,
  type BatchRecord,
  CHAIN_ORIGIN,
  chainHash,
  LogFailedError,
  LogFullError,
} from '@venue/log';
import { placeItems } from '../../log/src/append-queue.ts';
import { CheckedReader, type EntrySource } from '../../log/src/checked-reader.ts';
import { findStampConflict, type StampConflict } from '../../log/src/errors.ts';
import type { Head, LogEntry, LogItem, LogNode, Snapshot } from '../../log/src/log.ts';
import { IN_TOUCH, type LogStore, type StoreEvents, type StoreStatus } from '../../log/src/store.ts';
import { refuseWrongTime, type World } from './world.ts';

/** A batch in the file. */
interface WrittenBatch {
  readonly record: BatchRecord;
  readonly entries: readonly LogEntry[];
  /** True if a flush has been acknowledged since it was written. */
  isFlushed: boolean;
}

/** Probability of each fault, per commit. */
export interface DiskRates {
  readonly slow: number;
  readonly flushFailure: number;
  readonly full: number;
}

const SNAPSHOTS_KEPT = 2;

/** The part of a disk that outlives the process. */
export class SimDisk {
  rates: DiskRates = { slow: 0.02, flushFailure: 0.006, full: 0.008 };
  readonly stamp = new Map<string, string>();
  snapshots: Snapshot[] = [];
  batches: WrittenBatch[] = [];
  readonly damagedSeqs = new Set<number>();
  /** Snapshots that are being written. */
  writingSnapshots = 0;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * The batches a new process finds: all flushed ones and, by chance, some of the others. A batch that was only
   * partly written is gone entirely, as SQLite guarantees.
   */
  recover(): void {
    const { random, counts } = this.#world;
    this.batches = this.batches.filter((batch) => {
      if (batch.isFlushed) return true;
      // The larger a batch, the less likely it was written completely.
      const sectors = batch.entries.length + 1;
      const isThere = random.between(0, sectors) === sectors || random.chance(0.2);
      counts.add(isThere ? 'unacknowledged write survived a crash' : 'write lost in a crash');
      batch.isFlushed = isThere;
      return isThere;
    });
    if (this.writingSnapshots > 0) counts.add('snapshot lost in a crash');
    this.writingSnapshots = 0;
  }

  /** Flips a byte of the newest snapshot. */
  damageSnapshot(): void {
    const [newest] = this.snapshots;
    if (newest === undefined) return;
    const body = new Uint8Array(newest.body);
    const at = this.#world.random.between(0, body.length - 1);
    body[at] = body[at]! ^ 0xff;
    this.snapshots = [{ ...newest, body }, ...this.snapshots.slice(1)];
    this.damagedSeqs.add(newest.seq);
    this.#world.counts.add('snapshot damaged');
  }

  keepSnapshot(snapshot: Snapshot): void {
    const others = this.snapshots.filter(({ seq }) => seq !== snapshot.seq);
    this.snapshots = [snapshot, ...others].sort((a, b) => b.seq - a.seq).slice(0, SNAPSHOTS_KEPT);
  }

  get head(): Head {
    const last = this.batches.at(-1)?.entries.at(-1);
    return { seq: last?.seq ?? 0, ts: last?.ts ?? 0 };
  }
}

const PAGE_ENTRIES = 100;
const READ_MS = 0.2;

/** A process's access to the disk. */
export class DiskStore implements LogStore, EntrySource<readonly LogEntry[]> {
  readonly #world: World;
  readonly #disk: SimDisk;
  readonly #trueMs: () => number;
  readonly #reader = new CheckedReader(this);
  #head: Head;
  #events!: StoreEvents;
  #isWriting = false;

  constructor(world: World, disk: SimDisk, trueMs: () => number) {
    this.#world = world;
    this.#disk = disk;
    this.#trueMs = trueMs;
    this.#head = disk.head;
  }

  get head(): Head {
    return this.#head;
  }

  get isWriting(): boolean {
    return this.#isWriting;
  }

  begin(events: StoreEvents): void {
    this.#events = events;
  }

  commit(items: readonly LogItem[], nowMs: number): void {
    const { random, counts } = this.#world;
    if (random.chance(this.#disk.rates.full)) {
      counts.add('disk full');
      this.#world.after(random.unit(), () => this.#events.refused(new LogFullError()));
      return;
    }
    const isSlow = random.chance(this.#disk.rates.slow);
    if (isSlow) counts.add('flush slow');
    const batch = this.#write(items, nowMs);
    this.#isWriting = true;
    this.#world.after(isSlow ? random.between(300, 4_000) : 0.3 + 4 * random.unit(), () =>
      this.#flush(batch, items),
    );
  }

  #write(items: readonly LogItem[], nowMs: number): WrittenBatch {
    const ts = Math.max(this.#head.ts, nowMs);
    refuseWrongTime(this.#world, ts, this.#trueMs());
    const entries = placeItems(items, { firstSeq: this.#head.seq + 1, ts }).map(withoutLocal);
    const digest = new BatchDigest();
    for (const { kind, body } of entries) digest.add(kind, body);
    const firstSeq = this.#head.seq + 1;
    const previousHash = this.#disk.batches.at(-1)?.record.hash ?? CHAIN_ORIGIN.hash;
    const hash = chainHash({ previousHash, firstSeq, ts }, digest.finish());
    const record = { firstSeq, lastSeq: firstSeq + items.length - 1, id: `batch-${firstSeq}`, hash };
    const batch = { record, entries, isFlushed: false };
    this.#disk.batches.push(batch);
    return batch;
  }

  #flush(batch: WrittenBatch, items: readonly LogItem[]): void {
    const { random, counts } = this.#world;
    if (random.chance(this.#disk.rates.flushFailure)) {
      counts.add('flush failed');
      this.#events.failed(new LogFailedError(new Error('the flush failed'), 'check the disk'));
      return;
    }
    this.#isWriting = false;
    batch.isFlushed = true;
    const { firstSeq, lastSeq } = batch.record;
    const { ts } = batch.entries[0]!;
    this.#head = { seq: lastSeq, ts };
    this.#events.committed(placeItems(items, { firstSeq, ts }));
  }

  async read(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
    await this.#world.sleep(READ_MS);
    return this.#reader.read(fromSeq, toSeq);
  }

  entries(fromSeq: number, toSeq: number): readonly LogEntry[] {
    const page: LogEntry[] = [];
    const lastSeq = Math.min(toSeq, fromSeq + PAGE_ENTRIES - 1);
    for (const { record, entries } of this.#disk.batches) {
      if (record.lastSeq < fromSeq || record.firstSeq > lastSeq) continue;
      page.push(...entries.filter(({ seq }) => seq >= fromSeq && seq <= lastSeq));
    }
    return page;
  }

  entriesOf(page: readonly LogEntry[]): readonly LogEntry[] {
    return page;
  }

  batches(fromSeq: number, toSeq: number): readonly BatchRecord[] {
    return this.#disk.batches
      .map(({ record }) => record)
      .filter(({ firstSeq, lastSeq }) => lastSeq >= fromSeq && firstSeq <= toSeq);
  }

  chainStart() {
    return CHAIN_ORIGIN;
  }

  async readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    return this.batches(fromSeq, toSeq);
  }

  async readHead(): Promise<Head> {
    return this.#head;
  }

  async firstSeq(): Promise<number> {
    return 1;
  }

  /** Nothing is archived in the simulation. */
  async dropSome(): Promise<boolean> {
    return false;
  }

  async saveSnapshot(snapshot: Snapshot): Promise<void> {
    this.#disk.writingSnapshots += 1;
    await this.#world.sleep(this.#world.random.between(1, 300));
    this.#disk.writingSnapshots -= 1;
    this.#disk.keepSnapshot({ ...snapshot, body: new Uint8Array(snapshot.body) });
  }

  async loadSnapshots(): Promise<Snapshot[]> {
    await this.#world.sleep(READ_MS);
    return this.#disk.snapshots.map((snapshot) => ({ ...snapshot, body: new Uint8Array(snapshot.body) }));
  }

  async readStamp(): Promise<Map<string, string>> {
    return new Map(this.#disk.stamp);
  }

  async writeStamp(entries: ReadonlyMap<string, string>): Promise<StampConflict | undefined> {
    const conflict = findStampConflict(this.#disk.stamp, entries);
    if (conflict) return conflict;
    for (const [key, value] of entries) this.#disk.stamp.set(key, value);
    return undefined;
  }

  readonly isShared = false;

  async nodes(): Promise<readonly LogNode[]> {
    return [];
  }

  status(): StoreStatus {
    return IN_TOUCH;
  }

  async close(): Promise<void> {}

  async abandon(): Promise<void> {}
}

/** The entry as a file would store it. */
function withoutLocal({ seq, ts, kind, body }: LogEntry): LogEntry {
  return { seq, ts, kind, body: new Uint8Array(body) };
}
