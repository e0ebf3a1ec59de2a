/** The seeds that tests run: one every day, five more in CI, the rest at night. */

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { kindOf } from './simulate.ts';
import { SimulationThread } from './thread.ts';

/** Number of seeds, counted from 1, that run every day. */
export const EVERYDAY_SEEDS = 1;
/** The long test runs those from there to this: with the everyday ones each kind of venue twice, two of them with custody. */
export const LONG_SEEDS = 6;

/** Turns each seed into a test, and records the faults it injected. */
export class SeedRuns {
  readonly seen = new Map<string, number>();
  readonly traces = new Map<number, string>();
  #thread!: SimulationThread;

  constructor() {
    before(() => {
      this.#thread = new SimulationThread();
    });
    after(() => this.#thread.close());
  }

  /** Adds a test for a seed that failed before. */
  again(seed: number, found = ''): void {
    it(`seed ${seed} ${found}`, () => this.#holds(seed));
  }

  /** Adds a test that runs a seed again after the test that ran it first. */
  sameAgain(seed: number): void {
    it(`the same seed gives the same log and the same answers: ${kindOf(seed)}`, async () => {
      const again = await this.#thread.simulate(seed);
      assert.equal(again.trace, this.traces.get(seed));
    });
  }

  each(first: number, last: number): void {
    for (let seed = first; seed <= last; seed++)
      it(`SIG-4 KEY-1 MM-3 MAINT-1 FINE-4 DEP-1 PAY-2: seed ${seed}, ${kindOf(seed)}`, () =>
        this.#holds(seed));
  }

  async #holds(seed: number): Promise<void> {
    const { counts, failure, trace } = await this.#thread.simulate(seed);
    this.traces.set(seed, trace);
    for (const [what, times] of counts) this.seen.set(what, (this.seen.get(what) ?? 0) + times);
    assert.ok(failure === null, failure ?? '');
  }
}
