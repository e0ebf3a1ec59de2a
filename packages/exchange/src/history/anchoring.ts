/** Flushes the history of one that saves no snapshots, so that its next start goes on from where it was (FOL-4). */

import { setTimeout as sleep } from 'node:timers/promises';
import type { State } from '@venue/engine';
import type { Logger } from '../observe/logger.ts';
import type { History } from './history.ts';

/** A start replays from a snapshot at or before the last one; nodes keep two, which are older than this as a rule. */
const EVERY_MS = 10_000;
/** The longest wait for the last one. */
const LAST_MS = 1_500;

export interface AnchoringOptions {
  /** Null where none is kept. */
  readonly history: Pick<History, 'durable'> | null;
  readonly state: Pick<State, 'seq'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly everyMs?: number;
}

export class Anchoring {
  readonly #options: AnchoringOptions;
  #timer: NodeJS.Timeout | undefined;
  #current = Promise.resolve();

  constructor(options: AnchoringOptions) {
    this.#options = options;
  }

  begin(): void {
    const { history, everyMs = EVERY_MS } = this.#options;
    if (history === null) return;
    this.#timer = setInterval(() => {
      this.#current = this.#current.then(() => this.#anchor());
    }, everyMs);
  }

  /** Flushes once more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const last = this.#current.then(() => this.#anchor());
    await Promise.race([last, sleep(LAST_MS, undefined, { ref: false })]);
  }

  async #anchor(): Promise<void> {
    const { history, state, logger } = this.#options;
    try {
      await history?.durable(state.seq);
    } catch (err) {
      logger.warn({ err }, 'the history could not be flushed; the next start makes up for it from the log');
    }
  }
}
