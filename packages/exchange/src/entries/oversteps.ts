/** Records in the log what operators attempt beyond their roles (OPS-2). */

import type { Sequencer } from './sequencer.ts';

export interface OverstepsOptions {
  readonly sequencer: Pick<Sequencer, 'submit'>;
  readonly now: () => number;
}

/** Within this time a repeated attempt of an operator is refused like the first one, and not recorded again. */
const AGAIN_MS = 3_600_000;

/**
 * Callers have an operator's own secret, and there is one record an hour for an operator and a route of the API: neither a
 * stranger nor a thief of one secret can fill the audit.
 */
export class Oversteps {
  readonly #options: OverstepsOptions;
  /** By operator and route, the time of the last record. */
  readonly #keptMs = new Map<string, number>();

  constructor(options: OverstepsOptions) {
    this.#options = options;
  }

  /** Returns at once: a refusal does not wait for the log. */
  note(by: string, route: string): void {
    const { sequencer, now } = this.#options;
    const command = { kind: 'overstep', by, route } as const;
    const key = `${by} ${route}`;
    const nowMs = now();
    if (nowMs - (this.#keptMs.get(key) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    this.#keptMs.set(key, nowMs);
    // One that the log did not take is kept the next time.
    sequencer.submit(command, () => {}).catch(() => this.#keptMs.delete(key));
  }
}
