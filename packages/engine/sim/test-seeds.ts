/** The seeds that the tests run: two every day, more in CI, most at night. */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FailingLog } from './failing.ts';
import { type Report, simulate, simulateLog, simulateSpreads } from './simulate.ts';

export const STEPS = 220;
/** The everyday tests run seeds 1 to this, and the long ones those from there to theirs. */
export const EVERYDAY_SEEDS = 2;
export const LONG_SEEDS = 6;

const SEEDS_PER_TEST = 20;

/** A test of entries that failed before. */
export function again({ name, rule, entries }: FailingLog): void {
  it(rule === undefined ? name : `${name}: ${rule}`, () => {
    const failure = simulateLog(entries());
    assert.ok(failure === null, failure ?? '');
  });
}

/** Turns seeds into tests, and counts the cases they reached. */
export class SeedRuns {
  readonly seen = new Map<string, number>();

  each(first: number, last: number): void {
    for (let from = first; from <= last; from += SEEDS_PER_TEST) {
      const to = Math.min(from + SEEDS_PER_TEST - 1, last);
      it(`NUM-1..7 ORD-1..12 KEY-1..2 SIG-4..5 MAR-1..3 LIST-1..6 ORA-1..3 FINE-1 MM-3..4 FEED-1..2 HOUSE-1 LIQ-1..3 FINE-11 DEP-1..2 PAY-2..3 SIG-3 VEN-1 BAT-2..6 TIF-1..3 STP-1 DUE-1 CID-1 AMD-1 GRD-1 QTS-1..5 DET-2..6 CMB-1..2: seeds ${from} to ${to}`, () => {
        for (let seed = from; seed <= to; seed++) this.#agrees(simulate(seed, STEPS));
      });
    }
  }

  /** Each of these seeds, with hostile accounts in defined-risk mode. */
  spreads(seeds: readonly number[], title: string): void {
    it(title, () => {
      for (const seed of seeds) this.#agrees(simulateSpreads(seed, STEPS));
    });
  }

  #agrees({ seed, custody, counts, failure }: Report): void {
    for (const [what, times] of counts) this.seen.set(what, (this.seen.get(what) ?? 0) + times);
    assert.ok(failure === null, `seed ${seed}${custody ? ' with custody' : ''}, ${failure}`);
  }
}
