import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { State } from '@venue/engine';
import type { MicrosLevel, MicrosQuote } from '@venue/protocol';
import { listedState, pushOn } from '../../test/listed.ts';
import { readPush } from './quote-push.ts';
import { nextSlice, PushTally, SLICE_ITEMS_MAX } from './quote-slices.ts';

const side = (levels: number): MicrosLevel[] => Array.from({ length: levels }, (_, k) => [1_000 - k, 1]);

/** One row for each of `count` series. */
const rowsOf = (count: number, bids: MicrosLevel[]): MicrosQuote[] =>
  Array.from({ length: count }, (_, sid) => ({ sid, bids, asks: null }));

const placed = (rows: readonly MicrosQuote[]) => rows.map((row, i) => ({ i, row }));

/** Applies a push slice by slice, and returns the rows of each slice, by their index in the push. */
function slicesOf(state: State, rows: readonly MicrosQuote[], tally?: PushTally): number[][] {
  const slices: number[][] = [];
  for (let next = 0; next < rows.length; ) {
    const slice = nextSlice(state, placed(rows), { from: next, ts: state.ts });
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

describe('the rows of a push that cross the log (MM-3)', () => {
  const state = listedState();
  const compact = (rows: unknown[]) => readPush(state, { rows });
  const sentOf = (rows: unknown[], ts = state.ts) =>
    nextSlice(state, compact(rows).rows, { from: 0, ts }).rows.map(({ i }) => i);

  it('exclude what already stands, which counts as kept', () => {
    const push = compact([
      [1, [[1, 1]], [], 0.5],
      [2, [[1, 1]], []],
      [3, null, null],
      [4, 'x', []],
    ]);
    const { rows } = nextSlice(state, push.rows, { from: 0, ts: state.ts });
    assert.deepEqual(
      rows.map(({ i }) => i),
      [1],
    );
    const tally = new PushTally(push);
    tally.add(rows, { applied: 0, kept: 0, rowErrors: [{ i: 0, error: 'bad qty' }], unknownSids: [] });
    assert.deepEqual(tally.answer, {
      applied: 0,
      kept: 2,
      errors: 2,
      rowErrors: [
        { i: 1, error: 'bad qty' },
        { i: 3, error: 'malformed row' },
      ],
    });
  });

  it('exclude rows that ask for nothing, even after another row of the same series', () => {
    assert.deepEqual(
      sentOf([
        [1, [[2, 1]], []],
        [1, null, null],
        [1, null, null, 0.7],
      ]),
      [0, 2],
    );
  });

  it('include a row that stands once its volatility is an hour old when it arrives, whenever the last entry was', () => {
    const hourMs = 3_600_000;
    const rows = [[1, [[1, 1]], [], 0.5]];
    assert.deepEqual(sentOf(rows, state.ts + hourMs - 1), []);
    assert.deepEqual(sentOf(rows, state.ts + hourMs), [0]);
  });

  it('include a row that stands once its series is past its cutoff when it arrives, so that it is refused', () => {
    const { cutoffMs } = state.series[1]!;
    const rows = [[1, [[1, 1]], []]];
    assert.deepEqual([sentOf(rows, cutoffMs - 1), sentOf(rows, cutoffMs)], [[], [0]]);
  });

  it('include a row after another of its series, though it stood before', () => {
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

  it('count levels that a row removes like those it adds', () => {
    const state = listedState();
    slicesOf(state, rowsOf(100, side(64)));
    assert.deepEqual(lengths(slicesOf(state, rowsOf(100, []))), [fitting(64), 100 - fitting(64)]);
  });

  it('contain no row that stands, even one left by an earlier slice', () => {
    const state = listedState();
    slicesOf(state, rowsOf(30, side(64)));
    const all = rowsOf(100, side(64));
    const slices = slicesOf(state, [...all, all[50]!]);
    assert.deepEqual(lengths(slices), [fitting(64), 70 - fitting(64)]);
    assert.deepEqual([slices[0]![0], slices[1]!.at(-1)], [30, 99]);
  });

  it('are reported in one answer, with the rows numbered over the whole push', () => {
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
