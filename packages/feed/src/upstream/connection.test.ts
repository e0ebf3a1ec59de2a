import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connected, until } from '../../test/upstream.ts';
import type { Hooks } from './connection.ts';

function closing(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('closed')));
}

test('a lost connection is reopened at growing intervals, with one line each', async () => {
  const connected = new Connected();
  let attempts = 0;
  connected.run(async (_signal, { alive }) => {
    attempts += 1;
    if (attempts === 1) throw new Error('connect\n  ECONNREFUSED');
    alive();
    alive();
    return 'cut';
  });
  await until(() => attempts >= 4);
  await connected.stop();
  const waits = connected.lines
    .flatMap((line) => /reconnecting in (\d+) ms/.exec(line)?.[1] ?? [])
    .map(Number);
  assert.match(connected.lines[0]!, /^up: lost \(connect ECONNREFUSED\), reconnecting in \d+ ms$/);
  assert.equal(connected.lines[1], 'up: connected');
  assert.match(connected.lines[2]!, /^up: lost \(cut\), reconnecting in \d+ ms$/);
  assert.ok(waits[0]! >= 5 && waits[0]! <= 10 && waits[2]! >= 20, `${waits}`);
});

test('silence is a loss, and the silent connection is closed before the next is opened', async () => {
  const connected = new Connected();
  let open = 0;
  let most = 0;
  let attempts = 0;
  connected.run(async (signal: AbortSignal, { alive }: Hooks) => {
    attempts += 1;
    open += 1;
    most = Math.max(most, open);
    alive();
    const reason = await closing(signal);
    open -= 1;
    return reason;
  }, 50);
  await until(() => attempts >= 2);
  await connected.stop();
  assert.match(connected.lines[1]!, /lost \(no message for 0.05 s\)/);
  assert.deepEqual([most, open], [1, 0]);
});

test('messages prevent a silence loss', async () => {
  const connected = new Connected();
  let attempts = 0;
  connected.run(async (signal, { alive }) => {
    attempts += 1;
    const timer = setInterval(alive, 20);
    const reason = await closing(signal);
    clearInterval(timer);
    return reason;
  }, 100);
  await new Promise((resolve) => setTimeout(resolve, 400));
  await connected.stop();
  assert.deepEqual([attempts, connected.lines], [1, ['up: connected']]);
});
