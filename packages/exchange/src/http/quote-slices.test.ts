import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { State } from '@venue/engine';
import type { MicrosLevel, MicrosQuote } from '@venue/protocol';
import { listedState, pushOn } from '../../test/listed.ts';
import { readPush } from './quote-push.ts';
import { nextSlice, PushTally, SLICE_ITEMS_MAX } from './quote-slices.ts';

const side = (levels: number): MicrosLevel[] => Array.from({ length: levels }, (_, k) => [1_000 - k, 1]);

/** A row for each of so many series. */
const rowsOf = (count: number, bids: MicrosLevel[]): MicrosQuote[] =>
  Array.from({ length: count }, (_, sid) => ({ sid, bids, asks: null }));

const placed = (rows: readonly MicrosQuote[]) => rows.map((row, i) => ({ i, row }));

/** Applies a push slice by slice, and gives the rows that each had, by their places in the push. */
function slicesOf(state: State, rows: readonly MicrosQuote[], tally?: PushTally): number[][] {
  const slices: number[][] = [];
  for (let next = 0; next < rows.length; ) {
    const slice = nextSlice(state, placed(rows), next);
    const applied = pushOn(
      state,
      slice.rows.map(({ row }) => row),
    );
    tally?.add(slice.rows, applied);
    slices.push(slice.rows.map(({ i }) => i));
    next = slice.next;
  }
  return slices;
}

const lengths = (slices: readonly unknown[][]) => slices.map(({ length }) => length);

describe('what of a push crosses the log (MM-3)', () => {
  const state = listedState();
  const compact = (rows: unknown[]) => readPush(state, { rows });
  const sentOf = (rows: unknown[]) => nextSlice(state, compact(rows).rows, 0).rows.map(({ i }) => i);

  it('leaves out what stands already, and counts it as kept', () => {
    const push = compact([
      [1, [[1, 1]], [], 0.5],
      [2, [[1, 1]], []],
      [3, null, null],
      [4, 'x', []],
    ]);
    const { rows } = nextSlice(state, push.rows, 0);
    assert.deepEqual(
      rows.map(({ i }) => i),
      [1],
    );
    const tally = new PushTally(push);
    tally.add(rows, { applied: 0, kept: 0, rowErrors: [{ i: 0, error: 'late' }], unknownSids: [] });
    assert.deepEqual(tally.answer, {
      applied: 0,
      kept: 2,
      errors: 2,
      rowErrors: [
        { i: 1, error: 'late' },
        { i: 3, error: 'malformed row' },
      ],
    });
  });

  it('leaves out what asks for nothing, behind another row of its series too', () => {
    assert.deepEqual(
      sentOf([
        [1, [[2, 1]], []],
        [1, null, null],
        [1, null, null, 0.7],
      ]),
      [0, 2],
    );
  });

  it('sends what a row behind another of its series says, though it stood before', () => {
    assert.deepEqual(
      sentOf([
        [1, [[2, 1]], []],
        [1, [[1, 1]], []],
      ]),
      [0, 1],
    );
  });
});

describe('slices of a push (OWN-62)', () => {
  const fitting = (levels: number) => Math.floor(SLICE_ITEMS_MAX / (1 + levels));

  it('hold a bounded number of rows and levels', () => {
    const first = fitting(64);
    assert.deepEqual(lengths(slicesOf(listedState(), rowsOf(100, side(64)))), [first, 100 - first]);
    assert.deepEqual(lengths(slicesOf(listedState(), rowsOf(fitting(8), side(8)))), [fitting(8)]);
    assert.deepEqual(lengths(slicesOf(listedState(), rowsOf(fitting(8) + 1, side(8)))), [fitting(8), 1]);
  });

  it('count the levels that a row takes away like those that it brings', () => {
    const state = listedState();
    slicesOf(state, rowsOf(100, side(64)));
    assert.deepEqual(lengths(slicesOf(state, rowsOf(100, []))), [fitting(64), 100 - fitting(64)]);
  });

  it('have no row that stands, be it as an earlier slice has left it', () => {
    const state = listedState();
    slicesOf(state, rowsOf(30, side(64)));
    const all = rowsOf(100, side(64));
    const slices = slicesOf(state, [...all, all[50]!]);
    assert.deepEqual(lengths(slices), [fitting(64), 70 - fitting(64)]);
    assert.deepEqual([slices[0]![0], slices[1]!.at(-1)], [30, 99]);
  });

  it('are told of in one answer, with the rows numbered over the whole push', () => {
    const state = listedState();
    const rows = [...rowsOf(100, side(64)), { sid: 99, bids: null, asks: [[1, 1]] as const }];
    const tally = new PushTally({ rows: placed(rows), rowErrors: [], unknownSids: [5_000] });
    assert.equal(slicesOf(state, rows, tally).length, 2);
    assert.deepEqual(tally.answer, {
      applied: 100,
      kept: 0,
      errors: 1,
      rowErrors: [{ i: 100, error: 'crossed ladder' }],
      unknownSids: [5_000],
    });
  });
});
