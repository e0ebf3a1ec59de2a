import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeQuotes } from '@venue/protocol';
import { listedState, pushOn } from '../../test/listed.ts';
import { readPush } from './quote-push.ts';

const state = listedState();
const seriesId = state.series[7]!.seriesId;
const compact = (rows: unknown[]) => readPush(state, { rows });

describe('a push in its three forms (MM-2, FINE-15)', () => {
  it('yields the same row in each; null and absent leave a side unchanged', () => {
    const row = { sid: 7, bids: [[1_000_000, 2_000_000]], asks: [], iv: 0.5, delta: -0.4 } as const;
    const placed = [{ i: 0, row }];
    assert.deepEqual(compact([[7, [[1, 2]], [], 0.5, -0.4]]).rows, placed);
    const verbose = { seriesId, bids: [[1, 2]], asks: [], iv: 0.5, delta: -0.4 };
    assert.deepEqual(readPush(state, { quotes: [verbose] }).rows, placed);
    assert.deepEqual(readPush(state, encodeQuotes([row])).rows, placed);

    const bare = [{ i: 0, row: { sid: 7, bids: null, asks: null } }];
    assert.deepEqual(compact([[7, null, null, null, null]]).rows, bare);
    assert.deepEqual(readPush(state, { quotes: [{ seriesId }] }).rows, bare);
    assert.deepEqual(readPush(state, encodeQuotes([{ sid: 7, bids: null, asks: null }])).rows, bare);
  });

  it('lists an unknown sid, and reports an unknown name', () => {
    const { rows, unknownSids } = compact([
      [99_999, [], []],
      [-1, [], []],
      [0, [], []],
      [99_999, [[0, 0]], []],
    ]);
    assert.deepEqual([rows.map(({ i }) => i), unknownSids], [[2], [99_999, -1]]);
    assert.deepEqual(readPush(state, { quotes: [{ seriesId: 'X-1-C-1' }] }).rowErrors, [
      { i: 0, error: 'unknown series' },
    ]);
  });

  it('normalizes a negative zero, as the log returns zero', () => {
    const [placed] = compact([[7, null, null, -0, -0]]).rows;
    assert.ok(Object.is(placed?.row.iv, 0) && Object.is(placed?.row.delta, 0));
  });

  it('refuses each row that the engine would refuse regardless of the book, with the same message', () => {
    const side = (count: number) => Array.from({ length: count }, (_, i) => [i + 1, 1]);
    const faulty = [
      [7, [[1e-7, 1]], []],
      [7, [], [[-1, 1]]],
      [7, [[1, 1e17]], []],
      [7, [], [[1, -2]]],
      [7, [], [[2, 1], [1, 1]]], // biome-ignore format: one row a line
      [7, [[2, 1]], [[2, 1]]],
      [7, [], side(65)],
    ];
    const { rows, rowErrors } = compact([...faulty, [7, [], side(64)]]);
    assert.deepEqual(
      rows.map(({ i }) => i),
      [faulty.length],
    );
    const errors = ['bad price', 'bad price', 'bad qty', 'bad qty', 'levels must stand best first'];
    assert.deepEqual(
      rowErrors.map(({ error }) => error),
      [...errors, 'crossed ladder', 'too many levels'],
    );
    const engineRows = [
      { sid: 7, bids: [[0, 1]], asks: [] },
      { sid: 7, bids: [[2, 1]], asks: [[2, 1]] },
    ] as const;
    const outcome = pushOn(listedState(), engineRows);
    assert.deepEqual(outcome, {
      applied: 0,
      kept: 0,
      rowErrors: readPush(state, encodeQuotes(engineRows)).rowErrors,
      unknownSids: [],
    });
  });

  it('takes as many rows and levels in bytes as JSON may have containers, and no more (OWN-62)', () => {
    const row = { sid: 7, bids: null, asks: null };
    const rows = (count: number) => encodeQuotes(Array(count).fill(row));
    assert.equal(readPush(state, rows(16_384)).rows.length, 16_384);
    const refusal = { message: 'push has more than 16384 rows and levels' };
    assert.throws(() => readPush(state, rows(16_385)), refusal);
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
      const { rows, rowErrors } = compact([[1, [], []], row, [2, [], []]]);
      assert.deepEqual(
        rows.map(({ i }) => i),
        [0, 2],
      );
      assert.deepEqual(rowErrors, [{ i: 1, error: 'malformed row' }]);
    });
  }

  it('reports a volatility that is not a number, which bytes can hold', () => {
    const bytes = encodeQuotes([
      { sid: 7, bids: [], asks: [], iv: Number.NaN },
      { sid: 7, bids: [], asks: [], delta: Number.NEGATIVE_INFINITY },
    ]);
    assert.deepEqual(
      readPush(state, bytes).rowErrors.map(({ i }) => i),
      [0, 1],
    );
  });

  it('refuses truncated bytes entirely', () => {
    const bytes = encodeQuotes([{ sid: 7, bids: [[1, 1]], asks: [] }]);
    assert.throws(() => readPush(state, bytes.subarray(0, -1)), { message: /^push breaks off/ });
    const other = bytes.with(4, 9);
    assert.throws(() => readPush(state, other), { message: 'push is of an unknown version' });
  });
});
