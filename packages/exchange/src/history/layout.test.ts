import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { int, layout, oneOf, optional, ownText, RowBuffer, type Rows, text } from './layout.ts';

const SAMPLE = layout({
  seq: int,
  side: oneOf('buy', 'sell'),
  change: optional(int),
  cause: optional(oneOf('user', 'filled')),
  symbol: text,
  note: optional(ownText),
});

function readAll(rows: Rows): object[] {
  const names = Object.keys(SAMPLE.columns) as (keyof typeof SAMPLE.columns)[];
  return [...SAMPLE.read(rows).map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))];
}

describe('a layout', () => {
  it('reads what was written, and null in a field that was left out', () => {
    const buffer = new RowBuffer(SAMPLE);
    const full = { seq: 1, side: 'sell', change: -1, cause: 'filled', symbol: 'X', note: 'a' } as const;
    buffer.add(full);
    buffer.add({ seq: 2, side: 'buy', symbol: 'X', note: null });
    buffer.add({ seq: 3, side: 'buy', change: undefined, cause: 'user', symbol: 'Y', note: 'a' });
    buffer.seal();
    const rows = buffer.take();
    assert.equal(SAMPLE.count(rows), 3);
    assert.deepEqual(readAll(rows), [
      full,
      { seq: 2, side: 'buy', change: null, cause: null, symbol: 'X', note: null },
      { seq: 3, side: 'buy', change: null, cause: 'user', symbol: 'Y', note: 'a' },
    ]);
    assert.deepEqual(rows.texts, ['X', 'a', 'Y', 'a'], 'a shared text goes once, one of a row as it comes');
  });

  it('hands over sealed rows only, and the others later', () => {
    const buffer = new RowBuffer(SAMPLE);
    const add = (seq: number) => buffer.add({ seq, side: 'buy', symbol: 'X' });
    for (let seq = 0; seq < 1_500; seq++) add(seq);
    buffer.seal();
    add(1_500);
    assert.equal(buffer.count, 1_501);
    const seqs = (rows: Rows) => [...SAMPLE.read(rows).map(({ seq }) => seq)];
    assert.deepEqual(
      seqs(buffer.take()),
      Array.from({ length: 1_500 }, (_, seq) => seq),
    );
    assert.equal(buffer.count, 1);
    assert.deepEqual(seqs(buffer.take()), []);
    buffer.seal();
    assert.deepEqual(seqs(buffer.take()), [1_500]);
  });

  it('refuses, by its type, a row with a field that it does not have, or without one that it needs', () => {
    const buffer = new RowBuffer(SAMPLE);
    // @ts-expect-error: there is no column for it.
    buffer.add({ seq: 1, side: 'buy', symbol: 'X', minQty: 1 });
    // @ts-expect-error: the side is missing.
    buffer.add({ seq: 1, symbol: 'X' });
    // @ts-expect-error: it is not among the sides.
    buffer.add({ seq: 1, side: 'both', symbol: 'X' });
    assert.equal(buffer.count, 3);
  });
});
