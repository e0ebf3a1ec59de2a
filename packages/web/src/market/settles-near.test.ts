import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriesSettlesNear, settlesText, soldInTheMoney } from './settles-near.ts';

const CUTOFF_MS = Date.UTC(2026, 10, 28, 1);
const EXPIRY_TS = CUTOFF_MS / 1_000;
const PUT = `BTC-${EXPIRY_TS}-P-99500`;
const CALL = `BTC-${EXPIRY_TS}-C-99500`;
const MINUTE_MS = 60_000;

/** The price stood at 95,000 for 21 minutes, and has been at 100,000 since. */
const histories = {
  spots: () => [
    { second: EXPIRY_TS - 40 * 60, price: 95_000 },
    { second: EXPIRY_TS - 30 * 60, price: 95_000 },
    { second: EXPIRY_TS - 9 * 60, price: 100_000 },
  ],
};
const nearAt = (leftMs: number, seriesId = PUT) =>
  seriesSettlesNear(histories, { seriesId, nowMs: CUTOFF_MS - leftMs });

test('ORA-1: from thirty minutes on a contract says what is fixed of its price, and about what it pays', () => {
  const near = nearAt(7.5 * MINUTE_MS)!;
  assert.equal(near.fixedShare, 0.75);
  assert.equal(near.price, 95_000 * 0.7 + 100_000 * 0.3);
  assert.equal(settlesText(PUT, near), 'Settlement estimate 96,500.00 (75% fixed): pays about 3,000.00');
  assert.equal(settlesText(CALL, near), 'Settlement estimate 96,500.00 (75% fixed): pays nothing');
  assert.match(settlesText(PUT, { ...near, seenShare: 0.4 }), /75% fixed, seen: 9 of 23 min\)/);
});

test('ORA-1: before them and after the cutoff there is no estimate, nor of what is no contract', () => {
  assert.equal(nearAt(31 * MINUTE_MS), null);
  assert.ok(nearAt(29 * MINUTE_MS) !== null);
  assert.equal(nearAt(0), null);
  assert.equal(nearAt(7 * MINUTE_MS, 'BTC'), null);
});

test('ORA-1: what is sold in the money by the estimate is asked about, whatever the spot is', () => {
  const near = nearAt(7.5 * MINUTE_MS);
  assert.equal(
    soldInTheMoney(PUT, near),
    'You sell what is in the money: it settles near 96,500.00, 75% of it fixed, and pays about 3,000.00.',
  );
  assert.equal(soldInTheMoney(CALL, near), null);
  assert.equal(soldInTheMoney(PUT, null), null);
});
