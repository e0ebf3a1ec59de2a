import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@venue/protocol';
import { damaged, lacking } from '../../test/damaged.ts';
import { StateFile } from '../daemon/state-file.ts';
import { readState } from './state.ts';

const ADDRESS = `0x${'ab'.repeat(20)}` as Address;
const HASH = `0x${'cd'.repeat(32)}`;
const PLACE = { chainId: 1, vault: ADDRESS, operator: ADDRESS };
const FORMER_PAYOUT = { id: 7, account: ADDRESS, amount: 5 };
const PAYOUT = { ...FORMER_PAYOUT, ledgerId: 3, withdrawal: { sessionKey: ADDRESS, nonce: 4 } };
const FORMER_BATCH = {
  batchId: HASH,
  payouts: [FORMER_PAYOUT],
  nonce: 1,
  gas: '21000',
  forms: [{ hash: HASH, signed: '0xab', feeWei: '2', tipWei: '1', signedAtMs: 5 }],
};
const FORMER = {
  ...PLACE,
  nextNonce: 2,
  open: FORMER_BATCH,
  closed: [{ batchId: HASH, nonce: 0, signed: '0xab', blockNumber: 5 }],
};
const STATE = {
  ...FORMER,
  anchor: { number: 1, hash: HASH },
  open: { ...FORMER_BATCH, kind: 'propose', name: HASH, payouts: [PAYOUT] },
  paid: [{ ...PAYOUT, atSec: 9 }],
  flows: { block: { number: 1, hash: HASH }, deposited: '12', swept: '0' },
};

const read = (content: unknown) => {
  const file = new StateFile('batcher.json');
  file.read = () => content;
  return readState(file, PLACE);
};

test('a state is read as it was written, and completed where an earlier release wrote it', () => {
  const none = { anchor: null, paid: [], flows: null };
  assert.deepEqual(read(STATE), STATE);
  assert.deepEqual(read(undefined), { ...PLACE, ...none, nextNonce: null, open: null, closed: [] });
  assert.deepEqual(read(FORMER), {
    ...{ ...FORMER, ...none },
    open: {
      ...{ ...FORMER_BATCH, kind: 'commit', name: HASH },
      payouts: [{ ...FORMER_PAYOUT, ledgerId: 7, withdrawal: null }],
    },
  });
});

test('CUS-5: a state is refused whatever member of it is damaged or missing', () => {
  const batches = [
    ...lacking(FORMER_BATCH),
    { ...FORMER_BATCH, forms: [] },
    { ...FORMER_BATCH, payouts: [] },
  ];
  const others = batches.map((open) => ({ ...FORMER, open }));
  for (const content of [null, 'text', [], ...damaged(STATE), ...lacking(FORMER), ...others])
    assert.throws(() => read(content), /it is no state of a batcher/, JSON.stringify(content));
});
