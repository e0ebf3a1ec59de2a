import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatUsd } from '../../../basics/numbers.ts';
import { moneyStrip, moneySums } from './money-lines.ts';

const anyUsd = fc.integer({ min: -5_000_000_000, max: 100_000_000_000 }).map((micros) => micros / 1e6);
/** Whole cents of a text such as `−$1,234.50`. */
const centsOf = (usd: number) =>
  Math.round(Number(formatUsd(usd).replace('−', '-').replaceAll(/[$,]/g, '')) * 100);

test('RSK-1: the lines of the account above a total add up to it as they are written', () => {
  fc.assert(
    fc.property(anyUsd, anyUsd, anyUsd, (cash, equity, buyingPower) => {
      const sums = moneySums({ cash, equity, buyingPower });
      assert.deepEqual(
        sums.map((lines) => [lines.at(-1)!.label, centsOf(lines.at(-1)!.amount)]),
        [
          ['Equity', centsOf(equity)],
          ['Buying power', centsOf(buyingPower)],
        ],
      );
      for (const lines of sums) {
        const parts = lines.filter(({ isTotal }) => isTotal !== true);
        const sum = parts.reduce((all, { amount }) => all + centsOf(amount), 0);
        assert.equal(sum, centsOf(lines.at(-1)!.amount));
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('TERM-25: the strip has cash once, and what is locked of it without a minus', () => {
  const strip = moneyStrip({ cash: 98_193.51, equity: 99_938.51, buyingPower: 98_093.51 });
  assert.deepEqual(
    strip.map(({ label, amount }) => `${label} ${formatUsd(amount)}`),
    [
      ...['Cash $98,193.51', 'Positions at mark $1,745.00', 'Equity $99,938.51'],
      ...['Locked $100.00', 'Buying power $98,093.51'],
    ],
  );
  assert.ok(Object.is(moneyStrip({ cash: 1, equity: 1, buyingPower: 1 })[3]!.amount, 0));
});
