import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { VenueClient } from '@venue/sdk/browser';
import { createStores } from '../terminal/stores.ts';
import type { KeptSession } from './kept-session.ts';
import { Sessions } from './sessions.ts';
import type { SessionStore } from './store.ts';

const LOOK_MS = 30_000;

/** A page that finds the session of an earlier visit, at a venue that knows it. */
function openPage(expiresAtMs: number) {
  const { session: state } = createStores();
  const clock = { ms: 0 };
  const calls: string[] = [];
  const kept = {
    isLasting: true,
    load: async () =>
      ({ account: '0xa', sessionKey: '0xk', expiresAtMs, wallet: 'Alpha' }) as unknown as KeptSession,
  } as SessionStore;
  const auth = { useSession: () => calls.push('used'), renew: async () => void calls.push('renewed') };
  const sessions = new Sessions({
    client: { auth } as unknown as VenueClient,
    ...{ state, kept },
    now: () => clock.ms,
    onReady: () => calls.push('ready'),
    onGone: () => calls.push('gone'),
    onKept: () => {},
  });
  return { sessions, state, clock, calls };
}

it('KEY-2: a session ends by itself at its time, and the page goes on showing whose it was', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { sessions, state, clock, calls } = openPage(60_000);
  await sessions.restore();
  assert.deepEqual([state.getState().state, calls], ['ready', ['used', 'renewed', 'ready']]);
  clock.ms = 59_999;
  t.mock.timers.tick(LOOK_MS);
  assert.equal(state.getState().state, 'ready');
  clock.ms = 60_000;
  t.mock.timers.tick(LOOK_MS);
  const { state: own, address, wallet, sessionKey } = state.getState();
  assert.deepEqual([own, address, wallet, sessionKey], ['expired', '0xa', 'Alpha', null]);
  assert.deepEqual(calls.slice(3), ['gone']);
});

it('KEY-2: a session that ended between two visits is not used again', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { sessions, state, clock, calls } = openPage(60_000);
  clock.ms = 60_000;
  await sessions.restore();
  assert.deepEqual([state.getState().state, state.getState().address, calls], ['expired', '0xa', ['gone']]);
});
