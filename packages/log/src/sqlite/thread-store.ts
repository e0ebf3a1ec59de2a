import { on, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { LogFailedError, LogOpenError } from '../errors.ts';
import type { BatchRecord, Head, LogEntry, Snapshot } from '../log.ts';
import type { ReadOnlyStore, StoreEvents, StoreStatus } from '../store.ts';
import type { OnWarning } from '../warning.ts';
import {
  errorOf,
  type SqliteAnswer,
  type SqliteNews,
  type SqliteOpening,
  type SqliteOperation,
  type SqliteOperations,
} from './messages.ts';
import { unpack } from './packed.ts';

/** A thread that has a log file open. */
export interface LogThread {
  readonly worker: Worker;
  /** The end of the log at the opening. */
  readonly head: Head;
}

/** Starts a thread for a file. Rejects with the `LogOpenError` of its opening. */
export async function openInThread(url: URL, path: string, onWarning: OnWarning): Promise<LogThread> {
  const worker = new Worker(url, {
    name: 'log',
    workerData: { path },
    // Flags for the main thread, such as --eval, would break this one.
    execArgv: [],
  });
  return { worker, head: await openedHead(worker, onWarning) };
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

/** A log file as seen from the main thread: requests go out, and answers come back in the same order. */
export abstract class ThreadStore implements ReadOnlyStore {
  readonly #worker: Worker;
  readonly #asked: PromiseWithResolvers<unknown>[] = [];
  #closing = false;
  abstract readonly head: Head;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  begin(events: StoreEvents): void {
    this.#worker.on('message', (message: SqliteAnswer | SqliteNews) => {
      if ('ok' in message) this.#take(message);
      else this.hear(message);
    });
    const end = (cause: Error) => {
      const error = new LogFailedError(cause, 'check the memory and the disk of this machine');
      for (const asked of this.#asked.splice(0)) asked.reject(error);
      if (!this.#closing) events.failed(error);
    };
    this.#worker.on('error', end);
    this.#worker.on('messageerror', end);
    this.#worker.on('exit', () => end(new Error('the thread of the log has ended')));
  }

  /**
   * Lets the event loop go round before it resolves: answers of the thread are taken as long as there are any, so that
   * nothing else would run in a replay, whose next page is there before the last one is applied (LOG-3).
   */
  async read(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
    const packed = await this.ask('read', [fromSeq, toSeq]);
    await nextTurn();
    return unpack(packed);
  }

  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]> {
    return this.ask('readBatches', [fromSeq, toSeq]);
  }

  readHead(): Promise<Head> {
    return this.ask('readHead', []);
  }

  async firstSeq(): Promise<number> {
    return (await this.ask('chainStart', [])).seq + 1;
  }

  loadSnapshots(): Promise<Snapshot[]> {
    return this.ask('loadSnapshots', []);
  }

  readStamp(): Promise<Map<string, string>> {
    return this.ask('readStamp', []);
  }

  abstract status(): StoreStatus;

  async close(): Promise<void> {
    this.#closing = true;
    const exited = once(this.#worker, 'exit');
    await this.ask('close', []);
    await exited;
  }

  async abandon(): Promise<void> {
    this.#closing = true;
    await this.#worker.terminate();
  }

  /** Takes what the thread tells without being asked. */
  protected hear(_news: SqliteNews): void {}

  protected ask<Op extends SqliteOperation>(
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
