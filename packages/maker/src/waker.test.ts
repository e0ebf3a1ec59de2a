import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Waker } from './waker.ts';

async function timed(waiting: Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await waiting;
  return performance.now() - startedMs;
}

test('it waits its time, or less when woken, or not at all when stopped', async () => {
  const waker = new Waker();
  const stop = new AbortController();
  const { signal } = stop;
  assert.ok((await timed(waker.wait({ minMs: 5, maxMs: 50, signal }))) >= 45);
  const woken = timed(waker.wait({ minMs: 5, maxMs: 60_000, signal }));
  setTimeout(() => waker.wake(), 20);
  assert.ok((await woken) < 5_000);
  setTimeout(() => stop.abort(), 20);
  assert.ok((await timed(waker.wait({ minMs: 60_000, maxMs: 60_000, signal }))) < 5_000);
  assert.ok((await timed(waker.wait({ minMs: 60_000, maxMs: 60_000, signal }))) < 5_000);
});

test('an event while nobody waited shortens the next wait to its minimum, and only that one', async () => {
  const waker = new Waker();
  const { signal } = new AbortController();
  waker.wake();
  const first = await timed(waker.wait({ minMs: 20, maxMs: 60_000, signal }));
  assert.ok(first >= 15 && first < 5_000);
  assert.ok((await timed(waker.wait({ minMs: 1, maxMs: 50, signal }))) >= 45);
});
