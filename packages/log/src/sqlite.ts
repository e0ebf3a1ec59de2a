import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { LogOpenError, type StampConflict } from './errors.ts';
import { GroupCommitLog, type LogStore } from './group-commit.ts';
import type { Head, Log, LogEntry, Snapshot } from './log.ts';
import { pack, transferable, unpack } from './packed.ts';
import type { SqliteAnswer, SqliteOpening, SqliteOperation, SqliteOperations } from './sqlite-worker.ts';

export interface SqliteLogOptions {
  /** The database file; its folder is made if it is missing. */
  readonly path: string;
  /** Unix ms, an integer. */
  readonly now?: () => number;
}

/**
 * Opens the log in an SQLite file, for this process alone, in a thread of its own. Every append is flushed to the
 * disk before it resolves. Throws `LogOpenError`, whose message is one line for the operator.
 *
 * @example
 * const log = await openSqliteLog({ path: 'data/venue.db' });
 * const { firstSeq } = await log.append([{ kind: 'note', body: Buffer.from('{"text":"hello"}') }]);
 * await log.close();
 */
export async function openSqliteLog(options: SqliteLogOptions): Promise<Log> {
  const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
    name: 'log',
    workerData: { path: options.path },
    // Flags meant for the main thread, such as --eval, would break this one.
    execArgv: [],
  });
  const [opening] = (await once(worker, 'message')) as [SqliteOpening];
  if (!opening.opened) {
    await worker.terminate();
    throw new LogOpenError(opening.error);
  }
  return new GroupCommitLog(new WorkerStore(worker, opening.head), options.now ?? Date.now);
}

/** The store as seen from the main thread: requests go out and answers come back in the same order. */
class WorkerStore implements LogStore {
  readonly head: Head;
  readonly broken: Promise<Error>;
  readonly #worker: Worker;
  readonly #asked: PromiseWithResolvers<unknown>[] = [];
  #closing = false;

  constructor(worker: Worker, head: Head) {
    this.head = head;
    this.#worker = worker;
    const { promise, resolve } = Promise.withResolvers<Error>();
    this.broken = promise;
    worker.on('message', (answer: SqliteAnswer) => this.#take(answer));
    const end = (error: Error) => {
      for (const asked of this.#asked.splice(0)) asked.reject(error);
      if (!this.#closing) resolve(error);
    };
    worker.on('error', end);
    worker.on('messageerror', end);
    worker.on('exit', () => end(new Error('the thread of the log has ended')));
  }

  async commit(entries: readonly LogEntry[]): Promise<void> {
    const packed = pack(entries);
    await this.#ask('commit', [packed], transferable(packed));
  }

  async read(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
    return unpack(await this.#ask('read', [fromSeq, toSeq]));
  }

  saveSnapshot(snapshot: Snapshot): Promise<void> {
    // A clone would take all the memory that the body is a view of.
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
    else asked.reject(new Error(`the log could not be read or written: ${answer.error}`));
  }
}
