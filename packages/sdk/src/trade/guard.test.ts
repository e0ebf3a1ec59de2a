import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { OrderRecord } from '@venue/protocol';
import { UnauthorizedError, UnavailableError } from '../net/errors.ts';
import { Handlers } from '../net/handlers.ts';
import { Guard, type GuardLapse, type GuardOptions } from './guard.ts';

const TAKEN = [{ id: 7, cause: 'guard', closedAt: 2 }] as unknown as OrderRecord[];
const DAY_MS = 86_400_000;

const GUARD_MS = 600_000;

/** A guard of ten minutes that is renewed twice; before the first time the machine has slept for so long. */
async function slept(ms: number, taken: OrderRecord[], options: GuardOptions = {}): Promise<Error[]> {
  const thrown: Error[] = [];
  let clockMs = 0;
  let settings = 0;
  const guard = new Guard(GUARD_MS, {
    ...options,
    now: () => clockMs,
    send: async () => {
      settings += 1;
    },
    takenSince: async (sinceMs) => {
      assert.equal(sinceMs, GUARD_MS, 'from when the first setting was due');
      return taken;
    },
    handlers: new Handlers((error) => thrown.push(error as Error)),
  });
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    await guard.set();
    clockMs += ms;
    for (let renewals = 0; renewals < 2; renewals += 1) {
      mock.timers.tick(GUARD_MS);
      await setImmediate();
    }
  } finally {
    mock.timers.reset();
  }
  assert.equal(settings, 3);
  await guard.stop();
  return thrown;
}

test('GRD-1: a guard that was renewed after it was due tells which orders left, once', async () => {
  const lapses: GuardLapse[] = [];
  assert.deepEqual(await slept(DAY_MS, TAKEN, { onLapse: (lapse) => void lapses.push(lapse) }), []);
  assert.deepEqual(lapses, [{ dueAtMs: GUARD_MS, orders: TAKEN }]);
});

test('GRD-1: a lapse that nobody listens for is thrown to the handler of errors', async () => {
  const [error] = await slept(DAY_MS, TAKEN);
  assert.match(error!.message, /^the guard was due at 1970-01-01T00:10:00.000Z, and its orders have left$/);
});

test('GRD-1: a guard that took nothing, as where only the clock was set, has not lapsed', async () => {
  assert.deepEqual(await slept(DAY_MS, []), []);
});

/** A guard that is due before each renewal, with reads of orders that end as these do. */
async function lapsing(reads: readonly (() => Promise<OrderRecord[]>)[], ticks: number) {
  const lapses: GuardLapse[] = [];
  let clockMs = 0;
  let settings = 0;
  let read = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  const guard = new Guard(GUARD_MS, {
    onLapse: (lapse) => void lapses.push(lapse),
    now: () => clockMs,
    send: async () => {
      settings += 1;
    },
    takenSince: () => reads[read++]!(),
    handlers: new Handlers((error) => assert.fail(error as Error)),
  });
  try {
    await guard.set();
    clockMs += GUARD_MS;
    for (let tick = 0; tick < ticks; tick += 1) {
      mock.timers.tick(GUARD_MS);
      await setImmediate();
    }
  } finally {
    mock.timers.reset();
  }
  await guard.stop();
  return { lapses, settings, read };
}

test('GRD-1: a guard is renewed while the orders of a lapse are still being read', async () => {
  const { settings, lapses } = await lapsing([() => new Promise(() => {})], 3);
  assert.deepEqual([settings, lapses], [4, []]);
});

test('GRD-1: the orders of a lapse are asked for again where the venue cannot tell yet', async () => {
  const behind = () => Promise.reject(new UnavailableError(500, 'history unavailable'));
  const { lapses } = await lapsing([behind, behind, async () => TAKEN], 4);
  assert.deepEqual(lapses, [{ dueAtMs: GUARD_MS, orders: TAKEN }]);
});

test('GRD-1: a lapse whose orders cannot be read is told without them', async () => {
  const behind = () => Promise.reject(new UnavailableError(500, 'history unavailable'));
  const { lapses, read } = await lapsing([behind, behind, behind, behind, behind, behind], 9);
  assert.deepEqual([lapses, read], [[{ dueAtMs: GUARD_MS, orders: null }], 5]);
  const over = () => Promise.reject(new UnauthorizedError(401, 'session expired'));
  assert.deepEqual((await lapsing([over], 2)).lapses, [{ dueAtMs: GUARD_MS, orders: null }]);
});
