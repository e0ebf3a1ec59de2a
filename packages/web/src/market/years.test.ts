import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { yearsUntil } from './years.ts';

function near(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`);
}

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
