/** Waits that end when the test says so, so that no load of the machine decides what comes first. */

import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';
import timers from 'node:timers/promises';

type Wait = (ms?: number, value?: unknown, options?: object) => Promise<unknown>;

/**
 * Holds every wait of exactly `ms` by the `setTimeout` of `node:timers/promises`, in all modules, until it is ended;
 * all other waits take their time. Returns the held ones, the oldest first, to which later ones are added.
 */
export function holdWaits(t: TestContext, ms: number): { end(): void }[] {
  const held: { end(): void }[] = [];
  const wait: Wait = timers.setTimeout;
  const { mock } = t.mock.method(timers, 'setTimeout', ((given, value, options) => {
    if (given !== ms) return wait(given, value, options);
    return new Promise((resolve) => held.push({ end: () => resolve(value) }));
  }) satisfies Wait);
  syncBuiltinESMExports();
  t.after(() => {
    mock.restore();
    syncBuiltinESMExports();
  });
  return held;
}
