/** Estimates how long replaying the entries after the newest snapshot would take, from past applying and replaying (LOG-3). */

/** Entries that a node has applied together. */
export interface AppliedWork {
  /** How long applying them held the thread. The next `learn` corrects for time when others had the processor. */
  readonly ms: number;
  /** True if a start replayed them from the log, as the next start would. */
  readonly isReplay: boolean;
}

/** Time spent on entries since the newest snapshot, ms. */
export interface Work {
  readonly replayedMs: number;
  readonly appliedMs: number;
}

/**
 * Milliseconds of replaying per millisecond of applying, until it has been measured. A replay also reads, checks and
 * decodes entries, in code that is not compiled yet.
 */
const FIRST_RATIO = 2;
/** Bounds on the ratio, so that no single measurement makes every tick a snapshot or postpones the next for hours. */
const RATIO_MIN = 0.1;
const RATIO_MAX = 10;

export class ReplayCost {
  #work: Work = { replayedMs: 0, appliedMs: 0 };
  #ratio = FIRST_RATIO;

  /** How long a start on this machine would replay. */
  get ms(): number {
    return this.#work.replayedMs + this.#work.appliedMs * this.#ratio;
  }

  /** The work since the newest snapshot. */
  get work(): Work {
    return this.#work;
  }

  applied({ ms, isReplay }: AppliedWork): void {
    const { replayedMs, appliedMs } = this.#work;
    this.#work = isReplay
      ? { replayedMs: replayedMs + ms, appliedMs }
      : { replayedMs, appliedMs: appliedMs + ms };
  }

  /** Subtracts the work that a new snapshot covers. */
  covered({ replayedMs, appliedMs }: Work): void {
    this.#work = {
      replayedMs: this.#work.replayedMs - replayedMs,
      appliedMs: this.#work.appliedMs - appliedMs,
    };
  }

  /** Learns the ratio from a replay of that work, unless most of it had been replayed before. */
  learn({ replayedMs, appliedMs }: Work, tookMs: number): void {
    if (appliedMs <= replayedMs) return;
    const ratio = (tookMs - replayedMs) / appliedMs;
    this.#ratio = Math.min(Math.max(ratio, RATIO_MIN), RATIO_MAX);
  }
}
