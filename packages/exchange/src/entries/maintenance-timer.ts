/** The maintenance timer: repeatedly proposes a tick with the current expiry instants (MAINT-1). */

import { isRefused } from '@venue/engine';
import { expiryInstants } from './expiries.ts';
import type { Sequencer } from './sequencer.ts';

export interface MaintenanceTimerOptions {
  readonly sequencer: Pick<Sequencer, 'submit'>;
  readonly intervalMs: number;
  readonly now: () => number;
  /** Called after each tick except the first. */
  readonly onTick: () => void;
  /** Called when a tick other than the first failed; the next one still comes. */
  readonly onError: (error: unknown) => void;
}

/**
 * After a refusal for lack of room clients may send nothing more, so a tick checks soon whether there is room again.
 */
const RETRY_MS = 1_000;

/** A tick starts one interval after the previous one was applied, and sooner if the log refused anything. */
export class MaintenanceTimer {
  readonly #options: MaintenanceTimerOptions;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** True if the log has refused anything since the last tick was scheduled. */
  #isRefused = false;
  /** True if the next tick was brought forward for that. */
  #isRetry = false;
  #current = Promise.resolve();

  constructor(options: MaintenanceTimerOptions) {
    this.#options = options;
  }

  /** Resolves once the first tick is applied, and rejects when it fails. */
  async begin(): Promise<void> {
    await proposeTick(this.#options);
    this.#schedule();
  }

  /** Call when the log refuses a command, of a tick or of anybody else. */
  refused(): void {
    this.#isRefused = true;
    if (this.#timer === undefined || this.#isRetry) return;
    clearTimeout(this.#timer);
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#current;
  }

  #schedule(): void {
    if (this.#stopped) return;
    const { intervalMs } = this.#options;
    this.#isRetry = this.#isRefused;
    this.#isRefused = false;
    this.#timer = setTimeout(
      () => {
        this.#current = this.#tick();
      },
      this.#isRetry ? Math.min(intervalMs, RETRY_MS) : intervalMs,
    );
  }

  async #tick(): Promise<void> {
    const { onTick, onError } = this.#options;
    this.#timer = undefined;
    await proposeTick(this.#options).then(onTick).catch(onError);
    this.#schedule();
  }
}

/** An incomplete tick is followed by another immediately; other commands waiting for the log go in between. */
async function proposeTick({ sequencer, now }: MaintenanceTimerOptions): Promise<void> {
  const command = { kind: 'maintain', expiries: expiryInstants(now()) } as const;
  let unfinished = true;
  while (unfinished) {
    unfinished = await sequencer.submit(command, (outcome) => !isRefused(outcome) && outcome.unfinished);
  }
}
