import { findStampConflict, type StampConflict } from './errors.ts';
import { GroupCommitLog, type LogStore } from './group-commit.ts';
import type { Head, Log, LogEntry, Snapshot } from './log.ts';

export interface MemoryLogOptions {
  /** What an earlier log was opened on; a new, empty one by default. */
  readonly store?: MemoryStore;
  /** Unix ms, an integer. */
  readonly now?: () => number;
}

/**
 * A log that lives as long as its store, for tests and simulation. It uses microtasks only, so a run with the same
 * clock and the same calls goes the same way every time.
 *
 * @example
 * const store = new MemoryStore();
 * const before = await openMemoryLog({ store });
 * await before.append([{ kind: 'note', body: Buffer.from('{}') }]);
 * await before.close();
 * const after = await openMemoryLog({ store }); // a restart
 */
export async function openMemoryLog(options: MemoryLogOptions = {}): Promise<Log> {
  const session = new MemorySession(options.store ?? new MemoryStore());
  return new GroupCommitLog(session, options.now ?? Date.now);
}

/** What a memory log leaves behind: the counterpart of a database file. */
export class MemoryStore {
  readonly entries: LogEntry[] = [];
  readonly snapshots = new Map<number, Snapshot>();
  readonly stamp = new Map<string, string>();
}

const PAGE_ENTRIES = 4096;

/** Copies what it is given and what it gives, as a file would. */
class MemorySession implements LogStore {
  readonly broken: Promise<Error> = new Promise(() => {});
  readonly head: Head;
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
    const last = store.entries.at(-1);
    this.head = last ? { seq: last.seq, ts: last.ts } : { seq: 0, ts: 0 };
  }

  async commit(entries: readonly LogEntry[]): Promise<void> {
    for (const { seq, ts, kind, body } of entries) {
      this.#store.entries.push({ seq, ts, kind, body: copy(body) });
    }
  }

  async read(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
    const page = this.#store.entries.slice(fromSeq - 1, Math.min(toSeq, fromSeq - 1 + PAGE_ENTRIES));
    return page.map((entry) => ({ ...entry, body: copy(entry.body) }));
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

  async close(): Promise<void> {}

  async abandon(): Promise<void> {}
}

/** Not `slice`, which on a Buffer only makes a view. */
function copy(body: Uint8Array): Uint8Array {
  return new Uint8Array(body);
}

function newestFirst(seqs: Iterable<number>): number[] {
  return [...seqs].sort((a, b) => b - a);
}
