import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VenueClient } from '@venue/sdk/browser';
import { GuardDesk } from './guard-desk.ts';

const NOW = 1_000_000;

/** A venue that keeps a guard, and may be made to answer late or not at all. */
function venue() {
  const calls: string[] = [];
  const state = { guardAt: null as number | null, fails: false, waits: Promise.resolve() };
  const write = async (what: string, at: number | null) => {
    calls.push(what);
    await state.waits;
    if (state.fails) throw new Error('overloaded');
    state.guardAt = at;
  };
  const client = {
    account: { me: async () => ({ guardAt: state.guardAt }) },
    orders: {
      async guard(ms: number) {
        await write(`set ${ms}`, NOW + ms);
        return { leftMs: ms, stop: async () => void calls.push('stop'), remove: () => write('remove', null) };
      },
      batch: () => write('batch', null),
    },
  } as unknown as Pick<VenueClient, 'account' | 'orders'>;
  const desk = new GuardDesk({ client, send: (act) => act(), venueNow: () => NOW });
  return { desk, calls, state };
}

describe('the guard of the terminal (GRD-1, TERM-12)', () => {
  test('is set and renewed by the page, and replaced and removed through it', async () => {
    const { desk, calls } = venue();
    await desk.set(120_000);
    assert.deepEqual([desk.leftMs, desk.state.getState().ms], [120_000, 120_000]);
    await desk.set(300_000);
    await desk.remove();
    assert.deepEqual(calls, ['set 120000', 'set 300000', 'stop', 'remove']);
    assert.deepEqual([desk.leftMs, desk.state.getState().ms], [null, null]);
  });

  test('of another program is found, counted down by the venue’s time, and removed by a batch', async () => {
    const { desk, calls, state } = venue();
    state.guardAt = NOW + 7_000;
    await desk.look();
    assert.deepEqual([desk.leftMs, desk.state.getState().ms], [7_000, null]);
    await desk.remove();
    assert.deepEqual([calls, desk.leftMs], [['batch'], null]);
  });

  test('a refusal changes nothing, is said, and the venue is asked for what stands', async () => {
    const { desk, state } = venue();
    state.fails = true;
    state.guardAt = NOW + 9_000;
    await desk.set(120_000);
    const { ms, isSending, fault } = desk.state.getState();
    assert.deepEqual([ms, isSending, fault], [null, false, 'Nothing was changed: overloaded.']);
    assert.equal(desk.leftMs, 9_000);
  });

  test('a change that fails leaves the guard that is renewed; a removal that fails leaves it to run out, which is said', async () => {
    const { desk, state } = venue();
    await desk.set(120_000);
    state.fails = true;
    await desk.set(300_000);
    assert.deepEqual([desk.leftMs, desk.state.getState().ms], [120_000, 120_000]);
    await desk.remove();
    assert.deepEqual([desk.leftMs, desk.state.getState().ms], [120_000, null]);
    assert.equal(desk.state.getState().at, NOW + 120_000);
  });

  test('what is answered after the account has signed out is renewed no more, and forgotten', async () => {
    const { desk, calls, state } = venue();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.waits = promise;
    const setting = desk.set(120_000);
    desk.end();
    resolve();
    await setting;
    assert.deepEqual(calls, ['set 120000', 'stop']);
    assert.equal(desk.state.getState().at, undefined);
    assert.equal(desk.state.getState().isSending, false);
  });
});
