import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatDecimal, formatSeriesId, parseSeriesId, SYMBOL, upperSymbol } from './series.ts';
import { MICROS_MAX, toMicros } from './units.ts';

describe('series names', () => {
  const table: readonly (readonly [string, string, number, 'C' | 'P', number])[] = [
    ['AAPL-1764374400-C-190', 'AAPL', 1_764_374_400, 'C', 190_000_000],
    ['AAPL-1764374400-P-190.5', 'AAPL', 1_764_374_400, 'P', 190_500_000],
    ['BTC-1764374400-C-97500', 'BTC', 1_764_374_400, 'C', 97_500_000_000],
    ['X-1-C-0.5', 'X', 1, 'C', 500_000],
    ['X-1-P-0.000001', 'X', 1, 'P', 1],
    ['X-1-P-1.000001', 'X', 1, 'P', 1_000_001],
    ['ALLY-1764374400-C-40', 'ALLY', 1_764_374_400, 'C', 40_000_000],
    ['X-1-C-9007199254.740991', 'X', 1, 'C', MICROS_MAX],
    ['X-1-C-8999999999.000001', 'X', 1, 'C', 8_999_999_999_000_001],
  ];
  for (const [text, symbol, expiryTs, right, strike] of table) {
    it(`${text} parses and formats back`, () => {
      const terms = { symbol, expiryTs, right, strikeMicros: toMicros(strike) };
      assert.deepEqual(parseSeriesId(text), terms);
      assert.equal(formatSeriesId(terms), text);
    });
  }

  for (const text of [
    '',
    'AAPL',
    'aapl-1764374400-C-190',
    'AAPL-1764374400-C-190.0',
    'AAPL-1764374400-C-190.50',
    'AAPL-1764374400-C-0190',
    'AAPL-1764374400-C-.5',
    'AAPL-1764374400-C-190.',
    'AAPL-1764374400-C-1e3',
    'AAPL-1764374400-C-+190',
    'AAPL-1764374400-C--190',
    'AAPL-1764374400-C-0',
    'AAPL-1764374400-C-0.0000001',
    'AAPL-1764374400-X-190',
    'AAPL-01764374400-C-190',
    'AAPL-0-C-190',
    'AAPL-1764374400-C-190\n',
    ' AAPL-1764374400-C-190',
    'AAPL-1764374400-C-190 ',
    'A.B-1764374400-C-190',
    'ABCDEFGHIJKLM-1764374400-C-190',
    'X-1-C-9007199254.740992',
    'X-1-C-9999999999',
  ]) {
    it(`${JSON.stringify(text)} is not a series`, () => {
      assert.equal(parseSeriesId(text), undefined);
    });
  }

  it('ORD-9 all is never a symbol', () => {
    assert.equal(parseSeriesId('ALL-1764374400-C-190'), undefined);
    assert.equal(SYMBOL.test('ALL'), false);
    assert.ok(SYMBOL.test('ALLY') && SYMBOL.test('BALL'));
  });

  it('formatting and parsing are inverse', () => {
    const terms = fc.record(
      {
        symbol: fc.stringMatching(/^[A-Z0-9]{1,12}$/).filter((symbol) => SYMBOL.test(symbol)),
        expiryTs: fc.integer({ min: 1, max: 99_999_999_999 }),
        right: fc.constantFrom('C' as const, 'P' as const),
        strikeMicros: fc.integer({ min: 1, max: MICROS_MAX }).map(toMicros),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(terms, (value) => {
        const text = formatSeriesId(value);
        assert.deepEqual(parseSeriesId(text), value);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('decimal texts', () => {
  const table: readonly (readonly [number, string])[] = [
    [0, '0'],
    [190_500_000, '190.5'],
    [190_000_000, '190'],
    [1, '0.000001'],
    [10, '0.00001'],
    [-500_000, '-0.5'],
    [-1_000_000, '-1'],
    [999_999, '0.999999'],
    [MICROS_MAX, '9007199254.740991'],
    [8_999_999_999_999_999, '8999999999.999999'],
  ];
  for (const [micros, text] of table) {
    it(`${micros} micros read ${text}`, () => {
      assert.equal(formatDecimal(toMicros(micros)), text);
    });
  }
});

it('upper-casing a symbol changes ASCII letters only, and a look-alike stays as it is', () => {
  assert.equal(upperSymbol('btc2'), 'BTC2');
  assert.equal(upperSymbol('\u017fpx'), '\u017fPX');
  assert.equal(upperSymbol('\u0131'), '\u0131');
});
