import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenOrder, OrderFill, OrderPreviewAnswer } from '@venue/protocol';
import { type OwnBook, previewed, qtyToAsk, qtyToAskAgain, reducible } from './previewed.ts';
import type { TicketTerms } from './ticket-terms.ts';

const CALL = 'BTC-1764374400-C-95000';
const before = { buyingPower: 1_000 } as OrderPreviewAnswer['before'];
const after = { buyingPower: 700 } as OrderPreviewAnswer['after'];

function answer(fills: OrderFill[], restedQty: number, status = 'partial'): OrderPreviewAnswer {
  return { status, fills, restedQty, cost: 10, fee: 1, before, after } as OrderPreviewAnswer;
}

/** An account that holds `qty` contracts, of which sells or buys of `resting` rest to close. */
function holding(qty: number, resting: readonly number[] = [], side: 'buy' | 'sell' = 'sell'): OwnBook {
  const orders = resting.map((remaining) => ({ side, remaining }) as OpenOrder);
  return { positions: new Map([[CALL, { qty }]]), orders: new Map([[CALL, orders]]) };
}

const NOTHING = holding(0);
const terms = (more: Partial<TicketTerms>): TicketTerms => ({
  seriesId: CALL,
  side: 'sell',
  qty: 5,
  ...more,
});

describe('TIF-3: what an order can reduce', () => {
  it('is the opposing position, less what rests to close it', () => {
    assert.equal(reducible(terms({}), holding(5)), 5);
    assert.equal(reducible(terms({ side: 'buy' }), holding(5)), 0);
    assert.equal(reducible(terms({ side: 'buy' }), holding(-2.5)), 2.5);
    assert.equal(reducible(terms({}), holding(0.3, [0.1, 0.1])), 0.1);
    assert.equal(reducible(terms({}), holding(2, [1, 2])), 0);
    assert.equal(reducible(terms({}), holding(2, [1, 2], 'buy')), 2);
  });

  it('is what the venue is asked about, if it is less than the order', () => {
    assert.equal(qtyToAsk(terms({ reduceOnly: true }), holding(2)), 2);
    assert.equal(qtyToAsk(terms({ reduceOnly: true }), holding(9)), 5);
    assert.equal(qtyToAsk(terms({}), holding(2)), 5);
    assert.equal(qtyToAsk(terms({ reduceOnly: true }), NOTHING), 5);
  });

  it('cuts the order, and refuses one with nothing to reduce', () => {
    const filled = answer([{ price: 5, qty: 2 }], 0, 'filled');
    assert.equal(previewed(filled, terms({ reduceOnly: true }), holding(2)).qty, 2);
    assert.equal(previewed(filled, terms({ reduceOnly: true }), holding(9)).qty, undefined);
    const { status, reason, fills, after: then } = previewed(filled, terms({ reduceOnly: true }), NOTHING);
    assert.deepEqual([status, reason, fills, then], ['rejected', 'nothing to reduce', [], before]);
  });
});

describe('TIF-1, TIF-2: what an order with a time in force would do', () => {
  const partly = answer([{ price: 5, qty: 2 }], 3);
  const resting = answer([], 5, 'rested');

  it('leaves a plain order as the venue has it', () => {
    assert.equal(previewed(partly, terms({ price: 5 }), NOTHING), partly);
    assert.equal(previewed(partly, terms({ price: 5, tif: 'gtd', expiresAt: 1 }), NOTHING), partly);
  });

  it('gives up the rest of an immediate order, for which the part that fills is asked about', () => {
    const ioc = terms({ price: 5, tif: 'ioc' });
    assert.equal(qtyToAskAgain(partly, ioc), 2);
    assert.equal(qtyToAskAgain(partly, terms({ price: 5 })), null);
    assert.equal(qtyToAskAgain(resting, ioc), null);
    assert.equal(qtyToAskAgain(answer([{ price: 5, qty: 5 }], 0), ioc), null);
    const none = previewed(resting, ioc, NOTHING);
    assert.deepEqual([none.status, none.restedQty, none.after], ['cancelled', 0, before]);
    const part = previewed(partly, ioc, NOTHING);
    assert.deepEqual([part.status, part.restedQty, part.after], ['partial', 0, after]);
  });

  it('refuses all or nothing where not all of it fills', () => {
    const fok = terms({ price: 5, tif: 'fok' });
    assert.equal(previewed(partly, fok, NOTHING).reason, 'fok cannot fill');
    const thirds = [1.1, 2.2, 1.7].map((qty) => ({ price: 5, qty }));
    assert.equal(previewed(answer(thirds, 0, 'filled'), fok, NOTHING).status, 'filled');
    assert.equal(previewed(partly, terms({ tif: 'fok', reduceOnly: true }), holding(2)).status, 'partial');
  });

  it('refuses what is post-only and would trade', () => {
    const post = terms({ price: 5, postOnly: true });
    assert.equal(previewed(partly, post, NOTHING).reason, 'post-only would trade');
    assert.equal(previewed(resting, post, NOTHING).status, 'rested');
  });

  it("keeps the venue's own refusal", () => {
    const refusal = { ...answer([], 0, 'rejected'), reason: 'series expired' };
    assert.equal(previewed(refusal, terms({ tif: 'fok', price: 5 }), NOTHING).reason, 'series expired');
  });
});
