import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Position } from '@venue/protocol';
import { equityBound, quotedUnrealized, withKnownMark } from './marks.ts';

const position = (seriesId: string, qty: number, mark: number) =>
  ({ seriesId, symbol: 'BTC', expiryTs: 7, qty, mark, unrealized: qty * (mark - 5) }) as Position;

const BY_BOOK = { inReview: new Set<string>(), riskMark: 'book' } as const;

test('MARK-1: a mark of zero means no quote, so it gives no profit or loss', () => {
  const unquoted = withKnownMark(position('S', 2, 0), BY_BOOK);
  assert.deepEqual([unquoted.mark, unquoted.unrealized, unquoted.qty], [Number.NaN, Number.NaN, 2]);
  const quoted = position('S', 2, 0.000001);
  assert.equal(withKnownMark(quoted, BY_BOOK), quoted);
});

test("MARK-1: a mark that is the price of an own order is nobody else's", () => {
  const held = position('S', 2, 1_420);
  const at = (price: number, more = {}) =>
    withKnownMark(held, { ...BY_BOOK, orders: new Map([['S', [{ price }]]]), ...more });
  assert.deepEqual(
    [at(1_420).mark, at(1_420).unrealized, at(1_420).isOwnMark],
    [Number.NaN, Number.NaN, true],
  );
  assert.equal(at(1_410), held, 'the middle of two sides');
  assert.equal(at(1_420, { riskMark: 'model' }), held);
  assert.equal(at(1_420, { inReview: new Set(['BTC 7']) }), held);
});

test('RSK-2: a mark of zero by the model is one', () => {
  const worthless = position('S', 2, 0);
  assert.equal(withKnownMark(worthless, { inReview: new Set(), riskMark: 'model' }), worthless);
});

test('a position in review is valued at its payout, which may be zero', () => {
  const worthless = position('S', 2, 0);
  assert.equal(withKnownMark(worthless, { ...BY_BOOK, inReview: new Set(['BTC 7']) }), worthless);
});

test('equity with unquoted positions is a bound', () => {
  const [long, short] = [position('L', 1, Number.NaN), position('S', -1, Number.NaN)];
  const quoted = position('Q', -3, 4);
  assert.deepEqual([[], [quoted], [quoted, long], [short, quoted], [long, short]].map(equityBound), [
    'exact',
    'exact',
    'at-least',
    'at-most',
    'about',
  ]);
});

test('results without a mark are left out of sums, and a sum of nothing else is unknown', () => {
  const unquoted = { ...position('U', 2, Number.NaN), unrealized: Number.NaN };
  const quoted = position('Q', 3, 7);
  assert.deepEqual([[], [quoted], [quoted, unquoted], [unquoted]].map(quotedUnrealized), [
    0,
    6,
    6,
    Number.NaN,
  ]);
});
