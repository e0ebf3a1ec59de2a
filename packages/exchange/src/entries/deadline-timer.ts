/** Has an entry come when the next deadline is due, so that nobody is shown for longer what can no longer trade (DUE-1). */

import { nextDeadlineMs, type State } from '@venue/engine';
import type { Sequencer } from './sequencer.ts';

export interface DeadlineTimerOptions {
  readonly state: State;
  readonly sequencer: Pick<Sequencer, 'submit'>;
  /** The node's best guess of the log's time, never before the last entry. */
  readonly now: () => number;
}

/** The least between two proposals: one entry carries out all that has come due meanwhile. */
const PACE_MS = 40;
/** The longest pause after proposals that carried nothing out, as where the log's clock is behind or it takes nothing. */
const RETRY_MS = 1_000;
/** The clock may be set while a deadline is far away, and no timer takes more than 24 days. */
const LOOK_MS = 1_000;

/**
 * Any node proposes; an entry that finds nothing due is a few bytes and changes nothing. There is never more than one
 * proposal of a node under way.
 */
export class DeadlineTimer {
  readonly #options: DeadlineTimerOptions;
  #isRunning = false;
  #timer: NodeJS.Timeout | undefined;
  /** The deadline for which the timer is set, or for which a proposal is under way; null for none. */
  #awaited: number | null = null;
  #current: Promise<void> | null = null;
  #pauseMs = 0;

  constructor(options: DeadlineTimerOptions) {
    this.#options = options;
  }

  begin(): void {
    this.#isRunning = true;
    this.applied();
  }

  /** Call after entries were applied: they may have brought a deadline, or carried one out. */
  applied(): void {
    if (!this.#isRunning || this.#current !== null) return;
    if (nextDeadlineMs(this.#options.state) !== this.#awaited) this.#schedule(0);
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    await this.#current;
  }

  /** Sets the timer for the next deadline, but no sooner than after a pause. */
  #schedule(pauseMs: number): void {
    clearTimeout(this.#timer);
    const { state, now } = this.#options;
    this.#awaited = nextDeadlineMs(state);
    if (!this.#isRunning || this.#awaited === null) return;
    const waitMs = Math.min(LOOK_MS, Math.max(pauseMs, this.#awaited - now()));
    this.#timer = setTimeout(() => this.#look(), waitMs);
  }

  #look(): void {
    const { state, now } = this.#options;
    const next = nextDeadlineMs(state);
    if (next === null || next > now()) this.#schedule(0);
    else this.#current = this.#propose(next);
  }

  async #propose(deadlineMs: number): Promise<void> {
    const { state, sequencer } = this.#options;
    // Whatever keeps the log from taking it is reported by those whose writes it refuses, and by the tick.
    await sequencer.submit(DUE, () => {}).catch(() => {});
    const isCarriedOut = nextDeadlineMs(state) !== deadlineMs;
    this.#pauseMs = isCarriedOut ? PACE_MS : Math.min(RETRY_MS, 2 * Math.max(PACE_MS, this.#pauseMs));
    this.#current = null;
    this.#schedule(this.#pauseMs);
  }
}

const DUE = { kind: 'due' } as const;
