import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenOrder, Position } from '@venue/protocol';
import { type EditFacts, editCautions } from './edit-cautions.ts';
import { editOf } from './order-edit.ts';

const CALL = 'BTC-1764374400-C-95000';
const BUY = { id: 7, seriesId: CALL, side: 'buy', qty: 5, remaining: 5, price: 100 } as OpenOrder;
const SELL: OpenOrder = { ...BUY, side: 'sell' };
const FACTS: EditFacts = {
  mark: 100,
  touch: 101,
  positions: new Map(),
  resting: [BUY],
  buyingPower: 10_000,
  settles: null,
};
const cautions = (
  order: OpenOrder,
  typed: { qty?: string; price?: string },
  facts: Partial<EditFacts> = {},
) => editCautions({ ...editOf(order), ...typed }, { ...FACTS, ...facts });

describe('what is asked about an edit', () => {
  it('is nothing for an ordinary one, and for less of it', () => {
    assert.deepEqual(cautions(BUY, { price: '101' }), []);
    assert.deepEqual(cautions(BUY, { qty: '4' }, { mark: 1 }), []);
    assert.deepEqual(cautions(BUY, { qty: '0.1' }, { buyingPower: 0 }), []);
  });

  it('is a price past the mark', () => {
    assert.deepEqual(cautions(BUY, { price: '1010' }, { buyingPower: 1e6 }), [
      'The price is 910% above the mark.',
    ]);
    assert.deepEqual(cautions(SELL, { price: '10' }), ['The price is 90% below the mark.']);
  });

  it('is money beyond what the order holds already', () => {
    // 5 x 100 are held: of 100 + 500 the same order again takes 83 %.
    assert.deepEqual(cautions(BUY, { price: '100.01' }, { buyingPower: 100 }), [
      'It may take 83% of your buying power.',
    ]);
    assert.deepEqual(cautions(BUY, { price: '100.01' }, { buyingPower: 600 }), []);
  });

  it('is a call sold without cover, where the edit sells more of it', () => {
    const short = new Map([
      [CALL, { symbol: 'BTC', optType: 'call', expiryTs: 1764374400, qty: -1 } as Position],
    ]);
    assert.deepEqual(cautions(SELL, { price: '101' }, { positions: short }), []);
    assert.equal(cautions(SELL, { qty: '6' }, { positions: short }).length, 1);
  });

  it('is an order of the account itself in the way, and never the order itself', () => {
    const own: OpenOrder = { ...SELL, id: 8, price: 101 };
    assert.deepEqual(cautions(BUY, { price: '101' }, { resting: [BUY, own] }), [
      'Your own order to sell at 101.00 is in its way: what would meet it is cancelled.',
    ]);
  });

  it('is a drop that moves it by over a fifth, or over half-way to the mark (TERM-12)', () => {
    const resting: OpenOrder = { ...BUY, price: 500 };
    const facts = { isDropped: true, mark: 1_300, touch: 1_320, buyingPower: 1e6 };
    const dropped = (price: string, more: Partial<EditFacts> = {}) =>
      cautions(resting, { price }, { ...facts, ...more });
    assert.deepEqual(dropped('600'), []);
    assert.deepEqual(dropped('601'), ['It moves from 500.00 to 601.00.']);
    assert.deepEqual(dropped('399'), ['It moves from 500.00 to 399.00.']);
    assert.deepEqual(dropped('1262'), ['It moves from 500.00 to 1,262.00, the mark is 1,300.00.']);
    const near = { mark: 520 };
    assert.deepEqual(dropped('510', near), []);
    assert.deepEqual(dropped('511', near), ['It moves from 500.00 to 511.00, the mark is 520.00.']);
    assert.deepEqual(dropped('489', near), []);
    assert.deepEqual(dropped('511', { mark: Number.NaN }), []);
    const sell: OpenOrder = { ...SELL, price: 9_000 };
    assert.deepEqual(cautions(sell, { price: '834.4' }, { ...facts, mark: 790 }), [
      'It moves from 9,000.00 to 834.40, the mark is 790.00.',
    ]);
    // What was typed was meant.
    assert.deepEqual(dropped('1262', { isDropped: false }), []);
  });
});
