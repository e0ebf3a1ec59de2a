import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutlierFilter } from './outliers.ts';

/** Feeds prices every `everyMs`, from `fromMs` on; returns which of them pass. */
function passed(filter: OutlierFilter, prices: readonly number[], fromMs: number, everyMs = 400): number[] {
  return prices.filter((price, i) => filter.passes(price, fromMs + i * everyMs));
}

function warm(): OutlierFilter {
  const filter = new OutlierFilter(500);
  assert.deepEqual(passed(filter, [100, 100.1, 99.9, 100, 100.2], 0), [100.2]);
  return filter;
}

test('the first prices are taken once five in a row agree', () => {
  const filter = new OutlierFilter(500);
  assert.deepEqual(passed(filter, [1e9, 100, 100, 100, 100.1, 100.2, 100.3], 0), [100.2, 100.3]);
});

test('a price outside the band is dropped, one inside is not', () => {
  assert.deepEqual(passed(warm(), [105, 200, 95.2, 1, 94.9, 101], 2_000), [105, 95.2, 101]);
});

test('a jump that is confirmed five times is taken, and becomes the new reference', () => {
  const filter = warm();
  assert.deepEqual(passed(filter, [120, 120.5, 121, 120.8, 120.2, 121], 2_000), [120.2, 121]);
  assert.deepEqual(passed(filter, [100], 5_000), []);
});

test('a jump is not confirmed by prices that disagree, nor across one that fits, nor in one burst', () => {
  assert.deepEqual(passed(warm(), [120, 150, 120, 150, 120, 150, 120, 150], 2_000), []);
  assert.deepEqual(passed(warm(), [120, 120, 120, 120, 100, 120, 120, 120, 120], 2_000), [100]);
  assert.deepEqual(passed(warm(), Array(100).fill(120), 2_000, 1), []);
});

test('after half an hour without prices the next ones must agree again', () => {
  const filter = warm();
  assert.deepEqual(passed(filter, [100], 2_000 + 31 * 60_000), []);
});
