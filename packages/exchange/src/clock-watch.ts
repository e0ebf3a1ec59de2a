/** Says, in one line each, when the log's clock is not to be believed any more, and when it is again (CLOCK-1). */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@venue/log';
import type { Logger } from './logger.ts';

const LOOK_MS = 200;
const REMEDY =
  'nothing is written or answered until the clocks agree; if the new time is right, POST /v1/operator/clock says so';

export class ClockWatch {
  readonly #log: Pick<Log, 'status'>;
  readonly #logger: Pick<Logger, 'error' | 'info'>;
  #wasRight = true;

  constructor(log: Pick<Log, 'status'>, logger: Pick<Logger, 'error' | 'info'>) {
    this.#log = log;
    this.#logger = logger;
  }

  /** Says what has changed since the last look, and answers whether the clock is right. */
  look(): boolean {
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
    while (!this.look()) await sleep(LOOK_MS);
  }
}
