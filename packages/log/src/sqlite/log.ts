import { on, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { placeItems } from '../append-queue.ts';
import { plainClock, SteadyClock } from '../clock.ts';
import {
  LogArchivedError,
  LogDamagedError,
  LogFailedError,
  LogFullError,
  LogOpenError,
  type StampConflict,
} from '../errors.ts';
import { GroupCommitLog } from '../group-commit.ts';
import type { BatchRecord, Head, Log, LogEntry, LogItem, LogNode, Snapshot } from '../log.ts';
import { IN_TOUCH, type LogStore, type StoreEvents, type StoreStatus } from '../store.ts';
import { emitWarning, type OnWarning } from '../warning.ts';
import { pack, transferable, unpack } from './packed.ts';
import type {
  SqliteAnswer,
  SqliteFailure,
  SqliteOpening,
  SqliteOperation,
  SqliteOperations,
} from './worker.ts';

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
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'log',
    workerData: { path: options.path },
    // Flags for the main thread, such as --eval, would break this one.
    execArgv: [],
  });
  const head = await openedHead(worker, options.onWarning ?? emitWarning);
  const clock = options.now === undefined ? new SteadyClock() : plainClock(options.now);
  return new GroupCommitLog(new WorkerStore(worker, head), { clock });
}

async function openedHead(worker: Worker, onWarning: OnWarning): Promise<Head> {
  for await (const [opening] of on(worker, 'message') as AsyncIterable<[SqliteOpening]>) {
    if ('warning' in opening) onWarning(opening.warning);
    else if (opening.opened) return opening.head;
    else {
      await worker.terminate();
      throw new LogOpenError(opening.error);
    }
  }
  throw new LogOpenError('the thread of the log has ended; check the memory of this machine');
}

/** The store as seen from the main thread: requests go out, and answers come back in the same order. */
class WorkerStore implements LogStore {
  readonly #worker: Worker;
  readonly #asked: PromiseWithResolvers<unknown>[] = [];
  #events!: StoreEvents;
  #head: Head;
  #closing = false;

  constructor(worker: Worker, head: Head) {
    this.#head = head;
    this.#worker = worker;
  }

  begin(events: StoreEvents): void {
    this.#events = events;
    this.#worker.on('message', (answer: SqliteAnswer) => this.#take(answer));
    const end = (cause: Error) => {
      const error = new LogFailedError(cause, 'check the memory and the disk of this machine');
      for (const asked of this.#asked.splice(0)) asked.reject(error);
      if (!this.#closing) events.failed(error);
    };
    this.#worker.on('error', end);
    this.#worker.on('messageerror', end);
    this.#worker.on('exit', () => end(new Error('the thread of the log has ended')));
  }

  get head(): Head {
    return this.#head;
  }

  commit(items: readonly LogItem[], nowMs: number): void {
    const firstSeq = this.#head.seq + 1;
    const ts = Math.max(this.#head.ts, nowMs);
    const entries = placeItems(items, { firstSeq, ts });
    const packed = pack(entries);
    this.#ask('commit', [packed], transferable(packed)).then(
      () => {
        this.#head = { seq: entries.at(-1)!.seq, ts };
        this.#events.committed(entries);
      },
      (error) => (error instanceof LogFullError ? this.#events.refused(error) : this.#events.failed(error)),
    );
  }

  /**
   * Lets the event loop go round before it resolves: answers of the thread are taken as long as there are any, so that
   * nothing else would run in a replay, whose next page is there before the last one is applied (LOG-3).
   */
  async read(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
    const packed = await this.#ask('read', [fromSeq, toSeq]);
    await nextTurn();
    return unpack(packed);
  }

  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    return this.#ask('readBatches', [fromSeq, toSeq]);
  }

  async readHead(): Promise<Head> {
    return this.#head;
  }

  async firstSeq(): Promise<number> {
    return (await this.#ask('chainStart', [])).seq + 1;
  }

  dropSome(seq: number): Promise<boolean> {
    return this.#ask('dropSome', [seq]);
  }

  readonly isShared = false;

  async nodes(): Promise<readonly LogNode[]> {
    return [];
  }

  status(): StoreStatus {
    return IN_TOUCH;
  }

  saveSnapshot(snapshot: Snapshot): Promise<void> {
    // A clone would copy all the memory that the body is a view of.
    const body = new Uint8Array(snapshot.body);
    return this.#ask('saveSnapshot', [{ ...snapshot, body }], [body.buffer]);
  }

  loadSnapshots(): Promise<Snapshot[]> {
    return this.#ask('loadSnapshots', []);
  }

  readStamp(): Promise<Map<string, string>> {
    return this.#ask('readStamp', []);
  }

  writeStamp(entries: ReadonlyMap<string, string>): Promise<StampConflict | undefined> {
    return this.#ask('writeStamp', [entries]);
  }

  async close(): Promise<void> {
    this.#closing = true;
    const exited = once(this.#worker, 'exit');
    await this.#ask('close', []);
    await exited;
  }

  async abandon(): Promise<void> {
    this.#closing = true;
    await this.#worker.terminate();
  }

  #ask<Op extends SqliteOperation>(
    op: Op,
    args: SqliteOperations[Op]['args'],
    give: ArrayBuffer[] = [],
  ): Promise<SqliteOperations[Op]['answer']> {
    const asked = Promise.withResolvers<unknown>();
    this.#asked.push(asked);
    this.#worker.postMessage({ op, args }, give);
    return asked.promise as Promise<SqliteOperations[Op]['answer']>;
  }

  #take(answer: SqliteAnswer): void {
    const asked = this.#asked.shift()!;
    if (answer.ok) asked.resolve(answer.value);
    else asked.reject(errorOf(answer.failure));
  }
}

function errorOf(failure: SqliteFailure): Error {
  switch (failure.kind) {
    case 'full':
      return new LogFullError();
    case 'archived':
      return new LogArchivedError(failure);
    case 'damaged':
      return new LogDamagedError(failure.message);
    case 'broken':
      return new LogFailedError(failure.cause, 'check the disk');
  }
}
