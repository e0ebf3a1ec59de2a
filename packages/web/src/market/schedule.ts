/**
 * Polls several resources, each at its own interval, over one unreliable connection: one loop decides which is next
 * (TERM-7).
 */

export interface Task {
  readonly name: string;
  /** Interval after the last answer; null while the task is inactive. */
  everyMs(): number | null;
  run(): Promise<void>;
}

export interface ScheduleOptions {
  /** In order of importance. */
  readonly tasks: readonly Task[];
  /** Takes one read from the allowance; false when it is empty. */
  readonly take: () => boolean;
  readonly now: () => number;
  /**
   * Called on each answer, and on each failure with the number of consecutive failures and the time of the next try.
   */
  readonly onAnswer: () => void;
  readonly onFailure: (failure: Failure) => void;
  /** A number from 0 to 1. */
  readonly random?: () => number;
}

export interface Failure {
  readonly error: unknown;
  readonly inARow: number;
  readonly nextTryMs: number;
}

const TICK_MS = 50;
/** Consecutive failures after which only one read runs at a time. */
const PATIENCE = 2;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 30_000;

interface Slot {
  readonly task: Task;
  dueMs: number;
  isRunning: boolean;
}

export class Schedule {
  readonly #options: ScheduleOptions;
  readonly #slots: Slot[];
  #failures = 0;
  #waitUntilMs = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#slots = options.tasks.map((task) => ({ task, dueMs: 0, isRunning: false }));
  }

  start(): void {
    this.#timer ??= setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Makes one task due now, or all of them: after a person's request, or a reconnection. */
  hurry(name?: string): void {
    if (name === undefined) this.#waitUntilMs = 0;
    for (const slot of this.#slots) if (name === undefined || slot.task.name === name) slot.dueMs = 0;
    this.tick();
  }

  tick(): void {
    const { now, take } = this.#options;
    const nowMs = now();
    if (nowMs < this.#waitUntilMs) return;
    // Hurried tasks come before those merely due; otherwise a chain that is always due would starve them.
    for (const slot of this.#slots.toSorted((a, b) => Number(b.dueMs === 0) - Number(a.dueMs === 0))) {
      if (slot.isRunning || nowMs < slot.dueMs || slot.task.everyMs() === null) continue;
      // While the venue is unreachable, one read at a time is enough to find out.
      if (this.#failures >= PATIENCE && this.#slots.some(({ isRunning }) => isRunning)) return;
      if (!take()) return;
      void this.#run(slot);
    }
  }

  async #run(slot: Slot): Promise<void> {
    const { now, onAnswer, onFailure } = this.#options;
    const startedMs = now();
    slot.isRunning = true;
    slot.dueMs = Number.POSITIVE_INFINITY;
    try {
      await slot.task.run();
      this.#failures = 0;
      this.#waitUntilMs = 0;
      onAnswer();
    } catch (error) {
      this.#failures += 1;
      this.#waitUntilMs = now() + this.#retryMs();
      onFailure({ error, inARow: this.#failures, nextTryMs: this.#waitUntilMs });
    } finally {
      slot.isRunning = false;
      // A task hurried meanwhile stays due: this answer may predate the reason for it.
      const nextMs = Math.max(startedMs + (slot.task.everyMs() ?? 0), this.#waitUntilMs);
      slot.dueMs = Math.min(slot.dueMs, nextMs);
    }
  }

  /** Exponential backoff with jitter, so that pages do not retry together. */
  #retryMs(): number {
    const { random = Math.random } = this.#options;
    if (this.#failures < PATIENCE) return 0;
    const limit = Math.min(RETRY_MS * 2 ** (this.#failures - PATIENCE), RETRY_MS_MAX);
    return limit * (0.5 + random() / 2);
  }
}
