import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ParkedApproval, State } from '@venue/engine';
import type { Address } from '@venue/protocol';
import { parkedRows } from './parked.ts';

it('CUS-19: the attestor gets revocations first, then accounts, and from everybody one before a second', () => {
  const [safe, thief, stranger] = ['5', '7', '9'].map((digit) => `0x${digit.repeat(40)}` as Address);
  const waiting: readonly (readonly [act: ParkedApproval['act'], address: Address])[] = [
    ['approve', stranger!],
    ['approve', thief!],
    ['approve', thief!],
    ['revoke', thief!],
    ['revoke', thief!],
    ['approve', safe!],
    ['revoke', safe!],
  ];
  const parked = waiting.map(
    ([act, address], i) => ({ id: i + 1, act, address, parkedAt: 0 }) as ParkedApproval,
  );
  const accountByAddress = new Map([safe, thief].map((address) => [address, {}]));
  const state = { parked: new Map(parked.map((one) => [one.id, one])), accountByAddress };
  const rows = parkedRows(state as unknown as State, 0);
  assert.deepEqual(
    rows.map(({ id }) => id),
    [4, 7, 5, 2, 6, 3, 1],
  );
});
