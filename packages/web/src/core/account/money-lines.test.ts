import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moneySums } from './money-lines.ts';

test('RSK-1: the lines of the account above a total add up to it', () => {
  const sums = moneySums({ cash: 100_000, equity: 99_640, locked: 4_200.5, buyingPower: 95_799.5 });
  assert.deepEqual(
    sums.map((lines) => lines.at(-1)!.label),
    ['Equity', 'Buying power'],
  );
  for (const lines of sums) {
    const parts = lines.filter(({ isTotal }) => isTotal !== true);
    assert.equal(
      parts.reduce((sum, { amount }) => sum + amount, 0),
      lines.at(-1)!.amount,
    );
  }
});
