import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatCents, formatDecimal, type Micros, microsToDecimal } from '@venue/protocol';
import fc from 'fast-check';
import {
  AMOUNT_FAULTS,
  AMOUNT_MAX_MICROS,
  type AmountFault,
  chainDecimals,
  formatColumnDelta,
  formatCompact,
  formatCompactPnl,
  formatDelta,
  formatExact,
  formatGamma,
  formatGreek,
  formatIv,
  formatLimit,
  formatPercent,
  formatPnl,
  formatPosition,
  formatPrice,
  formatSize,
  formatUsd,
  limitDecimals,
  parseAmount,
  priceDecimals,
  priceFieldText,
  qtyFieldText,
  sizeDecimals,
} from './numbers.ts';

/** Each number and its text. */
function table(format: (value: number) => string, rows: readonly (readonly [number, string])[]): void {
  for (const [value, text] of rows) assert.equal(format(value), text, `of ${value}`);
}

/** Amounts the wire can represent to the micro. */
const amountMicros = fc.oneof(
  fc.integer({ min: 0, max: AMOUNT_MAX_MICROS }),
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.integer({ min: 0, max: 4_000_000 }).map((thousandths) => thousandths * 1_000),
);

describe('prices', () => {
  test('two decimals and thousands separators', () => {
    table(formatPrice, [
      [0, '0.00'],
      [1, '1.00'],
      [999.994999, '999.99'],
      [999.995, '1,000.00'],
      [1234.5, '1,234.50'],
      [-1234.5, '−1,234.50'],
      [1234567.891, '1,234,567.89'],
      [12_000_000, '12,000,000.00'],
      [Number.NaN, '–'],
      [Number.POSITIVE_INFINITY, '–'],
    ]);
  });

  test('cents are rounded from micros, not from the double just below', () => {
    table(formatPrice, [
      [1.005, '1.01'],
      [1.115, '1.12'],
      [0.145, '0.15'],
    ]);
  });

  test('four decimals below 0.05, and a non-zero price never shows as zero', () => {
    table(formatPrice, [
      [0.05, '0.05'],
      [0.049999, '0.0500'],
      [0.0312, '0.0312'],
      [0.00005, '0.0001'],
      [0.000049, '<0.0001'],
      [-0.000001, '>−0.0001'],
    ]);
  });

  test('decimal points in a column line up', () => {
    const column = [1234.5, 0.0312, 0];
    const places = column.map((price) => formatPrice(price, priceDecimals(column)).split('.')[1]!.length);
    assert.deepEqual(places, [4, 4, 4]);
    assert.equal(priceDecimals([1234.5, 0, Number.NaN]), 2);
  });

  test("a chain's decimals follow its underlying, whatever its own prices do", () => {
    const [dear, cheap] = [chainDecimals(95_000), chainDecimals(4.2)];
    assert.deepEqual([formatPrice(1234.5, dear), formatPrice(0.0312, dear)], ['1,234.50', '0.03']);
    assert.deepEqual([formatPrice(1.5, cheap), formatPrice(0.0312, cheap)], ['1.5000', '0.0312']);
    assert.equal(chainDecimals(0), chainDecimals(Number.NaN));
    assert.equal(formatPrice(0.004, dear), '<0.01');
  });

  test('a signed amount shows every digit', () => {
    table(formatExact, [
      [0.055, '0.055'],
      [1240, '1,240.00'],
      [1240.5, '1,240.50'],
      [0.000001, '0.000001'],
      [2.999999, '2.999999'],
    ]);
  });

  test('NUM-2: of the limit price of an order no digit is rounded away', () => {
    table(formatLimit, [
      [1501.333, '1,501.333'],
      [1240, '1,240.00'],
      [0.000001, '0.000001'],
      [0.03, '0.0300'],
      [Number.NaN, '–'],
    ]);
    assert.equal(limitDecimals([1240, 1501.333, 0.5]), 3);
    assert.equal(limitDecimals([]), 2);
  });

  test("NUM-2 cents equal the venue's for every amount", () => {
    fc.assert(
      fc.property(amountMicros, (micros) => {
        const usd = microsToDecimal(micros as Micros);
        assert.equal(formatUsd(usd).replace(/[$,]/g, ''), formatCents(micros as Micros));
      }),
    );
  });
});

describe('other numbers', () => {
  test("a single size keeps its own decimals, in a column it takes the column's", () => {
    table(formatSize, [
      [2, '2'],
      [1234, '1,234'],
      [0.125, '0.125'],
      [1.1, '1.1'],
    ]);
    assert.equal(formatSize(2, 2), '2.00');
    assert.equal(formatSize(0.004, 2), '<0.01');
    assert.equal(formatSize(Number.NaN, 2), '–');
  });

  test('a column takes the decimals of its longest size, at most three', () => {
    assert.equal(sizeDecimals([1, 20, 300]), 0);
    assert.equal(sizeDecimals([1, 0.5, Number.NaN, 0.25]), 2);
    assert.equal(sizeDecimals([0.000001, 1]), 3);
    assert.equal(sizeDecimals([]), 0);
  });

  test('profit and loss has a sign, zero has none', () => {
    table(formatPnl, [
      [12, '+12.00'],
      [-3.2, '−3.20'],
      [0, '0.00'],
      [-0, '0.00'],
      [0.004, '0.00'],
      [-0.004999, '0.00'],
      [-0.005, '−0.01'],
      [Number.NaN, '–'],
    ]);
    assert.equal(formatPnl(-525, '$'), '−$525.00');
  });

  test('dollars, positions, shares, volatility and delta', () => {
    assert.equal(formatUsd(-3), '−$3.00');
    assert.equal(formatPosition(2), '+2');
    assert.equal(formatPosition(-3.5), '−3.5');
    assert.equal(formatPosition(0), '0');
    assert.equal(formatPercent(-0.0312), '−3.1%');
    assert.equal(formatIv(0.5425), '54.3%');
    assert.equal(formatIv(0.9994), '99.9%');
    assert.equal(formatIv(0.9995), '100%');
    assert.equal(formatIv(1.0484), '105%');
    assert.equal(formatIv(9.994), '999%');
    assert.equal(formatIv(9.995), '>999%');
    assert.equal(formatIv(0), '–');
    assert.equal(formatDelta(-0.484), '−0.48');
    assert.equal(formatDelta(-0.004), '0.00');
    assert.equal(formatDelta(Number.NaN), '–');
    assert.deepEqual([0.004, 0.996, -0.997, 0.5, Number.NaN].map(formatColumnDelta), [
      '0',
      '1',
      '−1',
      '0.50',
      '–',
    ]);
    assert.deepEqual(
      [formatGamma(0.000_023_4, 100_000), formatGamma(0.0234, 100), formatGamma(-0.5, 0.3)],
      ['0.000023', '0.0234', '−0.50'],
    );
    assert.deepEqual([formatGreek(-2.345), formatGreek(Number.NaN)], ['−2.35', '–']);
    assert.deepEqual([12_345, -980.4, 12.345, -0.001, 0].map(formatCompactPnl), [
      '+12.3k',
      '−980',
      '+12.35',
      '0.00',
      '0.00',
    ]);
  });

  test('narrow columns', () => {
    table(formatCompact, [
      [0, '0'],
      [7, '7'],
      [0.001, '<0.01'],
      [12.25, '12.25'],
      [345.5, '346'],
      [999, '999'],
      [999.5, '1.0k'],
      [1234, '1.2k'],
      [99_949, '99.9k'],
      [99_950, '100k'],
      [999_499, '999k'],
      [999_500, '1.0M'],
      [2_340_000, '2.3M'],
      [1e9, '1.0B'],
      [-1234, '−1.2k'],
      [Number.NaN, '–'],
    ]);
  });

  test('no count is longer than six characters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_000_000_000 }), (count) => {
        const text = formatCompact(count);
        assert.ok(text.length <= 6, text);
      }),
    );
  });
});

describe('what a person types', () => {
  const READ: readonly (readonly [string, string])[] = [
    ['1234.5', '1234.5'],
    ['1234,5', '1234.5'],
    ['1,234.50', '1234.5'],
    ['1.234,50', '1234.5'],
    ['1 234,50', '1234.5'],
    ['1 234,567', '1234.567'],
    ["1'234.567", '1234.567'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['1,234,567.891', '1234567.891'],
    ['1.234', '1.234'],
    ['1234,567', '1234.567'],
    ['0,125', '0.125'],
    ['.5', '0.5'],
    [',5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    ['0', '0'],
    [' $1,246.20 ', '1246.2'],
    ['1.2300000000', '1.23'],
    ['0.000001', '0.000001'],
    ['4294967296', '4294967296'],
  ];
  for (const [text, decimal] of READ) {
    test(`${JSON.stringify(text)} is ${decimal}`, () => {
      const amount = parseAmount(text, { groupsByPoints: false });
      assert.ok(amount.ok);
      assert.equal(formatDecimal(amount.micros), decimal);
    });
  }

  const REFUSED: readonly (readonly [string, AmountFault])[] = [
    ['', 'empty'],
    ['  ', 'empty'],
    ['$', 'empty'],
    ['abc', 'not-a-number'],
    ['.', 'not-a-number'],
    ['-', 'not-a-number'],
    ['-x', 'not-a-number'],
    ['1e5', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['Infinity', 'not-a-number'],
    ['1.2.3', 'not-a-number'],
    ['1,2,3', 'not-a-number'],
    ['1,234,5', 'not-a-number'],
    ['12,34,567', 'not-a-number'],
    ['0,123,456', 'not-a-number'],
    ['1,234.567,8', 'not-a-number'],
    ['1 2', 'not-a-number'],
    ['1 23 456', 'not-a-number'],
    ['٣', 'not-a-number'],
    ['1,234', 'ambiguous'],
    ['999,000', 'ambiguous'],
    ['-5', 'negative'],
    ['−0.5', 'negative'],
    ['0.0000001', 'too-many-decimals'],
    ['4294967296.000001', 'too-large'],
    ['9'.repeat(400), 'too-large'],
  ];
  for (const [text, fault] of REFUSED) {
    test(`${JSON.stringify(text.slice(0, 20))} is ${fault}`, () => {
      for (const groupsByPoints of [false, true])
        assert.deepEqual(parseAmount(text, { groupsByPoints }), { ok: false, fault });
    });
  }

  test('TERM-23: where the reader groups by points, three digits after one may be thousands, and are asked about', () => {
    const groupsByPoints = true;
    for (const text of ['1.250', '12.500', '$999.000', '1.000'])
      assert.deepEqual(parseAmount(text, { groupsByPoints }), { ok: false, fault: 'ambiguous' }, text);
    const READ = { '0.125': 125_000, '1.25': 1_250_000, '1.2500': 1_250_000, '1250': 1_250_000_000 };
    for (const [text, micros] of Object.entries(READ))
      assert.deepEqual(parseAmount(text, { groupsByPoints }), { ok: true, micros }, text);
    assert.deepEqual(parseAmount('1.250.000,5', { groupsByPoints }), { ok: true, micros: 1_250_000_500_000 });
    // The message's own examples are read by everybody.
    for (const [text] of AMOUNT_FAULTS.ambiguous.matchAll(/[\d.]*\d/g))
      assert.equal(parseAmount(text, { groupsByPoints }).ok, true, text);
  });

  test('a field may limit decimals and amount', () => {
    assert.deepEqual(parseAmount('1.005', { decimalsMax: 2 }), { ok: false, fault: 'too-many-decimals' });
    assert.deepEqual(parseAmount('1.01', { maxMicros: 1_000_000 as Micros }), {
      ok: false,
      fault: 'too-large',
    });
  });

  test('what the page writes parses back to the micro', () => {
    fc.assert(
      fc.property(amountMicros, (micros) => {
        const usd = microsToDecimal(micros as Micros);
        for (const text of [formatExact(usd), formatDecimal(micros as Micros), `$${formatExact(usd)}`]) {
          assert.deepEqual(parseAmount(text, { groupsByPoints: false }), { ok: true, micros }, text);
        }
        for (const text of [priceFieldText(usd), qtyFieldText(usd)]) {
          assert.deepEqual(parseAmount(text, { groupsByPoints: true }), { ok: true, micros }, text);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('so does the same text with point and comma exchanged, and with spaces', () => {
    fc.assert(
      fc.property(amountMicros, (micros) => {
        const written = formatExact(microsToDecimal(micros as Micros));
        const continental = written.replace(/[.,]/g, (mark) => (mark === ',' ? '.' : ','));
        // Three decimals after one comma are ambiguous and refused.
        fc.pre(!/^[1-9]\d{0,2},\d{3}$/.test(continental));
        assert.deepEqual(
          parseAmount(continental, { groupsByPoints: false }),
          { ok: true, micros },
          continental,
        );
        const spaced = written.replaceAll(',', '\u202f');
        assert.deepEqual(parseAmount(spaced, { groupsByPoints: false }), { ok: true, micros }, spaced);
      }),
      { numRuns: 2_000 },
    );
  });

  test('no text makes it throw or return an amount that is not whole micros', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[-$ ]?[\d., ']{0,14}$/));
    fc.assert(
      fc.property(text, (typed) => {
        const amount = parseAmount(typed);
        if (amount.ok) assert.ok(Number.isSafeInteger(amount.micros) && amount.micros >= 0);
      }),
      { numRuns: 2_000 },
    );
  });
});
