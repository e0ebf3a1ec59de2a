import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { normalCdf, normalPdf, type OptionTerms, optionValue, yearsUntil } from './black.ts';

function near(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`);
}

const terms = fc.record({
  right: fc.constantFrom('C' as const, 'P' as const),
  spot: fc.double({ min: 0.01, max: 200_000, noNaN: true }),
  strike: fc.double({ min: 0.5, max: 200_000, noNaN: true }),
  years: fc.double({ min: 0, max: 3, noNaN: true }),
  iv: fc.double({ min: 0, max: 4, noNaN: true }),
});

describe('normal distribution', () => {
  for (const [x, expected] of [
    [0, 0.5],
    [0.5, 0.6914624612740131],
    [1, 0.8413447460685429],
    [1.96, 0.9750021048517795],
    [3, 0.9986501019683699],
    [5, 0.9999997133484281],
  ] as const) {
    test(`up to ${x} it is the tabulated value on both sides`, () => {
      near(normalCdf(x), expected, 1e-15, 'above');
      near(normalCdf(-x), 1 - expected, 1e-15, 'below');
    });
  }

  for (const [x, expected] of [
    [-5, 2.866515718791939e-7],
    [-7, 1.279812543885835e-12],
    [-8, 6.220960574271784e-16],
    [-10, 7.619853024160525e-24],
  ] as const) {
    test(`the tail at ${x} has nine digits`, () => near(normalCdf(x) / expected, 1, 1e-9, 'ratio'));
  }

  test('its two ways of reckoning meet', () => {
    const step = 1e-6;
    const slope = (normalCdf(-4 + step) - normalCdf(-4 - step)) / (2 * step);
    near(slope / normalPdf(4), 1, 1e-5, 'slope at -4');
  });

  test('far out it is 0 and 1', () => {
    assert.deepEqual([normalCdf(-50), normalCdf(50)], [0, 1]);
    assert.deepEqual([normalCdf(Number.NEGATIVE_INFINITY), normalCdf(Number.POSITIVE_INFINITY)], [0, 1]);
  });
});

describe('value of an option', () => {
  test('published values', () => {
    // 0.4 S s sqrt(t) at the money; Haug's table of Black-76 without its discount of exp(-0.1 x 0.75).
    near(
      optionValue({ right: 'C', spot: 100, strike: 100, years: 1, iv: 0.2 }),
      7.965567455405804,
      1e-12,
      'call',
    );
    near(
      optionValue({ right: 'P', spot: 19, strike: 19, years: 0.75, iv: 0.28 }),
      1.7011 / Math.exp(-0.075),
      1e-4,
      'put on a future',
    );
  });

  test('a call less a put is the spot less the strike', () => {
    fc.assert(
      fc.property(terms, (option) => {
        const call = optionValue({ ...option, right: 'C' });
        const put = optionValue({ ...option, right: 'P' });
        near(call - put, option.spot - option.strike, 1e-9 * (option.spot + option.strike), 'parity');
      }),
    );
  });

  test('it is no less than its payout now, no more than its bound, and more time is never worth less', () => {
    fc.assert(
      fc.property(terms, (option) => {
        const value = optionValue(option);
        const sign = option.right === 'C' ? 1 : -1;
        const slack = 1e-9 * (option.spot + option.strike);
        assert.ok(value >= Math.max(0, sign * (option.spot - option.strike)) - slack);
        assert.ok(value <= (option.right === 'C' ? option.spot : option.strike) + slack);
        assert.ok(optionValue({ ...option, years: option.years + 0.1 }) >= value - slack);
      }),
    );
  });

  test('without time, volatility or a price it pays what it would pay now', () => {
    const call: OptionTerms = { right: 'C', spot: 120, strike: 100, years: 1, iv: 0.5 };
    assert.equal(optionValue({ ...call, years: 0 }), 20);
    assert.equal(optionValue({ ...call, years: -1 }), 20);
    assert.equal(optionValue({ ...call, iv: 0 }), 20);
    assert.equal(optionValue({ ...call, spot: 0 }), 0);
    assert.equal(optionValue({ ...call, spot: 0, right: 'P' }), 100);
  });
});

describe('years until an expiry', () => {
  const TS = 1_800_000_000;
  const MINUTE = 60_000;
  const YEAR = 365 * 24 * 60;
  for (const [minutesLeft, minutesCounted] of [
    [YEAR + 20, YEAR],
    [30, 10],
    [15, 5],
    [0, 0],
    [-5, 0],
  ] as const) {
    test(`${minutesLeft} minutes before, ${minutesCounted} count`, () => {
      near(yearsUntil(TS, TS * 1_000 - minutesLeft * MINUTE), minutesCounted / YEAR, 1e-15, 'years');
    });
  }
});
