import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStores } from '../terminal/stores.ts';
import { Allowance, takeWhileOnline } from './allowance.ts';

/** Reads sent when one is wanted every 50 ms for a minute. */
function readsInAMinute(others: number): number {
  let nowMs = 0;
  const allowance = new Allowance(() => nowMs);
  allowance.shareWith(others);
  let reads = 0;
  for (; nowMs < 60_000; nowMs += 50) if (allowance.take()) reads += 1;
  return reads;
}

test('a page that wants more than its allowance stays below 300 reads a minute', () => {
  const reads = readsInAMinute(0);
  assert.ok(reads > 250 && reads < 300, `${reads}`);
});

test('two pages together also stay below it', () => {
  const reads = readsInAMinute(1);
  assert.ok(reads > 125 && reads < 150, `${reads}`);
});

test('after a refusal nothing is sent for the time it named', () => {
  let nowMs = 0;
  const allowance = new Allowance(() => nowMs);
  allowance.pause(2_000);
  nowMs = 1_900;
  assert.equal(allowance.take(), false);
  nowMs = 2_300;
  assert.equal(allowance.take(), true);
});

test('a clock set back grants no extra reads', () => {
  let nowMs = 10_000;
  const allowance = new Allowance(() => nowMs);
  while (allowance.take());
  nowMs = 5_000;
  assert.equal(allowance.take(), false);
});

test('outside the schedule nothing is read while the page is offline, and at the usual pace after the first answer', () => {
  let nowMs = 0;
  const { link } = createStores();
  const take = takeWhileOnline(new Allowance(() => nowMs), link);
  const readsOfAMinute = () => {
    const untilMs = nowMs + 60_000;
    let reads = 0;
    for (; nowMs < untilMs; nowMs += 1_000) if (take()) reads += 1;
    return reads;
  };
  const reads = (['live', 'offline', 'late'] as const).map((state) => {
    link.setState({ state });
    return readsOfAMinute();
  });
  assert.deepEqual(reads, [60, 0, 60]);
});
