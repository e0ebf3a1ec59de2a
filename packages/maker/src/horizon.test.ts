import assert from 'node:assert/strict';
import { test } from 'node:test';
import { horizonOf, SpotAverage, WINDOW_MS, YEAR_MS } from './horizon.ts';

const CUTOFF_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;

function at(leftMs: number, more: Partial<Parameters<typeof horizonOf>[0]> = {}) {
  return horizonOf({
    spot: 100,
    carry: 0,
    cutoffMs: CUTOFF_MS,
    nowMs: CUTOFF_MS - leftMs,
    average: 90,
    ...more,
  });
}

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected), `${actual}, expected ${expected}`);
}

test('before the window the forward is the spot, and two thirds of the window do not count as time', () => {
  const { forward, years, gearing } = at(YEAR_MS);
  assert.deepEqual([forward, gearing], [100, 1]);
  near(years, 1 - (20 * MINUTE_MS) / YEAR_MS);
});

test('carry grows the forward', () => {
  near(at(YEAR_MS, { carry: 0.05 }).forward, 100 * Math.exp(0.05));
  near(at(YEAR_MS, { carry: 0.05 }).gearing, Math.exp(0.05));
});

test('in the window the past part is fixed and only the rest moves', () => {
  const { forward, gearing } = at(10 * MINUTE_MS);
  near(forward, (2 / 3) * 90 + (1 / 3) * 100);
  near(gearing, 1 / 3);
  assert.deepEqual(at(0), { forward: 90, years: 0, gearing: 0 });
});

test('nothing jumps as the window opens', () => {
  const [before, after] = [at(WINDOW_MS), at(WINDOW_MS - 1e-3)];
  assert.ok(Math.abs(before.forward - after.forward) < 1e-6);
  assert.ok(Math.abs(before.years / after.years - 1) < 1e-6);
});

test('the time is that of the average of a random walk', () => {
  // Seeded walk: 2,000 paths of 180 steps over the 30 minutes, average against end.
  let seed = 1;
  const uniform = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  let [ends, averages] = [0, 0];
  for (let path = 0; path < 2_000; path++) {
    let [spot, sum] = [0, 0];
    for (let step = 0; step < 180; step++) sum += spot += normal();
    ends += spot * spot;
    averages += (sum / 180) ** 2;
  }
  const share = at(WINDOW_MS, { average: 100 }).years / (WINDOW_MS / YEAR_MS);
  assert.ok(
    Math.abs(averages / ends - share) < 0.03,
    `${averages / ends} of the variance, priced as ${share}`,
  );
});

test('an average holds each spot until the next, and the first from the opening', () => {
  const average = new SpotAverage();
  const openedMs = 1_000;
  average.observe({ spot: 10, nowMs: 1_100, openedMs });
  assert.deepEqual([average.value, average.missedMs], [10, 100]);
  average.observe({ spot: 20, nowMs: 1_200, openedMs });
  assert.equal(average.value, 10);
  average.observe({ spot: 20, nowMs: 1_400, openedMs });
  assert.equal(average.value, 15);
  average.observe({ spot: 7, nowMs: 9_000, openedMs: 9_000 });
  assert.deepEqual([average.value, average.missedMs], [7, 0]);
});
