import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalText, placesOf } from './numbers.ts';

test('a decimal has the places it needs, within the bounds, and never an exponent', () => {
  for (const [value, min, max, text] of [
    [12.5, 2, 6, '12.50'],
    [0.000001, 2, 6, '0.000001'],
    [0.0000001, 0, 6, '0'],
    [100000, 0, 6, '100000'],
    [100000, 2, 6, '100000.00'],
    [1234.5678, 2, 2, '1234.57'],
    [-3.25, 2, 2, '-3.25'],
    [-0.001, 2, 2, '0.00'],
    [-0.000001, 0, 6, '-0.000001'],
    [5, 0, 0, '5'],
    [0.1 + 0.2, 0, 6, '0.3'],
  ] as const) {
    assert.equal(decimalText(value, [min, max]), text);
  }
});

test('trailing zeros do not count as places', () => {
  assert.deepEqual(['1', '1.500', '1.000001', '10.0'].map(placesOf), [0, 1, 6, 0]);
});
