import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeQuotes, MICROS_MAX, type MicrosQuote, QUOTE_LEVELS_MAX } from '@venue/protocol';
import fc from 'fast-check';
import { decodeSetRows, encodeSetRows } from './set-rows-codec.ts';

const amount = fc.oneof(
  fc.integer({ min: 0, max: MICROS_MAX }),
  fc.integer({ min: 0, max: 2_000 }).map((steps) => steps * 50_000),
);
const side = fc.option(fc.array(fc.tuple(amount, amount), { maxLength: QUOTE_LEVELS_MAX + 1 }), {
  nil: null,
});
const annotation = fc.oneof(
  fc.integer({ min: -10_000, max: 50_000 }).map((steps) => steps / 10_000),
  fc.double({ noNaN: true }),
  fc.constant(-0),
);
const row = fc
  .record(
    {
      sid: fc.integer({ min: 0, max: 0xffff_ffff }),
      bids: side,
      asks: side,
      iv: annotation,
      delta: annotation,
    },
    { requiredKeys: ['sid', 'bids', 'asks'] },
  )
  .map((value): MicrosQuote => ({ ...(value as MicrosQuote) }));

test('QTS-1: any rows come back exactly, and have one spelling', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const bytes = encodeSetRows(rows);
      const decoded = decodeSetRows(bytes);
      assert.deepEqual(decoded, rows);
      for (const [i, { iv }] of decoded.entries()) assert.ok(Object.is(iv, rows[i]!.iv));
      assert.deepEqual(encodeSetRows(decoded), bytes);
    }),
  );
});

test('QTS-1: bytes that no node writes are refused, whatever they are', () => {
  const bytes = encodeSetRows([{ sid: 7, bids: [[1_250_000, 500_000]], asks: [], iv: 0.6512, delta: -0.25 }]);
  for (let length = 0; length < bytes.length; length++)
    assert.throws(() => decodeSetRows(bytes.subarray(0, length)), `cut to ${length}`);
  assert.throws(() => decodeSetRows(Uint8Array.from([...bytes, 0])), /after the last row/);
  for (const wrong of [
    [1, 2, 64],
    [1, 0, 1, 1, 0x0f, 0x80, 0x80, 0x80],
    [1, 1, 0],
  ])
    assert.throws(() => decodeSetRows(Uint8Array.from(wrong)));
});

test('a row of two levels a side takes half of its bytes on the wire', () => {
  const rows = Array.from({ length: 100 }, (_, i) => ({
    sid: 2_000 + i,
    bids: [
      [2_345_500_000, 400_000],
      [2_340_000_000, 2_000_000],
    ],
    asks: [
      [2_365_500_000, 400_000],
      [2_371_000_000, 2_000_000],
    ],
    iv: 0.6512,
    delta: 0.4821,
  })) satisfies MicrosQuote[] as MicrosQuote[];
  assert.ok(encodeSetRows(rows).length * 1.9 < encodeQuotes(rows).length);
  assert.ok(encodeSetRows(rows).length < 30 * rows.length, `${encodeSetRows(rows).length}`);
});
