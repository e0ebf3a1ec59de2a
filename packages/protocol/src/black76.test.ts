import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type OptionTerms, type Valuation, valueOption } from './black76.ts';
import type { Right } from './series.ts';

function near(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`);
}

interface SpotTerms extends Omit<OptionTerms, 'forward' | 'rate'> {
  readonly spot: number;
  readonly rate: number;
  /** Interest minus yield. */
  readonly carry: number;
}

/** The same option quoted on a spot, as textbooks do: greeks with respect to the spot, theta with the spot held fixed. */
function valueOnSpot({ spot, carry, ...terms }: SpotTerms): Valuation {
  const growth = Math.exp(carry * terms.years);
  const forward = spot * growth;
  const { price, delta, gamma, vega, theta } = valueOption({ ...terms, forward });
  return {
    price,
    delta: delta * growth,
    gamma: gamma * growth * growth,
    vega,
    theta: theta - carry * forward * delta,
  };
}

describe('published values', () => {
  // Hull, Options, Futures, and Other Derivatives: the examples in the chapters on Black-Scholes-Merton (call 4.76, put
  // 0.81), on the greek letters (a call at 2.40), and on futures options (a put at 1.12).
  const hull = { spot: 42, strike: 40, years: 0.5, vol: 0.2, rate: 0.1, carry: 0.1 };
  const letters = { spot: 49, strike: 50, years: 0.3846, vol: 0.2, rate: 0.05, carry: 0.05 };
  const future = { spot: 20, strike: 20, years: 4 / 12, vol: 0.25, rate: 0.09, carry: 0 };
  // Haug, The Complete Guide to Option Pricing Formulas, 2nd edition, chapters 1 and 2.
  const haug = { spot: 60, strike: 65, years: 0.25, vol: 0.3, rate: 0.08, carry: 0.08 };
  const merton = { spot: 100, strike: 95, years: 0.5, vol: 0.2, rate: 0.1, carry: 0.05 };
  const black = { spot: 19, strike: 19, years: 0.75, vol: 0.28, rate: 0.1, carry: 0 };
  const currency = { spot: 1.56, strike: 1.6, years: 0.5, vol: 0.12, rate: 0.06, carry: -0.02 };
  const deltas = { spot: 105, strike: 100, years: 0.5, vol: 0.36, rate: 0.1, carry: 0 };
  const gammas = { spot: 55, strike: 60, years: 0.75, vol: 0.3, rate: 0.1, carry: 0.1 };
  const vegas = { spot: 55, strike: 60, years: 0.75, vol: 0.3, rate: 0.105, carry: 0.0695 };
  const thetas = { spot: 430, strike: 405, years: 1 / 12, vol: 0.2, rate: 0.07, carry: 0.02 };

  const TABLE: readonly (readonly [
    string,
    Omit<SpotTerms, 'right'>,
    Right,
    keyof Valuation,
    number,
    number,
  ])[] = [
    ['Hull, Black-Scholes-Merton', hull, 'C', 'price', 4.76, 0.005],
    ['Hull, Black-Scholes-Merton', hull, 'P', 'price', 0.81, 0.005],
    ['Hull, greek letters', letters, 'C', 'price', 2.4, 0.005],
    ['Hull, greek letters', letters, 'C', 'delta', 0.522, 0.0005],
    ['Hull, greek letters', letters, 'C', 'gamma', 0.066, 0.0005],
    ['Hull, greek letters', letters, 'C', 'vega', 12.1, 0.05],
    ['Hull, greek letters', letters, 'C', 'theta', -4.31, 0.005],
    ['Hull, Black’s model', future, 'P', 'price', 1.12, 0.005],
    ['Haug, Black-Scholes', haug, 'C', 'price', 2.1334, 0.00005],
    ['Haug, Merton', merton, 'P', 'price', 2.4648, 0.00005],
    ['Haug, Black-76', black, 'C', 'price', 1.7011, 0.00005],
    ['Haug, Black-76', black, 'P', 'price', 1.7011, 0.00005],
    ['Haug, Garman-Kohlhagen', currency, 'C', 'price', 0.0291, 0.00005],
    ['Haug, delta', deltas, 'C', 'delta', 0.5946, 0.00005],
    ['Haug, delta', deltas, 'P', 'delta', -0.3566, 0.00005],
    ['Haug, gamma', gammas, 'C', 'gamma', 0.0278, 0.00005],
    ['Haug, vega', vegas, 'C', 'vega', 18.5027, 0.00005],
    ['Haug, theta', thetas, 'P', 'theta', -31.1924, 0.005],
  ];
  for (const [source, terms, right, greek, value, tolerance] of TABLE) {
    test(`${source}: ${greek} of the ${right === 'C' ? 'call' : 'put'} is ${value}`, () => {
      near(valueOnSpot({ ...terms, right })[greek], value, tolerance, greek);
    });
  }
});

const TERMS = fc.record({
  forward: fc.double({ min: 1, max: 1e5, noNaN: true }),
  moneyness: fc.double({ min: 0.3, max: 3, noNaN: true }),
  years: fc.double({ min: 1 / 8766, max: 2, noNaN: true }),
  vol: fc.double({ min: 0.05, max: 2, noNaN: true }),
  rate: fc.double({ min: -0.1, max: 0.2, noNaN: true }),
});
const RIGHT = fc.constantFrom<Right>('C', 'P');

describe('identities', () => {
  test('call minus put is the discounted forward minus strike, in price and every greek', () => {
    fc.assert(
      fc.property(TERMS, ({ moneyness, ...terms }) => {
        const strike = terms.forward * moneyness;
        const call = valueOption({ ...terms, strike, right: 'C' });
        const put = valueOption({ ...terms, strike, right: 'P' });
        const discount = Math.exp(-terms.rate * terms.years);
        const scale = terms.forward * (1 + moneyness);
        near((call.price - put.price) / scale, (discount * (terms.forward - strike)) / scale, 1e-14, 'price');
        near(call.delta - put.delta, discount, 1e-13, 'delta');
        assert.equal(call.gamma, put.gamma);
        assert.equal(call.vega, put.vega);
        near(
          (call.theta - put.theta) / scale,
          (terms.rate * discount * (terms.forward - strike)) / scale,
          1e-12,
          'theta',
        );
      }),
    );
  });

  test('the greeks are the slopes of the price', () => {
    fc.assert(
      fc.property(TERMS, RIGHT, ({ moneyness, ...rest }, right) => {
        const at: OptionTerms = { ...rest, right, strike: rest.forward * moneyness };
        const priceAt = (change: Partial<OptionTerms>) => valueOption({ ...at, ...change }).price;
        const { delta, gamma, vega, theta, price } = valueOption(at);
        // Steps well inside one standard deviation, so that the curve is straight over them.
        const dF = at.forward * at.vol * Math.sqrt(at.years) * 1e-3;
        const [up, down] = [priceAt({ forward: at.forward + dF }), priceAt({ forward: at.forward - dF })];
        near((up - down) / (2 * dF), delta, 1e-5, 'delta');
        near(((up - 2 * price + down) / dF / dF) * dF, gamma * dF, 1e-6, 'gamma over a step');
        const dV = at.vol * 1e-4;
        near(
          (priceAt({ vol: at.vol + dV }) - priceAt({ vol: at.vol - dV })) / (2 * dV) / at.forward,
          vega / at.forward,
          1e-5,
          'vega',
        );
        const dT = at.years * 1e-4;
        const slope = (priceAt({ years: at.years - dT }) - priceAt({ years: at.years + dT })) / (2 * dT);
        near((slope * at.years) / at.forward, (theta * at.years) / at.forward, 1e-6, 'theta');
      }),
    );
  });

  test('a price lies between intrinsic value and the forward, whatever the terms', () => {
    const wild = fc.double({ min: 1e-12, max: 1e12, noNaN: true });
    const short = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(wild, wild, short, short, RIGHT, (forward, strike, years, vol, right) => {
        const value = valueOption({ right, forward, strike, years, vol });
        for (const [name, number] of Object.entries(value))
          assert.ok(Number.isFinite(number), `${name} ${number}`);
        const sign = right === 'C' ? 1 : -1;
        const slack = 1e-12 * (forward + strike);
        assert.ok(
          value.price >= Math.max(0, sign * (forward - strike)) - slack,
          `under intrinsic: ${value.price}`,
        );
        assert.ok(value.price <= (right === 'C' ? forward : strike) + slack, `too dear: ${value.price}`);
        assert.ok(sign * value.delta >= 0 && sign * value.delta <= 1 && value.gamma >= 0 && value.vega >= 0);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('limits', () => {
  test('without time or volatility an option is worth its payoff now', () => {
    const at = { forward: 105, strike: 100 };
    const flat = { gamma: 0, vega: 0, theta: 0 };
    for (const rest of [
      { years: 0, vol: 0.5 },
      { years: -1, vol: 0.5 },
      { years: 1, vol: 0 },
    ]) {
      assert.deepEqual(valueOption({ ...at, ...rest, right: 'C' }), { price: 5, delta: 1, ...flat });
      assert.deepEqual(valueOption({ ...at, ...rest, right: 'P' }), { price: 0, delta: 0, ...flat });
    }
    assert.equal(valueOption({ right: 'P', forward: 90, strike: 100, years: 0, vol: 1 }).delta, -1);
  });

  test('TERM-8: a forward of zero, the left end of a payoff chart', () => {
    const worthless = { forward: 0, strike: 100, years: 1, vol: 0.5 };
    assert.equal(valueOption({ ...worthless, right: 'C' }).price, 0);
    assert.equal(valueOption({ ...worthless, right: 'P' }).price, 100);
  });

  test('a price is at least the payoff, at most its bound, and never falls with more time', () => {
    const terms = fc.record({
      right: fc.constantFrom('C' as const, 'P' as const),
      forward: fc.double({ min: 0.01, max: 200_000, noNaN: true }),
      strike: fc.double({ min: 0.5, max: 200_000, noNaN: true }),
      years: fc.double({ min: 0, max: 3, noNaN: true }),
      vol: fc.double({ min: 0, max: 4, noNaN: true }),
    });
    fc.assert(
      fc.property(terms, (option) => {
        const { right, forward, strike, years } = option;
        const { price } = valueOption(option);
        const slack = 1e-9 * (forward + strike);
        assert.ok(price >= Math.max(0, (right === 'C' ? 1 : -1) * (forward - strike)) - slack);
        assert.ok(price <= (right === 'C' ? forward : strike) + slack);
        assert.ok(valueOption({ ...option, years: years + 0.1 }).price >= price - slack);
      }),
    );
  });

  test('as time runs out the price approaches intrinsic value without a jump', () => {
    for (const years of [1e-4, 1e-8, 1e-12, 1e-16, 1e-20]) {
      const { price } = valueOption({ right: 'C', forward: 100, strike: 100, years, vol: 0.5 });
      near(price, 100 * 0.5 * Math.sqrt(years) * 0.3989422804, 1e-6, `at ${years}`);
    }
  });
});
