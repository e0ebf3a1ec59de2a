import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCompactQuotes, readPrints, readVerboseQuotes, shownErrors } from './rows.ts';

describe('bodies that are atomic by row (MM-3, FEED-1, FINE-15)', () => {
  it('reads both forms of a quote alike; null and absent leave things as they are', () => {
    const full = { i: 0, bids: [[1_000_000, 2_000_000]], asks: [], iv: 0.5, delta: -0.4 };
    assert.deepEqual(readCompactQuotes([[7, [[1, 2]], [], 0.5, -0.4]]).rows, [{ ...full, series: 7 }]);
    const verbose = { seriesId: 'X', bids: [[1, 2]], asks: [], iv: 0.5, delta: -0.4 };
    assert.deepEqual(readVerboseQuotes([verbose]).rows, [{ ...full, series: 'X' }]);
    const bare = { i: 0, bids: null, asks: null };
    assert.deepEqual(readCompactQuotes([[7, null, null, null, null]]).rows, [{ ...bare, series: 7 }]);
    assert.deepEqual(readVerboseQuotes([{ seriesId: 'X' }]).rows, [{ ...bare, series: 'X' }]);
  });

  it('turns a negative zero into the zero that the log gives back', () => {
    const [row] = readCompactQuotes([[7, null, null, -0, -0]]).rows;
    assert.ok(Object.is(row?.iv, 0) && Object.is(row?.delta, 0));
  });

  it('gives 0 for what is not representable, which the engine refuses', () => {
    assert.deepEqual(readCompactQuotes([[7, [[1e-7, 1e17]], null]]).rows[0]?.bids, [[0, 0]]);
    assert.equal(readPrints([{ symbol: 'A', source: 's', price: 1e-7 }]).rows[0]?.priceMicros, 0);
  });

  const MALFORMED: unknown[] = [
    null,
    {},
    [],
    [7],
    [7, []],
    ['7', [], []],
    [7.5, [], []],
    [7, [[1]], []],
    [7, [[1, 2, 3]], []],
    [7, [{ price: 1, qty: 2 }], []],
    [7, [], [], '0.5'],
    [7, [], [], 0, 0, 0],
    [7, [[Number.POSITIVE_INFINITY, 1]], []],
  ];
  for (const row of MALFORMED) {
    it(`reports ${JSON.stringify(row)} in its place`, () => {
      const { rows, rowErrors } = readCompactQuotes([[1, [], []], row, [2, [], []]]);
      assert.deepEqual(
        rows.map(({ i }) => i),
        [0, 2],
      );
      assert.deepEqual(rowErrors, [{ i: 1, error: 'malformed row' }]);
    });
  }

  it('shows the first twenty errors in the order of the push', () => {
    const errors = Array.from({ length: 30 }, (_, i) => ({ i: 29 - i, error: 'x' }));
    assert.deepEqual(
      shownErrors(errors).map(({ i }) => i),
      Array.from({ length: 20 }, (_, i) => i),
    );
  });
});
