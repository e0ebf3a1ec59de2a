import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Nonces, noncesOf } from './nonces.ts';

function taken(clock: readonly number[]): number[] {
  const times = [...clock];
  const nonces = new Nonces(() => times.shift()!);
  return clock.map(() => nonces.next());
}

test('SIG-4: nonces follow the clock and never repeat, even within a millisecond or when it goes back', () => {
  assert.deepEqual(taken([1_000, 1_000, 1_000, 500, 2_000]), [1_000, 1_001, 1_002, 1_003, 2_000]);
});

test('SIG-5: a clock that steps back past the window is followed, and used nonces are skipped', () => {
  const ahead = 1_000_000;
  const times = [ahead, ahead, ahead - 70_000, ahead - 1, ahead, ahead + 1, ahead + 1];
  assert.deepEqual(taken(times), [
    ahead,
    ahead + 1,
    ahead - 70_000,
    ahead - 1,
    ahead + 2,
    ahead + 3,
    ahead + 4,
  ]);
});

test('QTS-1: nonces go on above one that stands in the way, and below it are not used twice', () => {
  const nonces = new Nonces(() => 1_000);
  assert.equal(nonces.next(), 1_000);
  nonces.raiseAbove(41_000);
  assert.deepEqual([nonces.next(), nonces.next(), nonces.next(50_000)], [41_001, 41_002, 50_000]);
  nonces.raiseAbove(1_000);
  assert.equal(nonces.next(), 50_001);
});

test('SIG-4: no clock makes a nonce repeat', () => {
  let state = 7;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  let now = 1e12;
  const nonces = new Nonces(() => {
    now += random() < 0.01 ? (random() - 0.5) * 400_000 : Math.floor(random() * 3);
    now = Math.floor(now);
    return now;
  });
  const all = Array.from({ length: 20_000 }, () => nonces.next());
  assert.equal(new Set(all).size, all.length);
});

test('SIG-4: two clients of a process that use one key share its nonces', () => {
  const first = Array.from({ length: 50 }, () => noncesOf('0xAbc').next());
  const second = Array.from({ length: 50 }, () => noncesOf('0xabc').next());
  assert.equal(new Set([...first, ...second]).size, 100);
  assert.notEqual(noncesOf('0xabc'), noncesOf('0xabd'));
});
