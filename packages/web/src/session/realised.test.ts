import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FillRecord, OrderRecord } from '@venue/protocol';
import { tellRealised } from '../areas/book/core/tell-realised.ts';
import { Notices } from '../areas/notices/core/notices.ts';
import { createStores } from '../terminal/stores.ts';
import { realisedOf, tradedOf } from './realised.ts';

const fill = (orderId: number, qty: number, realized: number) => ({ orderId, qty, realized }) as FillRecord;
const order = (id: number, filledQty: number, ...ratios: number[]) =>
  ({ id, filledQty, ...(ratios.length > 0 && { legs: ratios.map((ratio) => ({ ratio })) }) }) as OrderRecord;

describe('ACC-4: what an order has realised', () => {
  it('is the sum of its fills, of all its legs, to the micro', () => {
    const orders = [order(7, 0.3), order(8, 0.5, 1, 2)].map(tradedOf);
    const fills = [
      fill(7, 0.1, 0.1),
      fill(8, 0.5, -3),
      fill(7, 0.2, 0.2),
      fill(8, 1, 5.000001),
      fill(9, 1, 9),
    ];
    assert.deepEqual(
      [...realisedOf(orders, fills)],
      [
        [7, { usd: 0.3, isClose: true }],
        [8, { usd: 2.000001, isClose: true }],
      ],
    );
  });

  it('is unknown while a fill is missing: half of it would be another result', () => {
    assert.deepEqual([...realisedOf([tradedOf(order(7, 0.3))], [fill(7, 0.1, 0.1)])], []);
    assert.deepEqual([...realisedOf([tradedOf(order(7, 0))], [])], []);
  });

  it('stands on the card of its order once the fills have come, before or after the answer, once', () => {
    const stores = createStores();
    const notices = new Notices(stores.notices);
    const texts = () => stores.notices.getState().list.map(({ text }) => text);
    tellRealised(stores);
    const card = (orderId: number, contractsMicros: number) =>
      notices.add({
        tone: 'good',
        title: '',
        text: `${orderId} filled`,
        trade: { orderId, contractsMicros },
      });
    stores.holdings.setState({ fills: [fill(1, 1, -107.63)] });
    card(1, 1e6);
    assert.deepEqual(texts(), ['1 filled. Realised −$107.63.']);
    card(2, 2e6);
    stores.holdings.setState({ fills: [fill(2, 1, 4), fill(1, 1, -107.63)] });
    assert.equal(texts()[0], '2 filled');
    stores.holdings.setState({ fills: [fill(2, 1, 8), fill(2, 1, 4), fill(1, 1, -107.63)] });
    card(3, 1e6);
    stores.holdings.setState({ fills: [fill(3, 1, 0), ...stores.holdings.getState().fills] });
    assert.deepEqual(texts(), ['3 filled.', '2 filled. Realised +$12.00.', '1 filled. Realised −$107.63.']);
  });
});
