import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenOrder, Trade } from '@venue/protocol';
import { ladderOf, PRINTS_KEPT, withPrints } from './ladder.ts';

describe('the ladder of a contract', () => {
  const bids = [
    { price: 10, qty: 2 },
    { price: 9, qty: 8 },
  ];
  const asks = [
    { price: 11, qty: 4 },
    { price: 12, qty: 1 },
  ];

  it('goes from the highest ask to the lowest bid; a press takes what stands there', () => {
    assert.deepEqual(
      ladderOf({ bids, asks }).map(({ takes, price, share }) => [takes, price, share]),
      [
        ['buy', 12, 1 / 8],
        ['buy', 11, 4 / 8],
        ['sell', 10, 2 / 8],
        ['sell', 9, 1],
      ],
    );
    assert.deepEqual(ladderOf({ bids: [], asks: [] }), []);
  });

  it('has the best eight of each side, and says what of a rung is the account’s own', () => {
    const many = Array.from({ length: 20 }, (_, i) => ({ price: 100 + i, qty: 1 }));
    const prices = ladderOf({ bids: [], asks: many }).map(({ price }) => price);
    assert.deepEqual([prices.length, prices[0], prices.at(-1)], [8, 107, 100]);
    const own = [
      { side: 'buy', price: 9, remaining: 0.1 },
      { side: 'buy', price: 9, remaining: 0.2 },
      { side: 'buy', price: 8, remaining: 5 },
    ] as OpenOrder[];
    assert.deepEqual(
      ladderOf({ bids, asks }, own).map(({ ownQty }) => ownQty),
      [0, 0, 0, 0.3],
    );
  });
});

describe('the prints of a contract', () => {
  const print = (id: number, seriesId = 'A') => ({ id, seriesId }) as Trade;

  it('are those of the contract, newest first, each once', () => {
    const known = withPrints([], [print(1), print(2, 'B'), print(3)], 'A');
    assert.deepEqual(
      withPrints(known, [print(3), print(5), print(4)], 'A').map(({ id }) => id),
      [5, 4, 3, 1],
    );
    assert.equal(withPrints(known, [print(3), print(9, 'B')], 'A'), known, 'nothing is new');
  });

  it('are the newest thirty', () => {
    const all = Array.from({ length: 50 }, (_, i) => print(i + 1));
    const kept = withPrints([], all, 'A');
    assert.deepEqual([kept.length, kept[0]?.id], [PRINTS_KEPT, 50]);
  });
});
