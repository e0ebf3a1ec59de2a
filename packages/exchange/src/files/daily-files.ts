/**
 * The files of finished days: which there are, and when they are made (FIL-1). They are a projection of the history, and
 * so of the log. Trading goes on whatever happens to them.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { State } from '@venue/engine';
import { type Log, messageOf } from '@venue/log';
import type { History } from '../history/history.ts';
import type { Logger } from '../observe/logger.ts';
import { anchorOf, type Day, daysIn } from './day-folder.ts';
import type { RoundNews, RoundTask } from './round.ts';
import { DAY_MS, dayOf } from './tables.ts';
import { roundInThread } from './thread.ts';

const LOOK_EVERY_MS = 5_000;
const RETRY_MS = 60_000;
const STOP_MS = 300;

/** A file that a client may have. */
export interface ServedFile {
  readonly path: string;
  readonly folder: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  /** The time of the last write, in Unix ms. */
  readonly mtimeMs: number;
}

export interface DailyFilesOptions {
  /** The folder of the days, made with the first of them. */
  readonly folder: string;
  /** The file of the history. */
  readonly history: string;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly lookEveryMs?: number;
  readonly retryMs?: number;
}

/** The node whose days they are. */
export interface DaySource {
  readonly state: Pick<State, 'seq' | 'ts'>;
  readonly history: Pick<History, 'durable'>;
  readonly log: Pick<Log, 'readBatches' | 'firstSeq'>;
}

export class DailyFiles {
  readonly #options: Required<DailyFilesOptions>;
  readonly #days = new Map<string, Day>();
  #listed: readonly Day[] | null = null;
  readonly #stopping = new AbortController();
  /** The day that lasted when the last complete round began. */
  #lastRound = -1;
  #isSuspect = false;
  #isFailing = false;
  #running: Promise<void> = Promise.resolve();
  /** Ends the wait for the next look. */
  #wake = Promise.withResolvers<void>();

  constructor(options: DailyFilesOptions) {
    this.#options = { lookEveryMs: LOOK_EVERY_MS, retryMs: RETRY_MS, ...options };
  }

  /** Days that are served, oldest first: the same list until there are others. */
  get days(): readonly Day[] {
    this.#listed ??= [...this.#days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
    return this.#listed;
  }

  /** A file of a day; undefined if there is none such. */
  find(day: string, name: string): ServedFile | undefined {
    const file = this.#days.get(day)?.files.find((one) => one.name === name);
    if (file === undefined) return undefined;
    const folder = join(this.#options.folder, day);
    return { ...file, folder, path: join(folder, file.name) };
  }

  /** Stops serving a day of which a file is not as it was made; it is made again. */
  suspect(day: string): void {
    if (!this.#days.delete(day)) return;
    this.#listed = null;
    this.#options.logger.warn(
      `the files of ${day} were changed or removed; they are looked at and made again`,
    );
    this.#isSuspect = true;
    this.#wake.resolve();
  }

  /** Makes days as they finish, from now on, until it is stopped. */
  start(source: DaySource): void {
    this.#running = this.#run(source);
  }

  /** Leaves what is being made unfinished; the next start begins it again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    // A disk that hangs must not hold the stop up.
    await Promise.race([this.#running, sleep(STOP_MS, undefined, { ref: false })]);
  }

  async #run(source: DaySource): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const waitMs = await this.#look(source);
      const waited = sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
      await Promise.race([waited, this.#wake.promise]);
      this.#wake = Promise.withResolvers();
    }
  }

  /** Does a round if one is due. Returns after what time to look again. */
  async #look(source: DaySource): Promise<number> {
    const { lookEveryMs, retryMs, logger } = this.#options;
    const today = Math.floor(source.state.ts / DAY_MS);
    if (today === this.#lastRound && !this.#isSuspect) return lookEveryMs;
    try {
      this.#isSuspect = false;
      await this.#round(source);
      this.#lastRound = today;
      if (this.#isFailing) logger.info('the daily files are made again');
      this.#isFailing = false;
      return lookEveryMs;
    } catch (error) {
      this.#isSuspect = true;
      if (this.#stopping.signal.aborted) return retryMs;
      if (!this.#isFailing)
        logger.error(
          `the daily files cannot be made (${messageOf(error)}); trying again every ${retryMs / 1_000} s`,
        );
      this.#isFailing = true;
      return retryMs;
    }
  }

  async #round({ state, history, log }: DaySource): Promise<void> {
    const { folder, history: file } = this.#options;
    const { seq } = state;
    await history.durable(seq);
    const [batch] = await log.readBatches(seq, seq);
    if (batch === undefined) throw new Error(`the batch of entry ${seq} is missing from the log`);
    const known = [...this.#days.keys()].map((name) => dayOf(name)!);
    const task: RoundTask = {
      ...{ folder, known, history: file },
      anchor: `${seq} ${batch.hash}\n`,
      foreignAnchors: await this.#foreignAnchors(log),
    };
    await roundInThread(task, (news) => this.#take(news), this.#stopping.signal);
  }

  #take(news: RoundNews): void {
    const { logger } = this.#options;
    if (news.kind === 'lost') {
      logger.warn(
        `the files of ${news.name} are damaged or of another log, and older than the history, so they are not served; copy them from another node, or remove them`,
      );
      return;
    }
    const { day } = news;
    this.#days.set(day.day, day);
    this.#listed = null;
    if (news.kind === 'made') logger.info({ day: day.day }, 'made the files of a day');
  }

  /**
   * The anchors of days that are not of this log, as when it was restored from an older copy. An entry that is archived
   * cannot be looked at, and counts as this log's; a day without an anchor was copied by hand.
   */
  async #foreignAnchors(log: DaySource['log']): Promise<string[]> {
    const { folder } = this.#options;
    const names = daysIn(folder).filter((day) => !this.#isServed(day));
    const anchors = [...new Set(names.map((day) => anchorOf(folder, day)))];
    const firstSeq = await log.firstSeq();
    const foreign: string[] = [];
    for (const anchor of anchors) if (await isForeign(anchor, log, firstSeq)) foreign.push(anchor);
    return foreign;
  }

  #isServed(day: number): boolean {
    return [...this.#days.keys()].some((name) => dayOf(name) === day);
  }
}

const ANCHOR = /^([1-9]\d{0,15}) ([0-9a-f]{64})\n$/;

async function isForeign(anchor: string, log: Pick<Log, 'readBatches'>, firstSeq: number): Promise<boolean> {
  const [, seqText, hash] = ANCHOR.exec(anchor) ?? [];
  if (seqText === undefined) return anchor !== '';
  const seq = Number(seqText);
  if (seq < firstSeq) return false;
  const [batch] = await log.readBatches(seq, seq);
  return batch?.hash !== hash;
}

export type { Day };
