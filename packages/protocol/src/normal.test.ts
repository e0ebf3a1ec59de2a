import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
    test(`at ${x} it matches the table to 1e-12, on both sides`, () => {
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
    test(`in the tail at ${x} seven digits match`, () => near(normalCdf(x) / expected, 1, 1e-7, 'ratio'));
  }

  test('far out it is 0 and 1', () => assert.deepEqual([normalCdf(-40), normalCdf(40)], [0, 1]));

  test('it is the integral of the density', () => {
    const steps = 10_000;
    let sum = 0;
    for (let i = 0; i < steps; i++) sum += normalPdf(-1 + (2 * (i + 0.5)) / steps) * (2 / steps);
    near(sum, normalCdf(1) - normalCdf(-1), 1e-8, 'mass within one deviation');
  });
});
