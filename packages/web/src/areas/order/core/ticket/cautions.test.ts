import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenOrder, OrderPreviewAnswer, Position } from '@venue/protocol';
import { type CautionFacts, cautionsOf } from './cautions.ts';

const CALL = 'BTC-1764374400-C-95000';
const PUT = 'BTC-1764374400-P-95000';

/** An account's contracts by series. */
function holding(held: Readonly<Record<string, number>>): ReadonlyMap<string, Position> {
  return new Map(
    Object.entries(held).map(([seriesId, qty]) => {
      const [symbol, expiry, right] = seriesId.split('-');
      const optType = right === 'C' ? 'call' : 'put';
      return [seriesId, { seriesId, symbol, optType, expiryTs: Number(expiry), qty } as Position];
    }),
  );
}

function preview(before: number, after: number, fills: { price: number; qty: number }[] = []) {
  return {
    status: 'filled',
    fills,
    restedQty: 0,
    before: { buyingPower: before },
    after: { buyingPower: after },
  } as OrderPreviewAnswer;
}

const plain = {
  terms: { seriesId: CALL, side: 'buy', qty: 1, price: 100 },
  preview: null,
  mark: 100,
  touch: 100,
  positions: new Map(),
  resting: [],
  buyingPower: 1_000_000,
  settles: null,
} as const;

test('an ordinary order needs no confirmation', () => {
  assert.deepEqual(cautionsOf(plain), []);
  assert.deepEqual(cautionsOf({ ...plain, preview: preview(1_000, 500) }), []);
  assert.deepEqual(cautionsOf({ ...plain, mark: Number.NaN }), []);
});

test('a price must be past the mark by a tenth and by a dollar, on the expensive side', () => {
  const at = (side: 'buy' | 'sell', price: number, mark: number) =>
    cautionsOf({ ...plain, terms: { seriesId: PUT, side, qty: 1, price }, mark }).length;
  assert.deepEqual([at('buy', 110, 100), at('buy', 110.01, 100), at('buy', 50, 100)], [0, 1, 0]);
  assert.deepEqual([at('sell', 90, 100), at('sell', 89.99, 100), at('sell', 200, 100)], [0, 1, 0]);
  assert.deepEqual([at('buy', 1.5, 0.6), at('buy', 1.7, 0.6)], [0, 1]);
});

test('a market order is judged by the price it would trade at', () => {
  const terms = { seriesId: CALL, side: 'buy', qty: 2 } as const;
  const dear = preview(10_000, 9_700, [
    { price: 100, qty: 1 },
    { price: 200, qty: 1 },
  ]);
  assert.deepEqual(cautionsOf({ ...plain, terms, preview: dear }), ['The price is 50% above the mark.']);
});

test('a close is judged by the price it would trade at, never by the bound that the page chose', () => {
  const terms = { seriesId: CALL, side: 'sell', qty: 1, price: 85, reduceOnly: true, tif: 'ioc' } as const;
  const close = { ...plain, terms, isClosing: true };
  const at = (price: number) => preview(10_000, 10_100, [{ price, qty: 1 }]);
  assert.deepEqual(cautionsOf({ ...close, preview: at(95) }), []);
  assert.deepEqual(cautionsOf({ ...close, touch: 95 }), []);
  assert.deepEqual(cautionsOf({ ...close, preview: at(86) }), ['The price is 14% below the mark.']);
  assert.deepEqual(cautionsOf({ ...plain, terms }), ['The price is 15% below the mark.']);
});

test('more than half of the buying power needs confirmation', () => {
  assert.deepEqual(cautionsOf({ ...plain, preview: preview(1_000, 400) }), [
    'It takes 60% of your buying power.',
  ]);
});

test("before the first preview, the possible cost is judged by the order's terms", () => {
  const of = (terms: Partial<CautionFacts['terms']>, held = 0) =>
    cautionsOf({
      ...plain,
      terms: { ...plain.terms, ...terms },
      positions: holding({ [CALL]: held, [PUT]: held }),
      buyingPower: 1_000,
    });
  assert.deepEqual(of({ qty: 5 }), []);
  assert.deepEqual(of({ qty: 7 }), ['It may take 70% of your buying power.']);
  assert.deepEqual(of({ qty: 7 }, -3), [], 'what buys a short back opens nothing');
  assert.deepEqual(of({ seriesId: PUT, side: 'sell', qty: 0.01 }), ['It may take 95% of your buying power.']);
  assert.deepEqual(of({ seriesId: PUT, side: 'sell', qty: 0.01 }, 0.01), []);
  const { price: _, ...market } = { ...plain.terms, qty: 7 };
  const facts = { ...plain, terms: market, buyingPower: 1_000 };
  assert.equal(cautionsOf(facts).length, 1);
  assert.equal(cautionsOf({ ...facts, touch: 10 }).length, 0);
  assert.equal(cautionsOf({ ...facts, touch: Number.NaN }).length, 1);
});

const OTHER_CALL = 'BTC-1764374400-C-99000';
const LATER_CALL = 'BTC-1767052800-C-95000';

function asksAboutLoss(
  seriesId: string,
  side: 'buy' | 'sell',
  held: Readonly<Record<string, number>>,
): boolean {
  const terms = { seriesId, side, qty: 2, price: 100 };
  return cautionsOf({ ...plain, terms, positions: holding(held) }).some((text) =>
    /unlimited loss/.test(text),
  );
}

test('sold calls need confirmation where the book is short of them afterwards', () => {
  assert.equal(asksAboutLoss(CALL, 'sell', {}), true);
  assert.equal(asksAboutLoss(CALL, 'sell', { [CALL]: 1 }), true);
  assert.equal(asksAboutLoss(CALL, 'sell', { [CALL]: 2 }), false);
  assert.equal(asksAboutLoss(PUT, 'sell', {}), false);
});

test('a spread has limited loss: another strike covers it, another expiry or underlying does not', () => {
  assert.equal(asksAboutLoss(OTHER_CALL, 'sell', { [CALL]: 2 }), false);
  assert.equal(asksAboutLoss(CALL, 'sell', { [OTHER_CALL]: 2 }), false);
  assert.equal(asksAboutLoss(CALL, 'sell', { [LATER_CALL]: 2 }), true);
  assert.equal(asksAboutLoss(CALL, 'sell', { 'ETH-1764374400-C-95000': 2 }), true);
});

test('selling the long leg of a spread uncovers the short one; buying never uncovers', () => {
  assert.equal(asksAboutLoss(CALL, 'sell', { [CALL]: 2, [OTHER_CALL]: -2 }), true);
  assert.equal(asksAboutLoss(CALL, 'buy', { [OTHER_CALL]: -5 }), false);
  assert.equal(
    asksAboutLoss(CALL, 'sell', { [LATER_CALL]: -5, [CALL]: 3 }),
    false,
    'what it does not change',
  );
});

test('only the part that fills or rests counts, not the part cancelled', () => {
  const terms = { seriesId: CALL, side: 'sell', qty: 50 } as const;
  const fills = [{ price: 100, qty: 2 }];
  const facts = { ...plain, terms, preview: preview(1_000, 1_000, fills) };
  assert.deepEqual(cautionsOf({ ...facts, positions: holding({ [CALL]: 2 }) }), []);
  assert.match(cautionsOf({ ...facts, positions: holding({ [CALL]: 1.5 }) })[0]!, /^Net short 0\.5 calls/);
});

test('STP-1: an order of the account itself in the way', () => {
  const own = (side: 'buy' | 'sell', price: number) => ({ side, price }) as OpenOrder;
  const met = (resting: OpenOrder[], more: Partial<CautionFacts> = {}) =>
    cautionsOf({ ...plain, resting, ...more });
  const words = ['Your own order to sell at 100.00 is in its way: what would meet it is cancelled.'];
  assert.deepEqual(met([own('sell', 105), own('sell', 100)]), words);
  assert.deepEqual(met([own('sell', 101)]), []);
  assert.deepEqual(met([own('buy', 100)]), []);
  // The preview knows whether it comes to that order at all.
  const short = preview(1_000, 900, [{ price: 99, qty: 1 }]);
  assert.deepEqual(met([own('sell', 100)], { preview: short }), []);
  const stopped = { ...short, reason: 'self-trade prevented', code: 'self-trade-prevented' } as const;
  assert.deepEqual(met([own('sell', 100)], { preview: stopped }), words);
  const sale = { seriesId: PUT, side: 'sell', qty: 1 } as const;
  assert.deepEqual(met([own('buy', 99), own('buy', 100)], { terms: sale }), [
    'Your own order to buy at 100.00 is in its way: what would meet it is cancelled.',
  ]);
  assert.deepEqual(met([own('sell', 100)], { terms: { ...plain.terms, postOnly: true } }), []);
});

test('TIF-3: a reduce-only order leaves no call uncovered, whatever its quantity', () => {
  const sale = { seriesId: CALL, side: 'sell', qty: 3, price: 100 } as const;
  assert.equal(cautionsOf({ ...plain, terms: sale, positions: holding({ [CALL]: 1 }) }).length, 1);
  const cut = { ...sale, tif: 'ioc', reduceOnly: true } as const;
  assert.deepEqual(cautionsOf({ ...plain, terms: cut, positions: holding({ [CALL]: 1 }) }), []);
});

test('ORA-1: what settles in the money is not sold unasked, and bought as ever', () => {
  const settles = { price: 92_000, fixedShare: 0.77, seenShare: 1 };
  const of = (seriesId: string, side: 'buy' | 'sell', at: CautionFacts['settles']) =>
    cautionsOf({ ...plain, terms: { ...plain.terms, seriesId, side, reduceOnly: true }, settles: at });
  assert.deepEqual(of(PUT, 'sell', settles), [
    'You sell what is in the money: it settles near 92,000.00, 77% of it fixed, and pays about 3,000.00.',
  ]);
  assert.deepEqual(of(PUT, 'sell', null), []);
  assert.deepEqual(of(CALL, 'sell', settles), []);
  assert.deepEqual(of(PUT, 'buy', settles), []);
});
