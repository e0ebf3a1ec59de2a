import { placeItems } from '../append-queue.ts';
import { plainClock, SteadyClock } from '../clock.ts';
import { LogFullError, type StampConflict } from '../errors.ts';
import { GroupCommitLog } from '../group-commit.ts';
import type { Head, Log, LogItem, LogNode, Snapshot } from '../log.ts';
import { IN_TOUCH, type LogStore, type StoreEvents, type StoreStatus } from '../store.ts';
import { emitWarning, type OnWarning } from '../warning.ts';
import { pack, transferable } from './packed.ts';
import { type LogThread, openInThread, ThreadStore } from './thread-store.ts';

export interface SqliteLogOptions {
  /** The database file; its folder is created if missing (OWN-24). */
  readonly path: string;
  /** Integer Unix ms, trusted as it is; by default the machine's clock, checked against its monotonic one. */
  readonly now?: () => number;
  /** Receives one-line warnings about what delays opening the log, or cannot be known about it. */
  readonly onWarning?: OnWarning;
}

/**
 * Opens the log in an SQLite file, for this process alone, in its own thread. Every append is flushed to disk before it
 * resolves. Throws `LogOpenError`, whose message is one line for the operator.
 *
 * @example
 * const log = await openSqliteLog({ path: 'data/venue.db' });
 * const { firstSeq } = await log.append([{ kind: 'note', body: Buffer.from('{"text":"hello"}') }]);
 * await log.close();
 */
export async function openSqliteLog(options: SqliteLogOptions): Promise<Log> {
  const url = new URL('./worker.ts', import.meta.url);
  const thread = await openInThread(url, options.path, options.onWarning ?? emitWarning);
  const clock = options.now === undefined ? new SteadyClock() : plainClock(options.now);
  return new GroupCommitLog(new WriterStore(thread), { clock });
}

/** The file of a log that this process writes. */
class WriterStore extends ThreadStore implements LogStore {
  #events!: StoreEvents;
  #head: Head;

  constructor({ worker, head }: LogThread) {
    super(worker);
    this.#head = head;
  }

  override begin(events: StoreEvents): void {
    this.#events = events;
    super.begin(events);
  }

  override get head(): Head {
    return this.#head;
  }

  commit(items: readonly LogItem[], nowMs: number): void {
    const firstSeq = this.#head.seq + 1;
    const ts = Math.max(this.#head.ts, nowMs);
    const entries = placeItems(items, { firstSeq, ts });
    const packed = pack(entries);
    this.ask('commit', [packed], transferable(packed)).then(
      () => {
        this.#head = { seq: entries.at(-1)!.seq, ts };
        this.#events.committed(entries);
      },
      (error) => (error instanceof LogFullError ? this.#events.refused(error) : this.#events.failed(error)),
    );
  }

  override async readHead(): Promise<Head> {
    return this.#head;
  }

  dropSome(seq: number): Promise<boolean> {
    return this.ask('dropSome', [seq]);
  }

  readonly isShared = false;

  async nodes(): Promise<readonly LogNode[]> {
    return [];
  }

  override status(): StoreStatus {
    return IN_TOUCH;
  }

  saveSnapshot(snapshot: Snapshot): Promise<void> {
    // A clone would copy all the memory that the body is a view of.
    const body = new Uint8Array(snapshot.body);
    return this.ask('saveSnapshot', [{ ...snapshot, body }], [body.buffer]);
  }

  writeStamp(entries: ReadonlyMap<string, string>): Promise<StampConflict | undefined> {
    return this.ask('writeStamp', [entries]);
  }
}
