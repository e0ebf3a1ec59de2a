import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OpenOrder } from '@venue/protocol';
import { restingBeyond } from './resting-beyond.ts';

const [NEAR, FAR] = ['BTC-1795827600-C-96000', 'BTC-1796432400-C-96000'] as const;

it('TERM-12: of what rests on a strategy that closes, only orders beyond what is still held would open a position', () => {
  const order = (seriesId: string, side: 'buy' | 'sell') =>
    ({ id: 1, seriesId, side, qty: 1, remaining: 0.5 }) as OpenOrder;
  const of = (held: number, qty: number, ...resting: OpenOrder[]) =>
    restingBeyond(
      {
        legs: [
          { seriesId: NEAR, side: 'sell', ratio: 1 },
          { seriesId: FAR, side: 'buy', ratio: 1 },
        ],
        qty,
      },
      {
        orders: Map.groupBy(resting, ({ seriesId }) => seriesId),
        positions: new Map([[NEAR, { qty: held }]]),
      },
    ).length;
  assert.equal(of(1, 1, order(NEAR, 'sell')), 1);
  assert.equal(of(1, 0.6, order(NEAR, 'sell')), 1, 'more rests than the 0.4 that are left');
  assert.equal(of(1, 0.5, order(NEAR, 'sell')), 0, 'it closes what is left');
  assert.equal(of(1, 1, order(NEAR, 'buy')), 0, 'the other side');
  assert.equal(of(1, 1, order(FAR, 'buy')), 0, 'a roll opens this leg');
});
