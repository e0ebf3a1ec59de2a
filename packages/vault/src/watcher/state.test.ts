import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@venue/protocol';
import { damaged, lacking } from '../../test/damaged.ts';
import { StateFile } from '../daemon/state-file.ts';
import { readState } from './state.ts';

const VAULT = `0x${'ab'.repeat(20)}` as Address;
const HASH = `0x${'cd'.repeat(32)}`;
const DEPOSIT = { address: VAULT, amount: 5, txHash: HASH, logIndex: 0, blockNumber: 3, blockHash: HASH };
const STATE = {
  chainId: 1,
  vault: VAULT,
  blockNumber: 3,
  recent: [{ number: 3, hash: HASH }],
  credited: [DEPOSIT],
  doubtful: [DEPOSIT],
  doubtfulTo: -1,
  anchor: { number: 1, hash: HASH },
  untaken: [{ txHash: HASH, logIndex: 0, blockNumber: 3, text: 'more than the exchange can count' }],
  flows: { block: { number: 1, hash: HASH }, deposited: '12', swept: '0' },
};

const read = (content: unknown) => {
  const file = new StateFile('watcher.json');
  file.read = () => content;
  return readState(file, { chainId: 1, vault: VAULT });
};

test('a state is read as it was written', () => {
  assert.deepEqual(read(STATE), STATE);
  assert.equal(read(undefined), undefined);
});

test('a state is refused whatever member of it is damaged or missing', () => {
  for (const content of [null, 'text', [], ...damaged(STATE), ...lacking(STATE)])
    assert.throws(() => read(content), /not a watcher state file/, JSON.stringify(content));
});

test('a state is refused whose last block is not the one that was read last', () => {
  assert.throws(() => read({ ...STATE, blockNumber: 4 }), /not a watcher state file/);
});
