import { placeItems } from './append-queue.ts';
import { BatchDigest, CHAIN_ORIGIN, chainHash } from './chain.ts';
import { CheckedReader, type EntrySource } from './checked-reader.ts';
import { type LogClock, plainClock } from './clock.ts';
import { findStampConflict, LogFullError, type StampConflict } from './errors.ts';
import { GroupCommitLog } from './group-commit.ts';
import type { BatchRecord, ChainPoint, Head, Log, LogEntry, LogItem, LogNode, Snapshot } from './log.ts';
import { IN_TOUCH, type LogStore, type StoreEvents, type StoreStatus } from './store.ts';

export interface MemoryLogOptions {
  /** The storage of a previous log; a new, empty one by default. */
  readonly store?: MemoryStore;
  /** Integer Unix ms, trusted as it is. */
  readonly now?: () => number;
  /** Replaces `now`. */
  readonly clock?: LogClock;
}

/**
 * A log that lives as long as its store, for tests and simulation. It uses microtasks only, so the same clock and the
 * same calls always give the same run.
 *
 * @example
 * const store = new MemoryStore();
 * const before = await openMemoryLog({ store });
 * await before.append([{ kind: 'note', body: Buffer.from('{}') }]);
 * await before.close();
 * const after = await openMemoryLog({ store }); // a restart
 */
export async function openMemoryLog(options: MemoryLogOptions = {}): Promise<Log> {
  const clock = options.clock ?? plainClock(options.now ?? Date.now);
  return new GroupCommitLog(new MemoryLogStore(options.store ?? new MemoryStore()), { clock });
}

/** The storage of a memory log, like the database file of a durable one. */
export class MemoryStore {
  readonly entries: LogEntry[] = [];
  readonly batches: BatchRecord[] = [];
  /** The point that the oldest batch continues from. */
  start: ChainPoint = CHAIN_ORIGIN;
  readonly snapshots = new Map<number, Snapshot>();
  readonly stamp = new Map<string, string>();
  /** Set to false to refuse appends, as a full disk would. */
  hasRoom = true;
}

const PAGE_ENTRIES = 4096;
const DROPPED_BATCHES = 1000;

/** Copies all data in and out, as a file would. */
class MemoryLogStore implements LogStore, EntrySource<readonly LogEntry[]> {
  readonly head: Head;
  readonly #store: MemoryStore;
  readonly #reader = new CheckedReader(this);
  #events!: StoreEvents;

  constructor(store: MemoryStore) {
    this.#store = store;
    this.head = this.#lastEntry();
  }

  begin(events: StoreEvents): void {
    this.#events = events;
  }

  commit(items: readonly LogItem[], nowMs: number): void {
    queueMicrotask(() => {
      try {
        if (this.#store.hasRoom) this.#events.committed(this.#append(items, nowMs));
        else this.#events.refused(new LogFullError());
      } catch (error) {
        this.#events.failed(error as Error);
      }
    });
  }

  #append(items: readonly LogItem[], nowMs: number): readonly LogEntry[] {
    const { entries, batches, start } = this.#store;
    const last = this.#lastEntry();
    const entriesNow = placeItems(items, { firstSeq: last.seq + 1, ts: Math.max(last.ts, nowMs) });
    const digest = new BatchDigest();
    for (const { seq, ts, kind, body } of entriesNow) {
      entries.push({ seq, ts, kind, body: copy(body) });
      digest.add(kind, body);
    }
    const { seq: firstSeq, ts } = entriesNow[0]!;
    const previousHash = batches.at(-1)?.hash ?? start.hash;
    const hash = chainHash({ previousHash, firstSeq, ts }, digest.finish());
    batches.push({ firstSeq, lastSeq: entriesNow.at(-1)!.seq, id: idOf(firstSeq), hash });
    return entriesNow;
  }

  read(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
    return this.#reader.read(fromSeq, toSeq);
  }

  entries(fromSeq: number, toSeq: number): readonly LogEntry[] {
    const { entries, start } = this.#store;
    const from = fromSeq - start.seq - 1;
    if (from < 0) return [];
    const page = entries.slice(from, Math.min(toSeq - start.seq, from + PAGE_ENTRIES));
    const gap = page.findIndex(({ seq }, i) => seq !== fromSeq + i);
    const there = gap < 0 ? page : page.slice(0, gap);
    return there.map((entry) => ({ ...entry, body: copy(entry.body) }));
  }

  entriesOf(page: readonly LogEntry[]): readonly LogEntry[] {
    return page;
  }

  batches(fromSeq: number, toSeq: number): readonly BatchRecord[] {
    const { batches } = this.#store;
    const first = indexOfBatch(batches, fromSeq);
    const end = indexOfBatch(batches, toSeq);
    const page = batches.slice(first, Math.min(end + 1, first + PAGE_ENTRIES));
    return page.filter(({ firstSeq }) => firstSeq <= toSeq);
  }

  chainStart(): ChainPoint {
    return this.#store.start;
  }

  async readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    return this.batches(fromSeq, toSeq);
  }

  async readHead(): Promise<Head> {
    return this.#lastEntry();
  }

  async firstSeq(): Promise<number> {
    return this.#store.start.seq + 1;
  }

  async dropSome(seq: number): Promise<boolean> {
    const { entries, batches } = this.#store;
    const count = batches.slice(0, DROPPED_BATCHES).findLastIndex(({ lastSeq }) => lastSeq < seq) + 1;
    const last = batches.splice(0, count).at(-1);
    if (last === undefined) return false;
    entries.splice(0, last.lastSeq - this.#store.start.seq);
    this.#store.start = { seq: last.lastSeq, ts: 0, hash: last.hash };
    return true;
  }

  async saveSnapshot(snapshot: Snapshot): Promise<void> {
    const { snapshots } = this.#store;
    snapshots.set(snapshot.seq, { ...snapshot, body: copy(snapshot.body) });
    for (const seq of newestFirst(snapshots.keys()).slice(2)) snapshots.delete(seq);
  }

  async loadSnapshots(): Promise<Snapshot[]> {
    const { snapshots } = this.#store;
    return newestFirst(snapshots.keys()).map((seq) => {
      const snapshot = snapshots.get(seq)!;
      return { ...snapshot, body: copy(snapshot.body) };
    });
  }

  async readStamp(): Promise<Map<string, string>> {
    return new Map(this.#store.stamp);
  }

  async writeStamp(entries: ReadonlyMap<string, string>): Promise<StampConflict | undefined> {
    const conflict = findStampConflict(this.#store.stamp, entries);
    if (conflict) return conflict;
    for (const [key, value] of entries) this.#store.stamp.set(key, value);
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

  #lastEntry(): Head {
    const last = this.#store.entries.at(-1);
    return last ? { seq: last.seq, ts: last.ts } : { seq: this.#store.start.seq, ts: 0 };
  }
}

/** The index of the batch that contains the entry, or where it would be. */
function indexOfBatch(batches: readonly BatchRecord[], seq: number): number {
  let low = 0;
  let high = batches.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (batches[middle]!.lastSeq < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Derived from the seq: unlike a random id, the same in every run. */
function idOf(firstSeq: number): string {
  return `00000000-0000-7000-8000-${firstSeq.toString(16).padStart(12, '0')}`;
}

/** Not `slice`, which only makes a view of a Buffer. */
function copy(body: Uint8Array): Uint8Array {
  return new Uint8Array(body);
}

function newestFirst(seqs: Iterable<number>): number[] {
  return [...seqs].sort((a, b) => b - a);
}
