import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coveredSale } from './covered-sale.ts';

const EXPIRY = 1_795_827_600;
const id = (right: 'C' | 'P', strike: number, { expiry = EXPIRY, symbol = 'BTC' } = {}) =>
  `${symbol}-${expiry}-${right}-${strike}`;
const SOLD = id('C', 96_000);

test('DRM-1: a sale is covered by a long of its underlying, expiry and right, at any strike', () => {
  const isOffered = (long: string, qty = 1, side: 'buy' | 'sell' = 'sell') =>
    coveredSale({ seriesId: SOLD, side, qty: 0.3 }, new Map([[long, { seriesId: long, qty }]])) !== null;
  assert.ok(isOffered(id('C', 95_000)));
  assert.ok(isOffered(id('C', 99_000)));
  assert.deepEqual(
    [
      isOffered(id('P', 95_000)),
      isOffered(id('C', 95_000, { expiry: EXPIRY + 86_400 })),
      isOffered(id('C', 95_000, { symbol: 'ETH' })),
      isOffered(id('C', 95_000), -1),
      isOffered(id('C', 95_000), 1, 'buy'),
    ],
    [false, false, false, false, false],
  );
});

test('DRM-1: a sale of more than is held is offered whole, as the venue imagines it with what is held', () => {
  const long = { seriesId: id('C', 95_000), qty: 1 };
  const positions = new Map([
    [SOLD, { seriesId: SOLD, qty: 0.1 }],
    [long.seriesId, long],
  ]);
  const closing = { seriesId: SOLD, side: 'sell', qty: 0.1 } as const;
  assert.equal(coveredSale(closing, positions), null, 'it closes what is held');
  assert.deepEqual(coveredSale({ ...closing, qty: 0.3 }, positions), {
    legs: [{ seriesId: SOLD, side: 'sell', ratio: 1 }],
    qty: 0.3,
  });
});
