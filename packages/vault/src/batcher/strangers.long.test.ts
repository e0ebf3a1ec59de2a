// @process vault-batcher
// @seconds 8

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Hex } from '@venue/protocol';
import {
  credit,
  funded,
  has,
  reached,
  readState,
  restoredEmpty,
  signedByOperator,
  statesOf,
} from '../../test/payouts.ts';
import { eventually, type World } from '../../test/world.ts';
import { testStablecoinAbi, venueVaultAbi } from '../contract/abi.ts';

describe('batcher and transactions of others', () => {
  test('payouts on chain are found without the state file, and recorded once they are confirmed', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    await alice.venue.withdrawals.request(4);
    const first = world.pay();
    await reached(first, 'batch-mined');
    await first.stop();
    rmSync(join(world.folder, 'batcher.json'));
    await world.confirm(500);
    const second = world.pay({ VENUE_RPC_CHUNK_BLOCKS: '100' });
    await has(second, /^found on chain and noted: 2 payouts of transaction 0x/);
    assert.deepEqual(await statesOf(alice), ['committed', 'committed']);
    assert.equal((await world.committed()).length, 2);
    assert.ok(!second.steps.includes('batch-signed'));
  });

  test('a payout that was committed with another amount stops it with an alarm', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    await commitByHand(world, { id: 1n, account: alice.address, amount: 3_000_001n });
    const batcher = world.pay();
    const error = await batcher.dies();
    assert.match(
      error.message,
      /payout 1 is 3.00 for 0x\w+ at the exchange, and transaction 0x\w+ committed 3.000001/,
    );
    assert.deepEqual(await statesOf(alice), ['requested']);
  });

  test('CUS-3, CUS-4: a batch under way while the ledger is restored is noted for no other withdrawal', async (t) => {
    const { world, alice } = await funded(t);
    const bob = await world.trader(3);
    await alice.venue.withdrawals.request(3);
    const before = world.pay();
    await reached(before, 'batch-mined');
    await before.stop();
    await restoredEmpty(t, world, [alice, bob]);
    for (const trader of [alice, bob]) await credit(world, trader, 50_000_000);
    await bob.venue.withdrawals.request(40);
    await world.confirm();
    const { txHash } = (await world.committed())[0]!;
    assert.match(
      (await world.pay().dies()).message,
      new RegExp(`the exchange does not know payouts 1, which transaction ${txHash} has committed`),
    );
    assert.deepEqual(await statesOf(bob), ['requested']);
    const { address } = alice;
    await world.custody.adopt({ payoutId: 1, address, amountUsd: 3, txHash, reason: 'lost' });
    const batcher = world.pay();
    await reached(batcher, 'batch-mined', 2);
    await world.confirm();
    await eventually('bob is paid', async () => (await statesOf(bob))[0] === 'committed');
    assert.equal(await world.entitlement(bob), 40_000_000n);
  });

  test('a nonce that another transaction used stops it with an alarm, and nothing of the batch is paid', async (t) => {
    const { world, alice } = await funded(t);
    await world.chain.client.setAutomine(false);
    await alice.venue.withdrawals.request(3);
    const batcher = world.pay();
    await reached(batcher, 'batch-sent');
    const stranger = await signedByOperator(world, readState(world).open.nonce);
    await world.chain.client.sendRawTransaction({ serializedTransaction: stranger });
    await world.chain.client.mine({ blocks: 1 });
    assert.match(
      (await batcher.dies()).message,
      /nonce \d+ of batch 0x\w+ was used by a transaction that is not of this/,
    );
    assert.deepEqual(await world.committed(), []);
  });

  test('transactions of the key between two batches stop it with an alarm', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    const batcher = world.pay();
    await reached(batcher, 'batch-mined');
    await world.confirm();
    await reached(batcher, 'batch-closed');
    const sent = await world.chain.client.getTransactionCount({ address: world.operator.address });
    const stranger = await signedByOperator(world, sent);
    await world.chain.client.sendRawTransaction({ serializedTransaction: stranger });
    await alice.venue.withdrawals.request(4);
    assert.match((await batcher.dies()).message, /key sent 1 transactions, from nonce \d+ on.* second one/);
    assert.equal((await world.committed()).length, 1);
  });

  test('a pending transaction of the key is waited for, and nothing is signed', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    const sent = await world.chain.client.getTransactionCount({ address: world.operator.address });
    await world.chain.client.setAutomine(false);
    const stranger = await signedByOperator(world, sent);
    await world.chain.client.sendRawTransaction({ serializedTransaction: stranger });
    const batcher = world.pay();
    await has(batcher, /^ALARM: waiting: the operator's key has transactions that are not mined, at nonce/);
    assert.ok(!batcher.steps.includes('batch-signed'));
    await world.chain.client.setAutomine(true);
    await world.confirm(1);
    await reached(batcher, 'batch-mined');
  });

  test('an exchange that has another transaction for a payout stops it with an alarm', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    const batcher = world.pay();
    await reached(batcher, 'batch-sent');
    await world.custody.commitPayouts({ ids: [1], txHash: `0x${'ee'.repeat(32)}` });
    await world.confirm();
    assert.match(
      (await batcher.dies()).message,
      /payouts 1 to 1 as committed .* 400: payout committed in another transaction/,
    );
  });

  test('a batch that reverts pays nobody and delays nobody', async (t) => {
    const { world, alice } = await funded(t);
    await world.chain.client.setAutomine(false);
    await alice.venue.withdrawals.request(3);
    const batcher = world.pay();
    await reached(batcher, 'batch-sent');
    const failsafe = world.chain.wallet(world.chain.accounts[1]!);
    const sweep = {
      address: world.vault,
      abi: venueVaultAbi,
      functionName: 'emergencySweep',
      gas: 200_000n,
    } as const;
    await failsafe.writeContract({ ...sweep, maxPriorityFeePerGas: 10n ** 10n, maxFeePerGas: 10n ** 11n });
    await world.chain.client.mine({ blocks: 1 });
    await world.confirm();
    await has(batcher, /^ALARM: batch 0x\w+ reverted in 0x\w+; none of its payouts is committed/);
    await has(batcher, /^ALARM: nothing is signed, the vault has too little for any of 1 payouts$/);
    await world.chain.client.setAutomine(true);
    const failsafeTokens = {
      address: world.token,
      abi: testStablecoinAbi,
      functionName: 'transfer',
    } as const;
    await failsafe.writeContract({ ...failsafeTokens, args: [world.vault, 100_000_000n] });
    await reached(batcher, 'batch-sent', 2);
    await world.confirm();
    await eventually('it is noted', async () => (await statesOf(alice))[0] === 'committed');
    assert.equal(await world.entitlement(alice), 3_000_000n);
  });
});

describe('batcher and a sweeper who is always first', () => {
  test('three batches in a row that revert stop it with an alarm, as each costs gas', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    const failsafe = world.chain.wallet(world.chain.accounts[1]!);
    const fees = { gas: 200_000n, maxPriorityFeePerGas: 10n ** 10n, maxFeePerGas: 10n ** 11n };
    const sweep = {
      address: world.vault,
      abi: venueVaultAbi,
      functionName: 'emergencySweep',
      ...fees,
    } as const;
    const giveBack = {
      address: world.token,
      abi: testStablecoinAbi,
      functionName: 'transfer',
      args: [world.vault, 100_000_000n],
    } as const;
    await world.chain.client.setAutomine(false);
    const batcher = world.pay();
    for (let round = 1; round <= 3; round++) {
      await reached(batcher, 'batch-sent', round);
      await failsafe.writeContract(sweep);
      await world.chain.client.mine({ blocks: 1 });
      await failsafe.writeContract(giveBack);
      await world.confirm();
      await reached(batcher, 'batch-closed', round);
    }
    assert.match((await batcher.dies()).message, /^3 batches in a row reverted, each of which costs gas/);
    assert.match((await world.venue.market.reserves()).payoutsHalted ?? '', /revert on the chain/);
    assert.deepEqual(await statesOf(alice), ['requested']);
    assert.equal(await world.entitlement(alice), 0n);
  });
});

async function commitByHand(
  world: World,
  payout: { id: bigint; account: Hex; amount: bigint },
): Promise<void> {
  await world.chain.wallet(world.operator).writeContract({
    address: world.vault,
    abi: venueVaultAbi,
    functionName: 'commit',
    args: [`0x${'99'.repeat(32)}`, [payout]],
  });
}
