/** The maintenance timer: proposes a tick, with the expiry instants of the moment, again and again (MAINT-1). */

import { isRefused } from '@venue/engine';
import { expiryInstants } from './expiries.ts';
import type { Sequencer } from './sequencer.ts';

export interface MaintenanceOptions {
  readonly sequencer: Pick<Sequencer, 'submit'>;
  readonly intervalMs: number;
  readonly now: () => number;
  /** Comes after each tick but the first. */
  readonly onTick: () => void;
  /** Told when a tick other than the first failed; the next comes all the same. */
  readonly onError: (error: unknown) => void;
}

/** Who was refused for want of room may send nothing more, so the next tick finds out whether there is room by now. */
const RETRY_MS = 1_000;

/** A tick begins an interval after the one before was applied, and sooner after the log has refused anything. */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** Whether the log has refused anything since the last tick was scheduled. */
  #isRefused = false;
  /** Whether the tick that is scheduled comes sooner for that. */
  #isRetry = false;
  #current = Promise.resolve();

  constructor(options: MaintenanceOptions) {
    this.#options = options;
  }

  /** Resolves once the first tick is applied, and rejects when it fails. */
  async begin(): Promise<void> {
    await proposeTick(this.#options);
    this.#schedule();
  }

  /** The log refused a command, of a tick or of anybody else. */
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

/** A tick that is not through is followed by another at once; what else waits in the log goes between them. */
async function proposeTick({ sequencer, now }: MaintenanceOptions): Promise<void> {
  const command = { kind: 'maintain', expiries: expiryInstants(now()) } as const;
  let unfinished = true;
  while (unfinished) {
    unfinished = await sequencer.submit(command, (outcome) => !isRefused(outcome) && outcome.unfinished);
  }
}
