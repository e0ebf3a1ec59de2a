import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptStorage, refusedStorage } from '../../test/kept-storage.ts';
import { SharedNonces } from './shared-nonces.ts';

function placeOf() {
  const storage = keptStorage();
  return { storage: () => storage, locks: null };
}

test('tabs that sign at the same moment take different nonces, at or next to the current time (SIG-4)', async () => {
  const place = placeOf();
  const tabs = [new SharedNonces(place, () => 1_000.4), new SharedNonces(place, () => 1_000)];
  const taken: number[] = [];
  for (let i = 0; i < 6; i++) taken.push(await tabs[i % 2]!.next(i < 3 ? '0xAB' : '0xab'));
  assert.deepEqual(taken, [1_000, 1_001, 1_002, 1_003, 1_004, 1_005]);
  assert.equal(await tabs[0]!.next('0xcd'), 1_000);
});

test('nonces return to the current time after a clock that was far ahead (SIG-5)', async () => {
  const place = placeOf();
  await new SharedNonces(place, () => 500_000).next('0xab');
  assert.equal(await new SharedNonces(place, () => 100_000).next('0xab'), 100_000);
});

test('a kept nonce that is no number counts as none', async () => {
  for (const text of ['x', '"9"', '{}', '1e999', '2000.5']) {
    const storage = keptStorage({ 'venue nonce 0xab': text });
    const nonces = new SharedNonces({ storage: () => storage, locks: null }, () => 1_000);
    assert.deepEqual([await nonces.next('0xab'), await nonces.next('0xab')], [1_000, 1_001], text);
  }
});

test('a lock is held while one is taken, and a storage that throws is not needed', async () => {
  const held: string[] = [];
  const locks = {
    request: async (name: string, take: () => Promise<number>) => {
      held.push(name);
      return take();
    },
  } as unknown as LockManager;
  const nonces = new SharedNonces({ storage: refusedStorage, locks }, () => 7);
  assert.deepEqual([await nonces.next('0xab'), await nonces.next('0xab')], [7, 8]);
  assert.deepEqual(held, ['venue nonce 0xab', 'venue nonce 0xab']);
});
