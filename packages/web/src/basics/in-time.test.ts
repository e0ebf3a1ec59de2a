import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inTime } from './in-time.ts';

describe('a limit on how long something may take', () => {
  it('gives what comes in time, and its failure, and leaves no timer', async (t) => {
    const cleared = t.mock.method(globalThis, 'clearTimeout');
    assert.equal(await inTime(Promise.resolve('here'), 1_000), 'here');
    await assert.rejects(inTime(Promise.reject(new Error('refused')), 1_000), /refused/);
    assert.equal(cleared.mock.callCount(), 2);
  });

  it('rejects where nothing comes', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const waited = assert.rejects(inTime(new Promise(() => {}), 1_000), /no answer within 1000 ms/);
    t.mock.timers.tick(1_000);
    await waited;
  });
});
