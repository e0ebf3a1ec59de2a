import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as afterAll } from 'node:timers/promises';
import { AbortedError, RateLimitedError } from './errors.ts';
import { Limiter, limiterOf } from './limiter.ts';

/** Requests to a path that leave at once. */
async function admitted(limiter: Limiter, path: string, isUrgent = false): Promise<number> {
  for (let count = 0; ; count++) {
    try {
      await limiter.admit(path, { limitMs: 0, isUrgent });
    } catch (error) {
      assert.ok(error instanceof RateLimitedError, String(error));
      return count;
    }
  }
}

const BUDGETS: [path: string, count: number, atOnce?: number][] = [
  ['/v1/order', 57],
  ['/v1/withdraw', 57],
  ['/v1/cancel', 57],
  ['/v1/order/cancel', 57],
  ['/v1/batch', 285, 270],
  ['/v1/quote-sets/16', 570],
  ['/v1/quote-sets', 285],
  ['/v1/auth/session', 9],
  ['/v1/me', 285],
  ['/v1/orders', 285],
  ['/v1/order/preview', 285],
];
for (const [path, count, atOnce = count] of BUDGETS) {
  test(`of ${path} ${count} a minute leave, a little less than the edge takes`, async () => {
    let nowMs = 1_000;
    const limiter = new Limiter(() => nowMs);
    assert.equal(await admitted(limiter, path), Math.floor(atOnce));
    nowMs += 30_000;
    assert.ok(Math.abs((await admitted(limiter, path)) - count / 2) <= 1);
    nowMs += 600_000;
    assert.equal(await admitted(limiter, path), Math.floor(atOnce));
  });
}

test('orders leave the budget of cancels, batches and reads alone', async () => {
  const limiter = new Limiter(() => 0);
  await admitted(limiter, '/v1/order');
  assert.equal(await admitted(limiter, '/v1/withdraw'), 0);
  for (const [path, count] of [
    ['/v1/cancel', 57],
    ['/v1/batch', 270],
    ['/v1/me', 285],
  ] as const)
    assert.equal(await admitted(limiter, path), count);
});

test('HTTP-10: batches that only cancel or renew a guard have a reserve that no order uses up', async () => {
  let nowMs = 1_000;
  const limiter = new Limiter(() => nowMs);
  assert.equal(await admitted(limiter, '/v1/batch'), 270);
  assert.equal(await admitted(limiter, '/v1/batch', true), 15);
  const stop = new AbortController();
  const orders = { limitMs: 10_000, signal: stop.signal };
  const queued = Array.from({ length: 40 }, () => limiter.admit('/v1/batch', orders).catch(() => null));
  nowMs += 4_000;
  assert.equal(await admitted(limiter, '/v1/batch'), 0);
  assert.equal(await admitted(limiter, '/v1/batch', true), 1);
  stop.abort();
  await Promise.all(queued);
  assert.equal(await admitted(limiter, '/v1/order', true), 57);
});

test('HTTP-10: the edge takes all that leaves, orders and the reserve together', async () => {
  let nowMs = 0;
  const limiter = new Limiter(() => nowMs);
  /** The edge's bucket of 300, which loses 300 a minute. */
  let level = 0;
  for (; nowMs < 600_000; nowMs += 100) {
    level = Math.max(0, level - 0.5);
    level += (await admitted(limiter, '/v1/batch')) + (await admitted(limiter, '/v1/batch', true));
    assert.ok(level <= 300, `${level} after ${nowMs} ms`);
  }
});

test('what does not lead through the edge is not counted', async () => {
  const limiter = new Limiter(() => 0);
  for (const path of ['/healthz', '/v1/quotes', '/v1/maker/quotes', '/v1/feed/prints', '/v1/operator/audit'])
    for (let i = 0; i < 1_000; i++) await limiter.admit(path, { limitMs: 0 });
});

test('a request waits its turn, is refused if that comes too late, and gives it back if it is ended', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let nowMs = 0;
  const limiter = new Limiter(() => nowMs);
  await admitted(limiter, '/v1/batch');
  let isAdmitted = false;
  const turn = limiter.admit('/v1/batch', { limitMs: 1_000 }).then(() => {
    isAdmitted = true;
  });
  const pass = async (ms: number) => {
    nowMs += ms;
    t.mock.timers.tick(ms);
    await afterAll();
  };
  await pass(100);
  assert.equal(isAdmitted, false);
  await pass(150);
  assert.equal(isAdmitted, true);
  await turn;
  const stop = new AbortController();
  const ended = limiter.admit('/v1/batch', { limitMs: 1_000, signal: stop.signal });
  stop.abort('enough');
  await assert.rejects(ended, (error) => error instanceof AbortedError && error.neverSent);
  const error = await limiter.admit('/v1/batch', { limitMs: 0 }).catch((thrown) => thrown);
  assert.ok(error instanceof RateLimitedError && error.retryAfterMs! <= 211, String(error.retryAfterMs));
  assert.match(error.message, /300 of these a minute: not sent/);
});

test('one address has one limiter', () => {
  assert.equal(limiterOf('https://a'), limiterOf('https://a'));
  assert.notEqual(limiterOf('https://a'), limiterOf('https://b'));
});
