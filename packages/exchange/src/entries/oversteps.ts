/** Has the log keep what operators ask for without the role that it takes (OPS-2). */

import { isWritable, type State } from '@venue/engine';
import type { Sequencer } from './sequencer.ts';

export interface OverstepsOptions {
  readonly sequencer: Pick<Sequencer, 'submit'>;
  readonly state: State;
  readonly now: () => number;
}

/** What the same operator asks for again within this time is refused like the first time, and kept once. */
const AGAIN_MS = 3_600_000;

/**
 * Only who has a secret of an operator comes here, and each is kept once an hour for a route: neither a stranger nor a
 * thief of one secret can fill the audit.
 */
export class Oversteps {
  readonly #options: OverstepsOptions;
  /** By operator and route, when it was last kept. */
  readonly #keptMs = new Map<string, number>();

  constructor(options: OverstepsOptions) {
    this.#options = options;
  }

  /** Returns at once: a refusal does not wait for the log. */
  note(by: string, route: string): void {
    const { sequencer, state, now } = this.#options;
    const command = { kind: 'overstep', by, route } as const;
    const key = `${by} ${route}`;
    const nowMs = now();
    if (nowMs - (this.#keptMs.get(key) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    if (!isWritable(state, command)) return;
    this.#keptMs.set(key, nowMs);
    // One that the log did not take is kept the next time.
    sequencer.submit(command, () => {}).catch(() => this.#keptMs.delete(key));
  }
}
