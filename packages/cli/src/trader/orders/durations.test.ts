import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError } from '../../base/command-error.ts';
import { durationMs, durationOf, timeSpan } from './durations.ts';

test('a length of time is days, hours, minutes and seconds, in this order', () => {
  for (const [text, ms] of [
    ['90s', 90_000],
    ['15m', 900_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['1d2h3m4s', 93_784_000],
    ['0s', 0],
  ] as const)
    assert.equal(durationMs(text), ms, text);
  for (const text of ['', '5', 's', '1.5h', '-1s', '1m1h', '1h ', '1H', '1234567s'])
    assert.equal(durationMs(text), null, text);
});

test('a length of time outside its bounds is refused with them', () => {
  const bounds = { minMs: 5_000, maxMs: 600_000 };
  assert.equal(durationOf('a guard', '5s', bounds), 5_000);
  assert.equal(durationOf('a guard', '10m', bounds), 600_000);
  for (const text of ['4s', '10m1s', 'soon'])
    assert.throws(
      () => durationOf('a guard', text, bounds),
      (error) =>
        error instanceof CommandError &&
        error.exitCode === 2 &&
        error.message === `a guard is a length of time from 5s to 10m, not "${text}"`,
    );
});

test('a length of time is written as it is read', () => {
  for (const text of ['1d2h3m4s', '15m', '90s', '1h30m', '0s'])
    assert.equal(durationMs(timeSpan(durationMs(text)!)), durationMs(text));
  assert.deepEqual([timeSpan(90_000), timeSpan(0), timeSpan(30_000)], ['1m30s', '0s', '30s']);
});
