import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MarginReport } from '@venue/protocol';
import { locksOf } from './locks.ts';

describe('the lines of locked cash', () => {
  const entry = { qty: 2, unit: 50, amount: 100 };
  const buy = (id: number, reserve: number) => ({ id, seriesId: 'U', remaining: 3, price: 10, reserve });
  const report = (parts: Partial<Record<keyof MarginReport, unknown>>) =>
    ({
      locked: 137.3,
      series: [
        { seriesId: 'S', qty: -2, entry },
        { seriesId: 'T', qty: 1, entry: { qty: 1, unit: 7, amount: 7 } },
      ],
      orders: [buy(1, 30.1), buy(2, 0.2), { id: 3, seriesId: 'T', remaining: 2, price: 9, reserve: 0 }],
      reserved: 30.3,
      ...parts,
    }) as unknown as MarginReport;
  const linesOf = (parts: Partial<Record<keyof MarginReport, unknown>>) =>
    locksOf(report(parts)).map(({ kind, amount }) => [kind, amount]);

  test('one for each short and each resting buy, largest first', () => {
    assert.deepEqual(linesOf({}), [
      ['short', 100],
      ['resting-buy', 30.1],
      ['resting-sell', 7],
      ['resting-buy', 0.2],
    ]);
  });

  test('QTS-4 one for what quote sets reserve, which no order explains', () => {
    assert.deepEqual(linesOf({ series: [], reserved: 42.300001 }), [
      ['resting-buy', 30.1],
      ['sets', 12.000001],
      ['resting-buy', 0.2],
    ]);
    const [line] = locksOf(report({ series: [], orders: [], reserved: 5 }));
    assert.ok(line !== undefined && !('seriesId' in line));
  });

  test('where orders are left out, the rest may be theirs too', () => {
    const orders = Array.from({ length: 500 }, (_, i) => buy(i, 1));
    assert.deepEqual(linesOf({ series: [], orders, reserved: 502 })[0], ['older', 2]);
    assert.equal(linesOf({ series: [], orders, reserved: 500 }).length, 500);
  });
});
