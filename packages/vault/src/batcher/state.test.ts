import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@venue/protocol';
import { damaged, lacking } from '../../test/damaged.ts';
import { StateFile } from '../daemon/state-file.ts';
import { readState } from './state.ts';

const ADDRESS = `0x${'ab'.repeat(20)}` as Address;
const HASH = `0x${'cd'.repeat(32)}`;
const PLACE = { chainId: 1, vault: ADDRESS, operator: ADDRESS };
const PAYOUT = {
  ...{ id: 7, ledgerId: 3, account: ADDRESS, amount: 5 },
  withdrawal: { sessionKey: ADDRESS, nonce: 4 },
};
const BATCH = {
  ...{ kind: 'propose', batchId: HASH, name: HASH },
  payouts: [PAYOUT],
  nonce: 1,
  gas: '21000',
  forms: [{ hash: HASH, signed: '0xab', feeWei: '2', tipWei: '1', signedAtMs: 5 }],
};
const STATE = {
  ...PLACE,
  anchor: { number: 1, hash: HASH },
  nextNonce: 2,
  open: BATCH,
  closed: [{ batchId: HASH, nonce: 0, signed: '0xab', blockNumber: 5 }],
  paid: [{ ...PAYOUT, atSec: 9 }],
  flows: { block: { number: 1, hash: HASH }, deposited: '12', swept: '0' },
};

const read = (content: unknown) => {
  const file = new StateFile('batcher.json');
  file.read = () => content;
  return readState(file, PLACE);
};

test('a state is read as it was written, and a new one is of no transaction', () => {
  const none = { anchor: null, nextNonce: null, open: null, closed: [], paid: [], flows: null };
  assert.deepEqual(read(STATE), STATE);
  assert.deepEqual(read(undefined), { ...PLACE, ...none });
});

test('CUS-5: a state is refused whatever member of it is damaged or missing', () => {
  const batches = [
    ...lacking(BATCH),
    ...lacking(PAYOUT).map((one) => ({ ...BATCH, payouts: [one] })),
    { ...BATCH, forms: [] },
    { ...BATCH, payouts: [] },
  ];
  const others = batches.map((open) => ({ ...STATE, open }));
  for (const content of [null, 'text', [], ...damaged(STATE), ...lacking(STATE), ...others])
    assert.throws(() => read(content), /not a batcher state file/, JSON.stringify(content));
});
