/** What replaying the entries after the newest snapshot would take, learnt from what applying and replaying took (LOG-3). */

/** Entries that a node has applied together. */
export interface AppliedWork {
  /** How long that held the thread. Where others had the processor meanwhile, the next `learn` takes that out again. */
  readonly ms: number;
  /** Whether they came from the log at a start, and so took as long as the next start would with them. */
  readonly isReplay: boolean;
}

/** Entries by how long applying them took. */
export interface Work {
  readonly replayedMs: number;
  readonly appliedMs: number;
}

/**
 * What replaying takes for each ms of applying, until it was measured: a replay also reads, checks and decodes entries,
 * which a node has from the request already, and does so with code that is not compiled yet.
 */
const FIRST_RATIO = 2;
/** No measurement may turn every tick into a snapshot, or put the next one off for hours. */
const RATIO_MIN = 0.1;
const RATIO_MAX = 10;

export class ReplayCost {
  #work: Work = { replayedMs: 0, appliedMs: 0 };
  #ratio = FIRST_RATIO;

  /** How long a start on this machine would replay. */
  get ms(): number {
    return this.#work.replayedMs + this.#work.appliedMs * this.#ratio;
  }

  /** What came after the newest snapshot. */
  get work(): Work {
    return this.#work;
  }

  applied({ ms, isReplay }: AppliedWork): void {
    const { replayedMs, appliedMs } = this.#work;
    this.#work = isReplay
      ? { replayedMs: replayedMs + ms, appliedMs }
      : { replayedMs, appliedMs: appliedMs + ms };
  }

  /** A new snapshot covers the first part of the work. */
  covered({ replayedMs, appliedMs }: Work): void {
    this.#work = {
      replayedMs: this.#work.replayedMs - replayedMs,
      appliedMs: this.#work.appliedMs - appliedMs,
    };
  }

  /** Replaying that work took so much of a processor. Says nothing about entries applied once if most of them were replayed before. */
  learn({ replayedMs, appliedMs }: Work, tookMs: number): void {
    if (appliedMs <= replayedMs) return;
    const ratio = (tookMs - replayedMs) / appliedMs;
    this.#ratio = Math.min(Math.max(ratio, RATIO_MIN), RATIO_MAX);
  }
}
