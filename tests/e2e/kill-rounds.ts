/** kill -9 under load, for the tests; `tests/faults/kill.ts` does it by hand. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killRounds } from '../faults/kill.ts';

/** Adds a test that kills each of some venues so many times, side by side, as most of a round is one process starting. */
export function testKills({ venues, rounds }: { readonly venues: number; readonly rounds: number }): void {
  test(`ORD-8, SIG-4, BAT-2, QTS-1, DUE-1: after ${venues * rounds} kills -9 under load every acknowledged write is there once and whole, no nonce is spent twice, and deadlines come first`, async (t) => {
    const options = { rounds, traders: 8, servesMsMax: 350 };
    const results = await Promise.all(Array.from({ length: venues }, () => killRounds(options)));
    for (const { faults, acknowledged, unknown, foundOut, outagesMs, ...rest } of results) {
      const { batches, placed, pushes, deadlines } = rest;
      t.diagnostic(
        `${acknowledged} acknowledged, ${unknown} unknown, ${foundOut} found out; down ${outagesMs}`,
      );
      t.diagnostic(
        `${batches} batches with ${placed} orders, ${pushes} pushes, ${deadlines} orders left by a deadline`,
      );
      assert.deepEqual(faults, []);
      assert.ok(
        Math.min(batches, placed, pushes, deadlines) > 0,
        'batches, quotes and deadlines were among it',
      );
      assert.ok(unknown + foundOut > 0, 'the kills hit writes on their way');
    }
  });
}
