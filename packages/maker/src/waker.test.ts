import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Waker } from './waker.ts';

/** The clock stands until the test moves it, so that no load of the machine changes what a wait takes. */
function standingClock(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  return async (ms: number) => {
    context.mock.timers.tick(ms);
    await turn();
  };
}

function started(waiting: Promise<void>): { isOver: boolean } {
  const wait = { isOver: false };
  void waiting.then(() => {
    wait.isOver = true;
  });
  return wait;
}

test('it waits its time, or less when woken, or not at all when stopped', async (context) => {
  const pass = standingClock(context);
  const waker = new Waker();
  const stop = new AbortController();
  const { signal } = stop;

  const whole = started(waker.wait({ minMs: 5, maxMs: 50, signal }));
  await pass(5);
  await pass(44);
  assert.equal(whole.isOver, false);
  await pass(1);
  assert.equal(whole.isOver, true);

  const woken = started(waker.wait({ minMs: 5, maxMs: 60_000, signal }));
  await pass(5);
  assert.equal(woken.isOver, false);
  waker.wake();
  await turn();
  assert.equal(woken.isOver, true);

  const stopped = started(waker.wait({ minMs: 60_000, maxMs: 60_000, signal }));
  stop.abort();
  await turn();
  assert.equal(stopped.isOver, true);
  const late = started(waker.wait({ minMs: 60_000, maxMs: 60_000, signal }));
  await turn();
  assert.equal(late.isOver, true);
});

test('an event while nobody waited shortens the next wait to its minimum, and only that one', async (context) => {
  const pass = standingClock(context);
  const waker = new Waker();
  const { signal } = new AbortController();
  waker.wake();

  const first = started(waker.wait({ minMs: 20, maxMs: 60_000, signal }));
  await pass(19);
  assert.equal(first.isOver, false);
  await pass(1);
  assert.equal(first.isOver, true);

  const second = started(waker.wait({ minMs: 1, maxMs: 50, signal }));
  await pass(1);
  await pass(48);
  assert.equal(second.isOver, false);
  await pass(1);
  assert.equal(second.isOver, true);
});
