import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Handlers } from './handlers.ts';

test('what a handler throws or rejects with is told, and goes no further', async () => {
  const told: unknown[] = [];
  const handlers = new Handlers((error) => told.push(String(error)));
  assert.equal(
    handlers.call(() => 7),
    7,
  );
  assert.equal(
    handlers.call(() => {
      throw new Error('thrown');
    }),
    undefined,
  );
  handlers.call(async () => {
    throw new Error('rejected');
  });
  await turn();
  assert.deepEqual(told, ['Error: thrown', 'Error: rejected']);
});

test('a handler of errors that fails itself ends nothing', async () => {
  const handlers = new Handlers(() => {
    throw new Error('of the handler of errors');
  });
  handlers.call(() => {
    throw new Error('thrown');
  });
  handlers.call(() => Promise.reject(new Error('rejected')));
  await turn();
});
