import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  decodeQuotes,
  decodeQuotesAnswer,
  encodeQuotes,
  encodeQuotesAnswer,
  type MicrosQuote,
  QUOTE_LEVELS_MAX,
  QuoteCodecError,
} from './quote-codec.ts';
import { MICROS_MAX } from './units.ts';

const micros = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 1, 127, 128, 3_400_000, MICROS_MAX));
const side = fc.option(fc.array(fc.tuple(micros, micros), { maxLength: 5 }));
const annotation = fc.double({ noNaN: true });
const row = fc.record(
  { sid: fc.nat(), bids: side, asks: side, iv: annotation, delta: annotation },
  {
    requiredKeys: ['sid', 'bids', 'asks'],
    noNullPrototype: true,
  },
);

describe('the bytes of a quote push', () => {
  it('match their documentation', () => {
    const rows: MicrosQuote[] = [
      { sid: 300, bids: [[3_400_000, 5_000_000]], asks: [], iv: 0.5 },
      { sid: 1, bids: null, asks: null },
    ];
    const hex = Buffer.from(encodeQuotes(rows)).toString('hex');
    const header = `${Buffer.from('SQW1').toString('hex')}0100${'02000000'}`;
    const first = `ac02${'07'}${'01'}${'c0c2cf01'}${'c096b102'}${'00'}${'000000000000e03f'}`;
    assert.equal(hex, `${header}${first}${'01'}${'00'}`);
  });

  it('decode to the rows they encode', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
        assert.deepEqual(decodeQuotes(encodeQuotes(rows as MicrosQuote[])), rows);
      }),
    );
  });

  it('are refused when truncated, and when anything follows the end', () => {
    const bytes = encodeQuotes([{ sid: 7, bids: [[1, 2]], asks: [[3, 4]], iv: 1, delta: -1 }]);
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => decodeQuotes(bytes.subarray(0, length)), QuoteCodecError);
    }
    assert.throws(
      () => decodeQuotes(Buffer.concat([bytes, Buffer.of(0)])),
      /has bytes too many from byte 34 on/,
    );
  });

  it('are refused with an unknown magic, version or field, or a non-canonical number', () => {
    const bytes = encodeQuotes([{ sid: 7, bids: null, asks: null }]);
    const changed = (at: number, value: number) =>
      Uint8Array.from(bytes, (byte, i) => (i === at ? value : byte));
    assert.throws(() => decodeQuotes(changed(3, 0x32)), /does not begin with SQW1/);
    assert.throws(() => decodeQuotes(changed(4, 2)), /is of an unknown version/);
    assert.throws(() => decodeQuotes(changed(11, 16)), /has unknown fields in row 0/);
    const spelled = (...sid: number[]) =>
      Buffer.concat([bytes.subarray(0, 10), Buffer.from(sid), Buffer.of(0)]);
    assert.throws(() => decodeQuotes(spelled(0x87, 0)), /no number/);
    assert.throws(() => decodeQuotes(spelled(...Array(8).fill(0xff))), /no number/);
    assert.throws(() => decodeQuotes(spelled(...Array(7).fill(0xff), 0x20)), /no number/);
  });

  it('are refused by their count of rows and levels before any past the limit are read', () => {
    const row = { sid: 1, bids: [[2, 1] as const], asks: [[3, 1] as const, [4, 1] as const] };
    const two = encodeQuotes([row, row]);
    assert.equal(decodeQuotes(two, 8).length, 2);
    assert.throws(() => decodeQuotes(two, 7), /has more than 7 rows and levels/);
    const none = encodeQuotes([]);
    const counted = (rows: number) => {
      new DataView(none.buffer).setUint32(6, rows, true);
      return () => decodeQuotes(none, 100);
    };
    assert.throws(counted(0xffff_ffff), /has more than 100 rows and levels/);
    assert.throws(counted(101), /has more than 100 rows and levels/);
    assert.throws(counted(100), /breaks off/);
  });

  it('keep one level more than allowed of a side with too many, and everything after it', () => {
    const side = (count: number) => Array.from({ length: count }, (_, i) => [count - i, 300] as const);
    const rows = [
      { sid: 1, bids: side(1_000), asks: [], iv: 0.5 },
      { sid: 2, bids: side(QUOTE_LEVELS_MAX), asks: side(QUOTE_LEVELS_MAX + 1) },
    ];
    const [long, full] = decodeQuotes(encodeQuotes(rows));
    assert.deepEqual(long, { ...rows[0], bids: rows[0]!.bids.slice(0, QUOTE_LEVELS_MAX + 1) });
    assert.deepEqual(full, rows[1]);
    const bytes = encodeQuotes(rows.slice(0, 1));
    assert.throws(() => decodeQuotes(bytes.subarray(0, 1_000)), /breaks off at byte 1000/);
  });

  it('are refused with a sid that the answer could not name', () => {
    const last = { sid: 0xffff_ffff, bids: null, asks: null };
    assert.deepEqual(decodeQuotes(encodeQuotes([last])), [last]);
    assert.throws(() => encodeQuotes([{ ...last, sid: 2 ** 32 }]), /has a sid past 32 bits/);
    const spelled = Buffer.concat([
      encodeQuotes([last]).subarray(0, 10),
      Buffer.of(0x80, 0x80, 0x80, 0x80, 0x10, 0),
    ]);
    assert.throws(() => decodeQuotes(spelled), /has a sid past 32 bits in row 0/);
  });

  it("random bytes decode or throw the codec's error, nothing else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
        const bytes = Buffer.concat([encodeQuotes([]).subarray(0, 6), noise]);
        try {
          decodeQuotes(bytes);
        } catch (error) {
          assert.ok(error instanceof QuoteCodecError);
        }
      }),
    );
  });

  it('contain only exact numbers', () => {
    assert.throws(() => encodeQuotes([{ sid: -1, bids: null, asks: null }]), QuoteCodecError);
    assert.throws(() => encodeQuotes([{ sid: 1, bids: [[1.5, 1]], asks: null }]), QuoteCodecError);
  });
});

describe('the bytes of an answer', () => {
  it('decode to the answer they encode', () => {
    const answer = {
      applied: 1300,
      kept: 2,
      errors: 2,
      rowErrors: [
        { i: 4, error: 'crossed ladder' },
        { i: 70_000, error: 'margin call — reduce-only (buy back shorts)' },
      ],
      unknownSids: [9, 4_000_000_000],
    };
    assert.deepEqual(decodeQuotesAnswer(encodeQuotesAnswer(answer)), answer);
    const plain = { applied: 0, kept: 0, errors: 0, rowErrors: [] };
    assert.deepEqual(decodeQuotesAnswer(encodeQuotesAnswer(plain)), plain);
  });
});
