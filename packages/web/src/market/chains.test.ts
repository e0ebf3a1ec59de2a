import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chain } from '@venue/protocol';
import { ChainShelf, spread } from './chains.ts';

function world() {
  const asked: number[] = [];
  const state = { nowMs: 0, isAllowed: true, fails: false, live: null as Chain | null };
  const shelf = new ChainShelf({
    read: async (symbol, expiryTs) => {
      asked.push(expiryTs);
      if (state.fails) throw new Error('gone');
      return { symbol, expiryTs, spot: asked.length } as Chain;
    },
    live: (_, expiryTs) => (state.live?.expiryTs === expiryTs ? state.live : null),
    take: () => state.isAllowed,
    now: () => state.nowMs,
  });
  return { asked, state, shelf };
}

test('one read at a time, missing chains first, and none again before it is due', async () => {
  const { asked, state, shelf } = world();
  const both = [shelf.refresh('BTC', [1, 2]), shelf.refresh('BTC', [1, 2])];
  assert.deepEqual(await Promise.all(both), [true, false]);
  await shelf.refresh('BTC', [1, 2]);
  assert.deepEqual([asked, await shelf.refresh('BTC', [1, 2])], [[1, 2], false]);
  state.nowMs = 20_001;
  await shelf.refresh('BTC', [1, 2]);
  assert.deepEqual([asked, shelf.get('BTC', 1)!.spot, shelf.get('ETH', 1)], [[1, 2, 1], 3, null]);
});

test('no read exceeds the rate limit, and a failure keeps the known chain', async () => {
  const { asked, state, shelf } = world();
  state.isAllowed = false;
  assert.equal(await shelf.refresh('BTC', [1]), false);
  state.isAllowed = true;
  await shelf.refresh('BTC', [1]);
  Object.assign(state, { nowMs: 30_000, fails: true });
  await shelf.refresh('BTC', [1]);
  await shelf.refresh('BTC', [1]);
  assert.deepEqual([asked, shelf.get('BTC', 1)!.spot], [[1, 1], 1]);
});

test('holds at most forty chains', async () => {
  const { state, shelf } = world();
  for (let i = 0; i < 50; i++) await shelf.refresh('BTC', [i]);
  state.nowMs = 1;
  assert.deepEqual([shelf.get('BTC', 9), shelf.get('BTC', 10)?.expiryTs], [null, 10]);
});

test('picks a spread of items that includes the given one', () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  assert.deepEqual(spread(all, 3, 2), [1, 2, 9]);
  assert.deepEqual(spread(all, 4, null), [1, 4, 6, 9]);
  assert.deepEqual([spread([1, 2], 4, 7), spread(all, 1, 5)], [[1, 2], [5]]);
  for (const given of all)
    for (let most = 2; most < 9; most++) assert.equal(spread(all, most, given).length, most);
});

test('a chain that is followed anyway is not read', async () => {
  const { asked, state, shelf } = world();
  state.live = { symbol: 'BTC', expiryTs: 1, spot: 77 } as Chain;
  assert.equal(await shelf.refresh('BTC', [1]), false);
  await shelf.refresh('BTC', [1, 2]);
  assert.deepEqual([asked, shelf.get('BTC', 1)!.spot], [[2], 77]);
});
