import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { valueOption } from '@venue/protocol/black76';
import fc from 'fast-check';
import { arbitrageOf, type Surface, sliceOf, totalVariance, varianceAt, volatilityAt } from './surface.ts';

const FLAT: Surface = { shortVol: 0.5, longVol: 0.5, halfLifeDays: 30, rho: -0.3, eta: 0.6, gamma: 0.4 };

/** Surfaces that pass the check, including the worst at its very bound. */
const SURFACES = fc
  .record({
    shortVol: fc.double({ min: 0.03, max: 3, noNaN: true }),
    longVol: fc.double({ min: 0.03, max: 3, noNaN: true }),
    halfLifeDays: fc.double({ min: 0.5, max: 500, noNaN: true }),
    rho: fc.double({ min: -0.99, max: 0.99, noNaN: true }),
    gamma: fc.double({ min: 0.02, max: 0.5, noNaN: true }),
    strength: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ strength, ...rest }): Surface => ({ ...rest, eta: strength * boundOf(rest) }));

/** The largest eta that passes, by bisection. */
function boundOf(rest: Omit<Surface, 'eta'>): number {
  let [low, high] = [0, 4];
  for (let i = 0; i < 60; i++) {
    const eta = (low + high) / 2;
    if (arbitrageOf({ ...rest, eta }) === null) low = eta;
    else high = eta;
  }
  return low;
}

const YEARS = fc.double({ min: 1 / 365 / 1_440, max: 1, noNaN: true });
const MONEYNESS = Array.from({ length: 81 }, (_, i) => (i - 40) / 10);

describe('no static arbitrage on any surface that passes the check', () => {
  test('butterfly: the density of the settlement price is nowhere negative', () => {
    fc.assert(
      fc.property(SURFACES, YEARS, fc.double({ min: 0.2, max: 4, noNaN: true }), (surface, years, scale) => {
        const slice = sliceOf(surface, years, scale);
        // In standard deviations, where the density is concentrated.
        for (const d of MONEYNESS) {
          const g = densityFactor(
            (k) => varianceAt(slice, k),
            d * Math.sqrt(slice.theta),
            Math.sqrt(slice.theta),
          );
          assert.ok(g >= -1e-5, `factor ${g} at ${d} deviations`);
        }
      }),
    );
  });

  test('butterfly: prices fall and are convex from strike to strike', () => {
    fc.assert(
      fc.property(SURFACES, YEARS, (surface, years) => {
        const slice = sliceOf(surface, years);
        const forward = 100;
        const reach = Math.min(5, 4 * Math.sqrt(slice.theta));
        const strikes = Array.from(
          { length: 41 },
          (_, i) => forward * (1 + ((i - 20) / 20) * Math.min(0.95, reach)),
        );
        const calls = strikes.map((strike) => {
          const vol = volatilityAt(slice, Math.log(strike / forward));
          return valueOption({ right: 'C', forward, strike, years, vol }).price;
        });
        for (let i = 1; i < calls.length; i++) {
          const fall = calls[i - 1]! - calls[i]!;
          assert.ok(
            fall >= -1e-10 && fall <= strikes[i]! - strikes[i - 1]! + 1e-10,
            `vertical ${i}: ${fall}`,
          );
          const body = i + 1 < calls.length ? calls[i - 1]! - 2 * calls[i]! + calls[i + 1]! : 0;
          assert.ok(body >= -1e-10, `butterfly ${i}: ${body}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('calendar: total variance grows with time at every moneyness', () => {
    fc.assert(
      fc.property(SURFACES, YEARS, YEARS, (surface, one, other) => {
        const [near, far] = [Math.min(one, other), Math.max(one, other)];
        const [first, second] = [sliceOf(surface, near), sliceOf(surface, far)];
        for (const d of MONEYNESS) {
          const k = d * Math.sqrt(second.theta);
          const rise = varianceAt(second, k) - varianceAt(first, k);
          // Between adjacent doubles only rounding is left.
          assert.ok(rise >= -1e-10 * varianceAt(second, k), `falls by ${-rise} at ${k}`);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Durrleman's condition, which is positive exactly where the density is; derivatives by finite differences. */
function densityFactor(w: (k: number) => number, k: number, deviation: number): number {
  const step = 1e-3 * deviation;
  const [below, at, above] = [w(k - step), w(k), w(k + step)];
  const slope = (above - below) / (2 * step);
  const bend = (above - 2 * at + below) / (step * step);
  return (1 - (k * slope) / (2 * at)) ** 2 - ((slope * slope) / 4) * (1 / at + 1 / 4) + bend / 2;
}

describe('surfaces that are refused', () => {
  for (const [change, why] of [
    [{ gamma: 0.6 }, /^butterfly: gamma must be over 0 and at most 0.5, not 0.6/],
    [{ gamma: 0 }, /^butterfly: gamma/],
    [
      { eta: 2, gamma: 0.5, rho: -0.9 },
      /^butterfly: theta phi\^2 \(1 \+ \|rho\|\) must be at most 4, and reaches 7.6/,
    ],
    [{ eta: 3.5, rho: 0.5 }, /^butterfly: eta \(1 \+ \|rho\|\) must be under 4, not 5.25/],
    [{ rho: 1 }, /^calendar: rho/],
    [{ shortVol: 0 }, /^calendar: total variance/],
  ] as const) {
    test(JSON.stringify(change), () => assert.match(arbitrageOf({ ...FLAT, ...change })!, why));
  }

  test('the butterfly that a refused surface admits shows in its prices', () => {
    const refused: Surface = { ...FLAT, eta: 2.6, gamma: 0.5, rho: -0.9 };
    assert.notEqual(arbitrageOf(refused), null);
    const slice = sliceOf(refused, 7 / 365);
    const deviation = Math.sqrt(slice.theta);
    const factors = MONEYNESS.map((d) =>
      densityFactor((k) => varianceAt(slice, k), d * deviation, deviation),
    );
    assert.ok(Math.min(...factors) < -0.01, `least ${Math.min(...factors)}`);
  });
});

describe('shape', () => {
  test('at the money it is the term structure, from short to long with its half-life', () => {
    const surface = { ...FLAT, shortVol: 0.8, longVol: 0.4 };
    assert.ok(Math.abs(volatilityAt(sliceOf(surface, 1e-6), 0) - 0.8) < 1e-4);
    assert.ok(Math.abs(volatilityAt(sliceOf(surface, 200), 0) - 0.4) < 1e-3);
    // After one half-life the instantaneous variance is halfway.
    const years = 30 / 365;
    const moment = (totalVariance(surface, years + 1e-6) - totalVariance(surface, years - 1e-6)) / 2e-6;
    assert.ok(Math.abs(moment - (0.64 + 0.16) / 2) < 1e-6);
  });

  test('low strikes are expensive where rho is negative, and both wings rise', () => {
    const slice = sliceOf(FLAT, 30 / 365);
    const at = (d: number) => volatilityAt(slice, d * Math.sqrt(slice.theta));
    assert.ok(at(-1) > at(0) && at(-1) > at(1) && at(-4) > at(0) && at(4) > at(1));
  });
});
