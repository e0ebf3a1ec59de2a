import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Address } from '@venue/protocol';
import { SetTurns } from './set-turns.ts';

test('QTS-6: pushes to one set of an account go one at a time, in order of arrival; others do not wait for them', async () => {
  const turns = new SetTurns();
  const begun: string[] = [];
  const take = async (name: string, address: string, number: number) => {
    const turn = await turns.take({ address: address as Address, number });
    begun.push(name);
    return turn;
  };
  const first = await take('first', '0xa', 1);
  const second = take('second', '0xa', 1);
  const third = take('third', '0xa', 1);
  await Promise.all([take('other set', '0xa', 2), take('other account', '0xb', 1)]);
  assert.deepEqual(begun, ['first', 'other set', 'other account']);
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  const last = await third;
  const late = take('late', '0xa', 1);
  await setImmediate();
  assert.deepEqual(begun.slice(3), ['second', 'third']);
  last[Symbol.dispose]();
  (await late)[Symbol.dispose]();
  assert.deepEqual(begun.slice(5), ['late']);
});
