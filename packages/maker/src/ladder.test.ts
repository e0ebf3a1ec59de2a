import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decimalToMicros } from '@venue/protocol';
import fc from 'fast-check';
import { ladderOf } from './ladder.ts';
import { tickAbove, tickAt, tickBelow } from './ticks.ts';

const PLENTY = { bid: 1e6, ask: 1e6 };
const NO_CEILING = { ceiling: Number.POSITIVE_INFINITY, levels: 2 } as const;
const TERMS = fc.record({
  centre: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 2e5, noNaN: true })),
  share: fc.double({ min: 0, max: 2, noNaN: true }),
  size: fc.constantFrom(0.001, 0.5, 10, 100),
});

test('a ladder is never crossed, brackets its centre, worsens with each level, and is exact in micros (NUM-2)', () => {
  fc.assert(
    fc.property(TERMS, ({ centre, share, size }) => {
      const halfSpread = Math.max(tickAt(centre) / 2, share * centre);
      const { bids, asks } = ladderOf({ centre, halfSpread, size, room: PLENTY, ...NO_CEILING });
      assert.equal(asks.length, 2);
      const [bidPrices, askPrices] = [bids.map(([price]) => price), asks.map(([price]) => price)];
      assert.ok((bidPrices[0] ?? 0) <= centre + 1e-9 && askPrices[0]! >= centre - 1e-9);
      assert.ok((bidPrices[0] ?? 0) < askPrices[0]!);
      assert.deepEqual(
        bidPrices,
        [...new Set(bidPrices)].sort((a, b) => b - a),
      );
      assert.deepEqual(
        askPrices,
        [...new Set(askPrices)].sort((a, b) => a - b),
      );
      for (const amount of [...bids, ...asks].flat()) {
        const micros = decimalToMicros(amount);
        assert.ok(micros !== undefined && micros > 0, `${amount}`);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('an option worth less than a tick is only offered', () => {
  const { bids, asks } = ladderOf({ centre: 0.004, halfSpread: 0.005, size: 1, room: PLENTY, ...NO_CEILING });
  assert.deepEqual(
    [bids, asks],
    [
      [],
      [
        [0.01, 1],
        [0.02, 4],
      ],
    ],
  );
});

test('the second level has four sizes, or less where the room is used up', () => {
  const room = { bid: 2.5, ask: 1 };
  const { bids, asks } = ladderOf({ centre: 5, halfSpread: 0.1, size: 1, room, ...NO_CEILING });
  assert.deepEqual(
    [bids, asks],
    [
      [
        [4.9, 1],
        [4.8, 1.5],
      ],
      [[5.1, 1]],
    ],
  );
});

test('a series far from the money has one level a side', () => {
  const terms = { centre: 5, halfSpread: 0.1, size: 1, room: PLENTY, ...NO_CEILING, levels: 1 } as const;
  assert.deepEqual(ladderOf(terms), { bids: [[4.9, 1]], asks: [[5.1, 1]] });
});

describe('MARK-1 where no room for an ask is left', () => {
  const asksAt = (change: { centre?: number; ceiling?: number; size?: number }) =>
    ladderOf({
      centre: 5,
      halfSpread: 0.1,
      size: 1,
      room: { bid: 1, ask: 0 },
      ...NO_CEILING,
      ...change,
    }).asks;

  test('a small ask stays, ten half spreads away', () => {
    assert.deepEqual(asksAt({}), [[6, 0.01]]);
    assert.deepEqual(asksAt({ size: 0.001 }), [[6, 0.00001]]);
    assert.deepEqual(asksAt({ centre: 0 }), [[1, 0.01]]);
  });

  test('never above the most the contract can be worth, nor closer than any other ask', () => {
    assert.deepEqual(asksAt({ ceiling: 5.507 }), [[5.5, 0.01]]);
    assert.deepEqual(asksAt({ ceiling: 5 }), [[5.1, 0.01]]);
  });
});

describe('ticks', () => {
  test('the step grows with the price', () => {
    assert.deepEqual([0, 9.99, 10, 99, 100, 999, 1_000].map(tickAt), [0.01, 0.01, 0.05, 0.05, 0.5, 0.5, 5]);
  });

  test('a price on the grid stays, any other is rounded outward', () => {
    for (const price of [0.01, 0.07, 9.99, 10.05, 99.95, 100.5, 1_005]) {
      assert.deepEqual([tickBelow(price), tickAbove(price)], [price, price]);
    }
    assert.deepEqual([tickBelow(10.04), tickAbove(9.996), tickBelow(-3)], [10, 10, 0]);
  });
});
