/** Several things to read, each as often as it is worth, over one connection that may fail: one loop decides what goes next (TERM-7). */

export interface Task {
  readonly name: string;
  /** How long after the last answer the next is wanted; null for not now. */
  everyMs(): number | null;
  run(): Promise<void>;
}

export interface ScheduleOptions {
  /** In the order of their importance. */
  readonly tasks: readonly Task[];
  /** Takes one read out of what the edge allows; false when there is none. */
  readonly take: () => boolean;
  readonly now: () => number;
  /** Told of each answer, and of each failure with how many there were in a row and when the next try is. */
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
/** Failures in a row before reads wait for each other. */
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

  /** Wants a task now, or all of them: what a person asked for, or a connection that is back. */
  hurry(name?: string): void {
    if (name === undefined) this.#waitUntilMs = 0;
    for (const slot of this.#slots) if (name === undefined || slot.task.name === name) slot.dueMs = 0;
    this.tick();
  }

  tick(): void {
    const { now, take } = this.#options;
    const nowMs = now();
    if (nowMs < this.#waitUntilMs) return;
    // What was asked for at once comes before what is merely due: else a chain that is never read often enough starves it.
    for (const slot of this.#slots.toSorted((a, b) => Number(b.dueMs === 0) - Number(a.dueMs === 0))) {
      if (slot.isRunning || nowMs < slot.dueMs || slot.task.everyMs() === null) continue;
      // While nothing gets through one read at a time is enough to find out.
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
      // What was wanted meanwhile is wanted still: the answer may be from before the reason for it.
      const nextMs = Math.max(startedMs + (slot.task.everyMs() ?? 0), this.#waitUntilMs);
      slot.dueMs = Math.min(slot.dueMs, nextMs);
    }
  }

  /** Doubling, and never the same for all pages at once. */
  #retryMs(): number {
    const { random = Math.random } = this.#options;
    if (this.#failures < PATIENCE) return 0;
    const limit = Math.min(RETRY_MS * 2 ** (this.#failures - PATIENCE), RETRY_MS_MAX);
    return limit * (0.5 + random() / 2);
  }
}
