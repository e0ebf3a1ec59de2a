import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address, OperatorPayout } from '@venue/protocol';
import { worldOf } from '../../test/world.ts';
import { Chain } from '../chain/chain.ts';
import { Rpc } from '../chain/rpc.ts';
import { Vault } from '../events/vault.ts';
import { Admission } from './admission.ts';
import { DueFinder } from './due.ts';
import { Allowance } from './limits.ts';
import { batchIdOf } from './signer.ts';

const ALICE = `0x${'11'.repeat(20)}`;

const ROW: Omit<OperatorPayout, 'id' | 'payoutId' | 'amountUsd' | 'address'> = {
  state: 'requested',
  requestedAt: 0,
  ofHouse: false,
  adopted: false,
  withdrawal: null,
  approval: null,
  revocation: null,
  approvals: [],
  waits: null,
};

/** Lets everything through. */
function lenient(chainId: number, vault: Address): Admission {
  const none = { payoutMaxMicros: null, accountDayMaxMicros: null, hourMaxMicros: null };
  return new Admission({
    freeMicros: 2n ** 60n,
    allowance: new Allowance(none, [], 0),
    approval: { chainId, vault, approvers: [] },
    takesUnproven: true,
    paid: [],
    standingOf: () => ({ kind: 'unproven', why: 'it has no words' }),
  });
}

test('PAY-3: payouts that cannot be committed are left out with their reasons, and delay nobody', async (t) => {
  const world = await worldOf(t);
  const vault = new Vault(new Chain(new Rpc({ url: world.chain.rpcUrl })), world.vault);
  const rows: [number, number, string][] = [
    [1, 2.5, ALICE],
    [2, 0, ALICE],
    [3, 1.0000001, ALICE],
    [4, 1, `0x${'00'.repeat(20)}`],
    [5, 1, world.vault],
    [6, 1, '0x12'],
    [7, 0.000001, ALICE.replaceAll('1', 'A')],
    [8, 1, world.token],
    [9, 1, ALICE],
    [10, 1, ALICE],
  ];
  const source = {
    async *payouts() {
      for (const [id, amountUsd, address] of rows) yield { ...ROW, id, payoutId: id, amountUsd, address };
    },
  };
  const { due, onChain, held } = await new DueFinder(source, vault).find({
    batchMax: 3,
    blockNumber: 2,
    underway: { ids: new Set([10]), why: 'it is proposed' },
    admission: async () => lenient(world.chain.chainId, world.vault),
  });
  assert.deepEqual(
    due.map(({ id, amount }) => [id, amount]),
    [
      [1, 2_500_000],
      [7, 1],
      [9, 1_000_000],
    ],
  );
  assert.deepEqual(onChain, []);
  assert.deepEqual(
    held.map(({ row }) => row.id),
    [2, 3, 4, 5, 6, 8, 10],
  );
  assert.deepEqual([held.at(-1)?.kind, held.at(-1)?.why], ['waits', 'it is proposed']);
});

test('a batch is named by chain, vault and everything that it pays', () => {
  const place = { chainId: 1, vault: ALICE as never };
  const payout = { id: 1, account: ALICE as never, amount: 5 };
  const names = [
    batchIdOf(place, [payout]),
    batchIdOf({ ...place, chainId: 2 }, [payout]),
    batchIdOf({ ...place, vault: ALICE.replaceAll('1', '2') as never }, [payout]),
    batchIdOf(place, [{ ...payout, id: 2 }]),
    batchIdOf(place, [{ ...payout, amount: 6 }]),
    batchIdOf(place, [payout, { ...payout, id: 2 }]),
  ];
  assert.equal(new Set(names).size, names.length);
  assert.equal(batchIdOf(place, [payout]), names[0]);
});
