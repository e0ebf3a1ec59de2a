/** kill -9 under load, in short; `tests/faults/kill.ts` has the long run. */

// @seconds 32

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killRounds } from '../faults/kill.ts';

test('ORD-8, SIG-4, BAT-2, QTS-1, DUE-1: after 12 kills -9 under load every acknowledged write is there once and whole, no nonce is spent twice, and deadlines come first', async (t) => {
  // Two venues in parallel, as most of a round is a single process starting.
  const halves = { rounds: 6, traders: 8, servesMsMax: 350 };
  const results = await Promise.all([killRounds(halves), killRounds(halves)]);
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
    assert.ok(acknowledged > 50, 'there was load');
    assert.ok(unknown + foundOut > 0, 'the kills hit writes on their way');
  }
});
