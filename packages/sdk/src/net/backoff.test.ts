import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { Backoff, pause } from './backoff.ts';

test('waits double up to the limit and start small again after a success', () => {
  const backoff = new Backoff({ firstMs: 100, limitMs: 1_000, random: () => 1 });
  const waits = Array.from({ length: 6 }, () => backoff.next());
  assert.deepEqual(waits, [100, 200, 400, 800, 1_000, 1_000]);
  backoff.reset();
  assert.equal(backoff.next(), 100);
});

test('jitter keeps a wait between half and all of its time', () => {
  assert.equal(new Backoff({ firstMs: 100, random: () => 0 }).next(), 50);
});

test('a pause ends when the signal aborts, immediately if it has, and leaves no listener behind', async () => {
  const stop = new AbortController();
  await pause(1, stop.signal);
  assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  const started = performance.now();
  const long = pause(60_000, stop.signal);
  stop.abort();
  await Promise.all([long, pause(60_000, stop.signal)]);
  assert.ok(performance.now() - started < 30_000);
});
