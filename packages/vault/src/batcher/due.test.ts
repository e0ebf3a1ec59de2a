import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payout } from '@venue/protocol';
import { worldOf } from '../../test/world.ts';
import { Chain } from '../chain/chain.ts';
import { Rpc } from '../chain/rpc.ts';
import { Vault } from '../chain/vault.ts';
import { findDue } from './due.ts';
import { batchIdOf } from './signer.ts';

const ALICE = `0x${'11'.repeat(20)}`;

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
  ];
  const source = {
    async *payouts() {
      for (const [id, amountUsd, address] of rows)
        yield { id, amountUsd, address, state: 'requested', requestedAt: 0 } as Payout;
    },
  };
  const { due, onChain, faults } = await findDue(source, vault, {
    batchMax: 3,
    payoutMinMicros: 0,
    blockNumber: 2,
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
    faults.map((fault) => /payout (\d)/.exec(fault)?.[1]),
    ['2', '3', '4', '5', '6', '8'],
  );
});

test('PAY-3: payouts of an account wait until their sum is worth a commitment', async (t) => {
  const world = await worldOf(t);
  const vault = new Vault(new Chain(new Rpc({ url: world.chain.rpcUrl })), world.vault);
  const [alice, bob] = [ALICE, ALICE.replaceAll('1', '2')] as const;
  const rows: [number, number, string][] = [
    [1, 0.000001, alice],
    [2, 0.4, bob],
    [3, 0.999998, alice],
    [4, 0.000001, alice],
    [5, 0.000001, alice],
    [6, 0.599999, bob],
  ];
  const source = {
    async *payouts() {
      for (const [id, amountUsd, address] of rows)
        yield { id, amountUsd, address, state: 'requested', requestedAt: 0 } as Payout;
    },
  };
  const look = (payoutMinMicros: number) =>
    findDue(source, vault, { batchMax: 10, payoutMinMicros, blockNumber: 2 });
  const idsOf = (payouts: readonly { id: number }[]) => payouts.map(({ id }) => id);
  const { due, dust } = await look(1_000_000);
  assert.deepEqual(
    [idsOf(due), idsOf(dust)],
    [
      [1, 3, 4, 5],
      [2, 6],
    ],
  );
  assert.deepEqual(idsOf((await look(999_999)).dust), []);
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
