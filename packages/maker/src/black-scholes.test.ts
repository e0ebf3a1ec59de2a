import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type OptionTerms, valueOption } from './black-scholes.ts';
import { normalCdf, normalPdf } from './normal.ts';

function near(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`);
}

describe('normal distribution', () => {
  for (const [x, expected] of [
    [0, 0.5],
    [0.1, 0.539827837277029],
    [0.5, 0.6914624612740131],
    [1, 0.8413447460685429],
    [1.96, 0.9750021048517795],
    [2, 0.9772498680518208],
    [3, 0.9986501019683699],
    [5, 0.9999997133484281],
  ] as const) {
    test(`up to ${x} it is the tabulated value, to 1e-12, on both sides`, () => {
      near(normalCdf(x), expected, 1e-12, 'above');
      near(normalCdf(-x), 1 - expected, 1e-12, 'below');
    });
  }

  for (const [x, expected] of [
    [-5, 2.866515718791939e-7],
    [-7, 1.279812543885835e-12],
    [-7.2, 3.010627981117437e-13],
    [-8, 6.220960574271784e-16],
    [-10, 7.619853024160525e-24],
  ] as const) {
    test(`in the tail at ${x} seven digits are right`, () => near(normalCdf(x) / expected, 1, 1e-7, 'ratio'));
  }

  test('far out it is 0 and 1', () => assert.deepEqual([normalCdf(-40), normalCdf(40)], [0, 1]));

  test('it is the integral of the density', () => {
    const steps = 10_000;
    let sum = 0;
    for (let i = 0; i < steps; i++) sum += normalPdf(-1 + (2 * (i + 0.5)) / steps) * (2 / steps);
    near(sum, normalCdf(1) - normalCdf(-1), 1e-8, 'mass within one deviation');
  });
});

interface Drawn {
  readonly spot: number;
  readonly moneyness: number;
  readonly years: number;
  readonly vol: number;
}

const TERMS = fc.record<Drawn>({
  spot: fc.double({ min: 1, max: 1e5, noNaN: true }),
  moneyness: fc.double({ min: 0.3, max: 3, noNaN: true }),
  years: fc.double({ min: 1 / 8766, max: 2, noNaN: true }),
  vol: fc.double({ min: 0.05, max: 2, noNaN: true }),
});

function terms(right: 'C' | 'P', { spot, moneyness, years, vol }: Drawn): OptionTerms {
  return { right, spot, strike: spot * moneyness, years, vol };
}

describe('Black-Scholes', () => {
  // Hull, Options, Futures, and Other Derivatives: S 42, K 40, r 10 %, vol 20 %, half a year gives 4.76 and 0.81.
  // Without interest the same prices come from the forward, discounted.
  test('it agrees with Hull’s example', () => {
    const forward = 42 * Math.exp(0.1 * 0.5);
    const discount = Math.exp(-0.1 * 0.5);
    const value = (right: 'C' | 'P') =>
      valueOption({ right, spot: forward, strike: 40, years: 0.5, vol: 0.2 }).price;
    near(discount * value('C'), 4.759422, 1e-6, 'call');
    near(discount * value('P'), 0.808599, 1e-6, 'put');
  });

  for (const [right, spot, strike, years, vol, price, delta] of [
    ['C', 100, 100, 1, 0.2, 7.965567455405804, 0.539827837277029],
    ['P', 100, 100, 1, 0.2, 7.965567455405804, -0.460172162722971],
    ['C', 100, 110, 0.5, 0.3, 4.745683813458079, 0.36571253838833],
    ['P', 100, 110, 0.5, 0.3, 14.745683813458072, -0.6342874616116693],
  ] as const) {
    test(`${right} at ${strike} on ${spot}`, () => {
      const value = valueOption({ right, spot, strike, years, vol });
      near(value.price, price, 1e-11, 'price');
      near(value.delta, delta, 1e-12, 'delta');
    });
  }

  test('call less put is spot less strike, and so are their deltas one', () => {
    fc.assert(
      fc.property(TERMS, (drawn) => {
        const [call, put] = [valueOption(terms('C', drawn)), valueOption(terms('P', drawn))];
        const { spot, strike } = terms('C', drawn);
        near((call.price - put.price) / spot, (spot - strike) / spot, 1e-12, 'parity');
        near(call.delta - put.delta, 1, 1e-12, 'deltas');
      }),
    );
  });

  test('delta and vega are the slopes of the price', () => {
    fc.assert(
      fc.property(TERMS, fc.constantFrom('C' as const, 'P' as const), (drawn, right) => {
        const at = terms(right, drawn);
        const slope = (change: (step: number) => OptionTerms, step: number) =>
          (valueOption(change(step)).price - valueOption(change(-step)).price) / (2 * step);
        const { delta, vega } = valueOption(at);
        // A step well inside one standard deviation, so that the curve is straight over it.
        const step = at.spot * 1e-3 * at.vol * Math.sqrt(at.years);
        near(
          slope((by) => ({ ...at, spot: at.spot + by }), step),
          delta,
          1e-4,
          'delta',
        );
        near(
          slope((by) => ({ ...at, vol: at.vol + by }), at.vol * 1e-3) / at.spot,
          vega / at.spot,
          1e-4,
          'vega',
        );
      }),
    );
  });

  test('at expiry an option is worth its intrinsic value', () => {
    const at = { spot: 105, strike: 100, years: 0, vol: 0.5 };
    assert.deepEqual(valueOption({ ...at, right: 'C' }), { price: 5, delta: 1, vega: 0 });
    assert.deepEqual(valueOption({ ...at, right: 'P' }), { price: 0, delta: 0, vega: 0 });
    assert.deepEqual(valueOption({ ...at, right: 'P', spot: 90, years: -1 }), {
      price: 10,
      delta: -1,
      vega: 0,
    });
  });
});
