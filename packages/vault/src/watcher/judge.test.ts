import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@venue/protocol';
import { AlarmError } from '../chain/alarm.ts';
import { ChainError } from '../chain/errors.ts';
import type { Hash } from '../chain/parse.ts';
import type { VaultDeposit } from '../events/vault-logs.ts';
import { judge } from './judge.ts';
import type { Deposit } from './state.ts';

const NOTHING = { credited: [], doubtful: [] };
const NO_SKIP = new Set<string>();

function hash(digits: string): Hash {
  return `0x${digits.repeat(32)}` as Hash;
}

function found(changes: Partial<VaultDeposit> = {}): VaultDeposit {
  const address = `0x${'11'.repeat(20)}` as Address;
  const log = { txHash: hash('aa'), logIndex: 3, blockNumber: 10, blockHash: hash('bb') };
  return { address, amount: 5_000_000n, ...log, ...changes };
}

function credited(changes: Partial<VaultDeposit> = {}): Deposit {
  const { amount, ...deposit } = found(changes);
  return { ...deposit, amount: Number(amount) };
}

const ELSEWHERE = { blockNumber: 12, blockHash: hash('cc') };

test('DEP-1: unknown deposits are reported, known ones are not', () => {
  const other = found({ logIndex: 4 });
  const { fresh } = judge([found(), other], { credited: [credited()], doubtful: [] }, NO_SKIP);
  assert.deepEqual(fresh, [credited({ logIndex: 4 })]);
});

test('a deposit credited before a reorg and found again in another block is not reported again', () => {
  const before = credited();
  const { fresh, refound, released } = judge(
    [found(ELSEWHERE)],
    { credited: [], doubtful: [before] },
    NO_SKIP,
  );
  assert.deepEqual([fresh, refound, [...released]], [[], [credited(ELSEWHERE)], [before]]);
});

test('the same log with another amount is an alarm', () => {
  const state = { credited: [], doubtful: [credited()] };
  for (const change of [{ amount: 4n }, { address: `0x${'22'.repeat(20)}` as Address }])
    assert.throws(() => judge([found({ ...ELSEWHERE, ...change })], state, NO_SKIP), AlarmError);
});

test('a credited transaction whose log has another index is an alarm, until both are skipped', () => {
  const state = { credited: [], doubtful: [credited()] };
  const moved = found({ ...ELSEWHERE, logIndex: 4 });
  assert.throws(() => judge([moved], state, NO_SKIP), /moved the credited deposit .*aa:3 .* to .*aa:4/);
  const skip = new Set([`${hash('aa')}:3`, `${hash('aa')}:4`]);
  const { fresh, refound, released } = judge([moved], state, skip);
  assert.deepEqual([fresh, refound, released.size], [[], [], 1]);
});

test('of two deposits of one transaction that shifted by one, neither is reported again', () => {
  const state = { credited: [], doubtful: [credited(), credited({ logIndex: 4 })] };
  const shifted = [found({ ...ELSEWHERE, logIndex: 4 }), found({ ...ELSEWHERE, logIndex: 5 })];
  assert.throws(() => judge(shifted, state, NO_SKIP), AlarmError);
});

test('NUM-1: the largest amount is reported, one more cannot be, zero is no deposit', () => {
  assert.equal(judge([found({ amount: 2n ** 53n - 1n })], NOTHING, NO_SKIP).fresh[0]?.amount, 2 ** 53 - 1);
  const more = found({ amount: 2n ** 53n });
  const { fresh, uncountable } = judge([more], NOTHING, NO_SKIP);
  assert.deepEqual([fresh, uncountable], [[], [more]]);
  assert.throws(() => judge([found({ amount: 0n })], NOTHING, NO_SKIP), ChainError);
});

test('one log in two blocks is a contradiction of the server, to be read again', () => {
  const state = { credited: [credited()], doubtful: [] };
  assert.throws(() => judge([found(ELSEWHERE)], state, NO_SKIP), ChainError);
});
