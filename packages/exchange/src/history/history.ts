/**
 * Keeps the cash and the orders of every trader, and the market's prints and candles, beside the log. The history
 * follows the engine's effects, in replays too, is written off the hot path, and serves statements, orders, prints,
 * candles, and fills that the state no longer keeps. Trading continues whatever happens to its file.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Effects, State } from '@venue/engine';
import { messageOf, type ReadOnlyLog } from '@venue/log';
import type { Logger } from '../observe/logger.ts';
import type { BatchEnd, HistoryBatch } from './batch.ts';
import { Collector } from './collector.ts';
import { HistoryDamagedError } from './schema.ts';
import type { HistoryAnswer, HistoryArg, HistoryStore, ReadOperation } from './store.ts';

const WRITE_EVERY_MS = 1_000;
const ANCHOR_EVERY_MS = 60_000;
/** Rows that trigger a write before the second has passed. */
const WRITE_ROWS = 4_096;
/** Most rows that wait for a file that cannot be written; some 30 MB. */
const REFUSED_ROWS_MAX = 250_000;
/** Most rows that wait for a slow file, as in a long replay; some 250 MB. */
const WAITING_ROWS_MAX = 2_000_000;
/** Longest wait of a reader for the disk. */
const READ_MS = 5_000;
const LAST_WRITE_MS = 200;

/** The history cannot be written or read at present. */
export class HistoryUnavailableError extends Error {
  override readonly name = 'HistoryUnavailableError';
}

export interface HistoryOptions {
  readonly store: HistoryStore;
  readonly state: State;
  readonly log: Pick<ReadOnlyLog, 'readBatches'>;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** The file is complete up to this entry. */
  readonly seq: number;
}

export class History {
  /** Effects to subscribe to the engine. Skips what the file already has. */
  readonly effects: Effects;
  readonly #options: HistoryOptions;
  readonly #collector: Collector;
  /** The last entry that was fully applied. */
  #applied: BatchEnd;
  /** The last entry whose rows are in the file. */
  #writtenSeq: number;
  #anchoredSeq: number;
  #writing: Promise<void> | null = null;
  /** A batch that the file refused; it must be written before the next one. */
  #refused: HistoryBatch | null = null;
  #isGivenUp = false;
  #timers: NodeJS.Timeout[] = [];

  constructor(options: HistoryOptions) {
    this.#options = options;
    const { seq } = options;
    this.#writtenSeq = seq;
    this.#anchoredSeq = seq;
    this.#applied = { lastSeq: seq, lastTs: 0, lastFillId: 0 };
    this.#collector = new Collector(options.state, seq);
    this.effects = this.#collector.effects;
  }

  /** Writes every second and flushes every minute, which bounds the work of the next start. */
  start(): void {
    const every = (ms: number, act: (seq: number) => Promise<void>) =>
      setInterval(() => act(this.#applied.lastSeq).catch(() => {}), ms).unref();
    this.#timers = [
      every(WRITE_EVERY_MS, (seq) => this.#writeUpTo(seq)),
      every(ANCHOR_EVERY_MS, (seq) => this.durable(seq)),
    ];
  }

  /** Call after every entry, in a replay too. */
  appliedEntry(): void {
    this.#collector.sample();
  }

  /** Call when entries have been fully applied, in a replay too. */
  applied(): void {
    const { state } = this.#options;
    if (state.seq <= this.#applied.lastSeq) return;
    this.#applied = { lastSeq: state.seq, lastTs: state.ts, lastFillId: state.lastFillId };
    this.#collector.seal();
    const rows = this.#collector.count;
    if (rows < WRITE_ROWS) return;
    const waitingMax = this.#refused === null ? WAITING_ROWS_MAX : REFUSED_ROWS_MAX;
    if (rows > waitingMax) this.#giveUp('too much waits for it');
    else if (this.#writing === null && this.#refused === null) this.#writeNext().catch(() => {});
  }

  /**
   * Resolves once everything up to an applied entry is flushed to disk. Only then may a later snapshot be kept, or a
   * start from it would find a gap. Rejects with `HistoryUnavailableError`. A history that was given up does not hold
   * snapshots back: the next start finds it behind.
   */
  async durable(seq: number): Promise<void> {
    if (this.#isGivenUp || seq <= this.#anchoredSeq) return;
    await this.#writeUpTo(seq);
    const [batch] = await this.#options.log.readBatches(seq, seq);
    if (batch === undefined) throw new Error(`the batch of entry ${seq} is missing from the log`);
    await this.#ask('anchor', { seq, hash: batch.hash });
    this.#anchoredSeq = Math.max(seq, this.#anchoredSeq);
  }

  /** Reads the file, including everything applied so far. Rejects with `HistoryUnavailableError`. */
  async read<Op extends ReadOperation>(op: Op, query: HistoryArg<Op>): Promise<HistoryAnswer<Op>> {
    const late = sleep(READ_MS, undefined, { ref: false }).then(() => {
      throw new HistoryUnavailableError(`no answer in ${READ_MS} ms`);
    });
    const read = this.#writeUpTo(this.#applied.lastSeq).then(() => this.#ask(op, query));
    return Promise.race([read, late]);
  }

  /** Writes what is left if time allows; the next start makes up for the rest. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const written = this.#writeUpTo(this.#applied.lastSeq).catch(() => {});
    await Promise.race([written, sleep(LAST_WRITE_MS, undefined, { ref: false })]);
  }

  /** Removes and returns what was fully applied. */
  #take(): HistoryBatch {
    return { ...this.#applied, ...this.#collector.take() };
  }

  async #writeUpTo(seq: number): Promise<void> {
    if (seq > this.#applied.lastSeq)
      throw new HistoryUnavailableError(`entry ${seq} was not applied to its end`);
    while (this.#writtenSeq < seq) await (this.#writing ?? this.#writeNext());
    if (this.#isGivenUp) throw new HistoryUnavailableError('it was given up');
  }

  #writeNext(): Promise<void> {
    if (this.#isGivenUp) return Promise.reject(new HistoryUnavailableError('it was given up'));
    this.#writing = this.#write(this.#refused ?? this.#take()).finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #write(batch: HistoryBatch): Promise<void> {
    const { logger } = this.#options;
    try {
      await this.#ask('write', batch);
    } catch (error) {
      if (this.#isGivenUp) throw error;
      if (this.#refused === null)
        logger.error(`the history cannot be written (${messageOf(error)}); trying again every second`);
      this.#refused = batch;
      throw error;
    }
    if (this.#refused !== null) logger.info('the history is written again');
    this.#refused = null;
    this.#writtenSeq = batch.lastSeq;
  }

  async #ask<Op extends 'write' | 'anchor' | ReadOperation>(
    op: Op,
    arg: HistoryArg<Op>,
  ): Promise<HistoryAnswer<Op>> {
    try {
      return await this.#options.store.ask(op, arg);
    } catch (error) {
      if (error instanceof HistoryDamagedError) this.#giveUp(error.message);
      throw new HistoryUnavailableError(messageOf(error), { cause: error });
    }
  }

  #giveUp(reason: string): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    this.#refused = null;
    this.#collector.stop();
    this.#options.logger.error(
      `the history is given up: ${reason}; there are no statements until the exchange is restarted, which makes up for it from the log; trading goes on`,
    );
  }
}
