import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addingUp } from './adding-up.ts';
import { formatUsd, parseAmount } from './numbers.ts';

const cents = (usd: number) => Math.round(usd * 100);
const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + cents(part), 0);

test('TERM-23: parts in cents add up to their sum in cents as it is written, none off by a cent', () => {
  const micros = fc.array(fc.integer({ min: -50_000_000, max: 900_000_000 }), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(micros, (all) => {
      const parts = all.map((one) => one / 1e6);
      const total = all.reduce((a, b) => a + b, 0) / 1e6;
      const shown = addingUp(total, parts);
      const written = parseAmount(formatUsd(Math.abs(total)));
      assert.ok(written.ok);
      assert.equal(sum(shown), (Math.sign(total) * written.micros) / 10_000 || 0, `${parts}`);
      for (const [at, part] of parts.entries()) assert.ok(Math.abs(shown[at]! - part) < 0.01, `${parts}`);
    }),
    { seed: 3, numRuns: 500 },
  );
});

test('TERM-23: a part that is nothing stays nothing, and a sum without parts has none', () => {
  assert.deepEqual(addingUp(0.02, [0.005, 0, 0.015]), [0.01, 0, 0.01]);
  assert.deepEqual(addingUp(0, []), []);
  assert.deepEqual(addingUp(100.01, [33.333333, 33.333333, 33.343334]), [33.33, 33.33, 33.35]);
});
