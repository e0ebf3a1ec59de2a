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

/** A tick begins an interval after the one before was applied. */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #current = Promise.resolve();

  constructor(options: MaintenanceOptions) {
    this.#options = options;
  }

  /** Resolves once the first tick is applied, and rejects when it fails. */
  async begin(): Promise<void> {
    await proposeTick(this.#options);
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#current;
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#current = this.#tick();
    }, this.#options.intervalMs);
  }

  async #tick(): Promise<void> {
    const { onTick, onError } = this.#options;
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
