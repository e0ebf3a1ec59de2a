/**
 * Logs one line when the log's clock becomes untrustworthy, one when it is right again, and one when a start cannot
 * tell (CLOCK-1, CLOCK-2).
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadOnlyLog } from '@venue/log';
import type { Logger } from './logger.ts';

const CHECK_MS = 200;
/** A running venue writes every few seconds: after such a gap it was down, or its clock is ahead. */
const GAP_MS = 3_600_000;
const REMEDY =
  'nothing is written or answered until the clocks agree; if the new time is right, POST /v1/operator/clock says so';

export class ClockWatch {
  readonly #log: Pick<ReadOnlyLog, 'status'>;
  readonly #logger: Pick<Logger, 'error' | 'info' | 'warn'>;
  #wasRight = true;

  constructor(log: Pick<ReadOnlyLog, 'status'>, logger: Pick<Logger, 'error' | 'info' | 'warn'>) {
    this.#log = log;
    this.#logger = logger;
  }

  /** Warns, before anything is written, if the clock is far ahead of the last entry. Both in unix milliseconds. */
  warnOfGap(lastTs: number, nowMs: number): void {
    if (lastTs === 0 || nowMs - lastTs <= GAP_MS) return;
    this.#logger.warn(
      `the last entry is of ${isoOf(lastTs)}, and the clock says ${isoOf(nowMs)}: if the venue was not down all that time, stop it and put the clock right`,
    );
  }

  /** Logs any change since the last call, and returns whether the clock is right. */
  check(): boolean {
    const { clockFault } = this.#log.status();
    const isRight = clockFault === undefined;
    if (isRight !== this.#wasRight) {
      this.#wasRight = isRight;
      if (isRight) this.#logger.info('the clocks agree again');
      else this.#logger.error(`${clockFault}: ${REMEDY}`);
    }
    return isRight;
  }

  async untilRight(): Promise<void> {
    while (!this.check()) await sleep(CHECK_MS);
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
