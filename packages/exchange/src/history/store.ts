/** The file of the history as the node uses it: in its own thread, or in this one if it is in memory. */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { HistoryBatch } from './batch.ts';
import { type Anchor, HistoryFile, type HistoryOpening, type HistoryStart } from './file.ts';
import type { HourlyQuery } from './hourly-reads.ts';
import type { CandlesQuery, DayTradesQuery, PrintsQuery } from './market-reads.ts';
import type { OrderQuery, OrdersQuery } from './order-reads.ts';
import type { FillsQuery, StatementQuery } from './reads.ts';
import { HistoryDamagedError, HistoryOpenError, IN_MEMORY } from './schema.ts';

/** The requests to the thread of the file. Answers come in order. */
const OPERATIONS = {
  begin: (file: HistoryFile, start: HistoryStart) => file.begin(start),
  write: (file: HistoryFile, batch: HistoryBatch) => file.write(batch),
  anchor: (file: HistoryFile, anchor: Anchor) => file.anchor(anchor),
  close: (file: HistoryFile, _: null) => file.close(),
  statement: ({ reads }: HistoryFile, query: StatementQuery) => reads.statement(query),
  fills: ({ reads }: HistoryFile, query: FillsQuery) => reads.fills(query),
  orders: ({ reads }: HistoryFile, query: OrdersQuery) => reads.orders(query),
  order: ({ reads }: HistoryFile, query: OrderQuery) => reads.order(query),
  prints: ({ reads }: HistoryFile, query: PrintsQuery) => reads.prints(query),
  candles: ({ reads }: HistoryFile, query: CandlesQuery) => reads.candles(query),
  dayTrades: ({ reads }: HistoryFile, query: DayTradesQuery) => reads.dayTrades(query),
  hourly: ({ reads }: HistoryFile, query: HourlyQuery) => reads.hourly(query),
};

type Operations = typeof OPERATIONS;
export type HistoryOperation = keyof Operations;
export type ReadOperation = Exclude<HistoryOperation, 'begin' | 'write' | 'anchor' | 'close'>;
export type HistoryArg<Op extends HistoryOperation> = Parameters<Operations[Op]>[1];
export type HistoryAnswer<Op extends HistoryOperation> = ReturnType<Operations[Op]>;

export interface HistoryRequest {
  readonly op: HistoryOperation;
  readonly arg: HistoryArg<HistoryOperation>;
}

/** The first message of the thread, then an answer to each request. Errors lose their class between threads. */
export type HistoryReply<T> = { readonly value: T } | { readonly error: string; readonly isDamaged: boolean };

export interface HistoryStore {
  readonly opening: HistoryOpening;
  /**
   * Rejects with the file's error; the operation has then not happened. After a `HistoryDamagedError` there is no
   * file until the next `begin`.
   */
  ask<Op extends HistoryOperation>(op: Op, arg: HistoryArg<Op>): Promise<HistoryAnswer<Op>>;
  /** Gives the file up, whether or not it answers. */
  close(): Promise<void>;
}

/**
 * Opens the file of a history, or one that lasts as long as the process (`:memory:`). Rejects with
 * `HistoryOpenError`.
 */
export async function openHistoryStore(path: string): Promise<HistoryStore> {
  return path === IN_MEMORY ? new LocalStore() : openInThread(path);
}

/** Carries out a request. Throws `HistoryDamagedError`, or the error of the file. */
export function answerTo(file: HistoryFile, { op, arg }: HistoryRequest): unknown {
  const operation = OPERATIONS[op] as (file: HistoryFile, arg: unknown) => unknown;
  return file.attempt(() => operation(file, arg));
}

class LocalStore implements HistoryStore {
  readonly #file = new HistoryFile(IN_MEMORY);
  readonly opening = this.#file.opening;

  async ask<Op extends HistoryOperation>(op: Op, arg: HistoryArg<Op>): Promise<HistoryAnswer<Op>> {
    return answerTo(this.#file, { op, arg }) as HistoryAnswer<Op>;
  }

  async close(): Promise<void> {
    this.#file.close();
  }
}

async function openInThread(path: string): Promise<HistoryStore> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'history',
    workerData: { path },
    // Flags meant for the main thread, such as --eval, would break this one.
    execArgv: [],
  });
  const [opening] = (await once(worker, 'message')) as [HistoryReply<HistoryOpening>];
  if ('value' in opening) return new ThreadStore(worker, opening.value);
  await worker.terminate();
  throw new HistoryOpenError(opening.error);
}

/** A stop must not wait for a disk that hangs. */
const CLOSE_MS = 300;

class ThreadStore implements HistoryStore {
  readonly opening: HistoryOpening;
  readonly #worker: Worker;
  readonly #asked: PromiseWithResolvers<unknown>[] = [];
  #ended: Error | null = null;

  constructor(worker: Worker, opening: HistoryOpening) {
    this.#worker = worker;
    this.opening = opening;
    worker.on('message', (reply: HistoryReply<unknown>) => this.#take(reply));
    worker.on('error', (error: Error) => this.#end(error));
    worker.on('exit', () => this.#end(new Error('the thread of the history has ended')));
  }

  ask<Op extends HistoryOperation>(op: Op, arg: HistoryArg<Op>): Promise<HistoryAnswer<Op>> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const asked = Promise.withResolvers<unknown>();
    this.#asked.push(asked);
    this.#worker.postMessage({ op, arg } satisfies HistoryRequest);
    return asked.promise as Promise<HistoryAnswer<Op>>;
  }

  async close(): Promise<void> {
    const closed = this.ask('close', null).catch(() => undefined);
    await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
    await this.#worker.terminate();
  }

  #take(reply: HistoryReply<unknown>): void {
    const asked = this.#asked.shift()!;
    if ('value' in reply) asked.resolve(reply.value);
    else asked.reject(reply.isDamaged ? new HistoryDamagedError(reply.error) : new Error(reply.error));
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const asked of this.#asked.splice(0)) asked.reject(error);
  }
}
