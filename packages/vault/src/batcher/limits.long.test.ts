// @process vault-batcher
// @seconds 3

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, type Hex, type Micros, payoutApprovalMessage } from '@venue/protocol';
import { credit, funded, has, reached, statesOf } from '../../test/payouts.ts';
import { CONFIRMATIONS, eventually, type Trader, type World } from '../../test/world.ts';
import { loadApproverConfig } from '../daemon/config.ts';
import { approvePayout } from './approve.ts';

/** Waits until a batch was committed, confirmed and recorded. */
async function oneBatch(world: World, batcher: ReturnType<World['pay']>, which = 1): Promise<void> {
  await reached(batcher, 'batch-sent', which);
  await world.confirm(CONFIRMATIONS);
  await reached(batcher, 'batch-closed', which);
}

async function waitsOf(world: World): Promise<(string | null)[]> {
  return (await Array.fromAsync(world.custody.payouts())).map(({ waits }) => waits);
}

async function pass(world: World, seconds: number): Promise<void> {
  await world.chain.client.increaseTime({ seconds });
  await world.confirm(1);
}

async function withBob(t: TestContext): Promise<{ world: World; alice: Trader; bob: Trader }> {
  const { world, alice } = await funded(t);
  const bob = await world.trader(3);
  for (const trader of [alice, bob]) await credit(world, trader, 100_000_000);
  return { world, alice, bob };
}

describe('CUS-16: a payout above VENUE_PAYOUT_MAX', () => {
  const limits = (world: World) => ({
    VENUE_PAYOUT_MAX: '50',
    VENUE_PAYOUT_APPROVERS: world.chain.accounts[7]!.address,
  });

  test('waits, with its reason at the exchange, until an approver signs for it; the others are paid', async (t) => {
    const { world, alice, bob } = await withBob(t);
    await alice.venue.withdrawals.request(50.000001);
    await bob.venue.withdrawals.request(50);
    const batcher = world.pay(limits(world));
    await has(
      batcher,
      /^wait: payout 1 of 50.000001: above VENUE_PAYOUT_MAX: an approver has to sign for it$/,
    );
    await oneBatch(world, batcher);
    assert.deepEqual([await statesOf(alice), await statesOf(bob)], [['requested'], ['committed']]);
    await eventually('the reason is shown', async () =>
      /above VENUE_PAYOUT_MAX/.test((await waitsOf(world))[0] ?? ''),
    );

    const [payout] = await Array.fromAsync(world.custody.payouts());
    const config = loadApproverConfig({
      VENUE_CHAIN_ID: String(world.chain.chainId),
      VENUE_VAULT_ADDRESS: world.vault,
      VENUE_PAYOUT_APPROVER_KEY: world.chain.accounts[7]!.privateKey,
    });
    await world.custody.approve({ id: 1, ...(await approvePayout(config, payout!)) });
    await oneBatch(world, batcher, 2);
    assert.equal(await world.entitlement(alice), 50_000_001n);
    assert.deepEqual(await waitsOf(world), [null, null]);
  });

  test('is not let through by a stranger, nor by a signature for anything else', async (t) => {
    const { world, alice } = await withBob(t);
    await alice.venue.withdrawals.request(60);
    const [approver, stranger] = [world.chain.accounts[7]!, world.chain.accounts[8]!];
    const terms = {
      chainId: world.chain.chainId,
      vault: world.vault,
      payoutId: 1,
      account: alice.address,
      amountMicros: 60_000_000 as Micros,
    };
    const signed: [typeof approver, Partial<typeof terms>][] = [
      [stranger, {}],
      [approver, { chainId: 1 }],
      [approver, { vault: world.token }],
      [approver, { payoutId: 2 }],
      [approver, { account: stranger.address.toLowerCase() as Address }],
      [approver, { amountMicros: 6_000_000 as Micros }],
    ];
    const batcher = world.pay(limits(world));
    await has(batcher, /^wait: payout 1 of 60.00: above/);
    for (const [account, changes] of signed) {
      const message = payoutApprovalMessage({ ...terms, ...changes });
      const signature: Hex = await account.signMessage({ message });
      await world.custody.approve({ id: 1, approver: approver.address, signature });
      await sleep(150);
    }
    assert.deepEqual(await world.committed(), []);
    const signature: Hex = await approver.signMessage({ message: payoutApprovalMessage(terms) });
    await world.custody.approve({ id: 1, approver: approver.address, signature });
    await reached(batcher, 'batch-mined');
  });
});

test('CUS-16: an account is paid no more than its day allows, even by a batcher that lost its file', async (t) => {
  const { world, alice, bob } = await withBob(t);
  for (let i = 0; i < 3; i++) await alice.venue.withdrawals.request(30);
  const limits = { VENUE_PAYOUT_ACCOUNT_DAY_MAX: '70' };
  const first = world.pay(limits);
  await has(first, /^wait: payout 3 of 30.00: above VENUE_PAYOUT_ACCOUNT_DAY_MAX/);
  await oneBatch(world, first);
  await first.stop();
  rmSync(join(world.folder, 'batcher.json'));
  await bob.venue.withdrawals.request(30);
  const second = world.pay(limits);
  await oneBatch(world, second);
  assert.deepEqual(await statesOf(alice), ['committed', 'committed', 'requested']);
  assert.deepEqual(await statesOf(bob), ['committed']);
  await pass(world, 86_399 - 3_600);
  await sleep(150);
  assert.deepEqual(await statesOf(alice), ['committed', 'committed', 'requested']);
  await pass(world, 3_601);
  await oneBatch(world, second, 2);
  assert.deepEqual(await statesOf(alice), ['committed', 'committed', 'committed']);
});

test('CUS-16: all accounts together are paid no more than the hour allows', async (t) => {
  const { world, alice, bob } = await withBob(t);
  await alice.venue.withdrawals.request(60);
  await bob.venue.withdrawals.request(60);
  const batcher = world.pay({ VENUE_PAYOUT_HOUR_MAX: '100' });
  await has(batcher, /^wait: payout 2 of 60.00: above VENUE_PAYOUT_HOUR_MAX: it waits for the hour to pass/);
  await oneBatch(world, batcher);
  assert.deepEqual(await statesOf(bob), ['requested']);
  await pass(world, 3_601);
  await oneBatch(world, batcher, 2);
  assert.deepEqual(await statesOf(bob), ['committed']);
});
