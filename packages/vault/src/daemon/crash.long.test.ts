/** kill -9 at the most critical steps; the wide tests cover every other step of the daemons. */

// @process vault-batcher
// @seconds 8

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dieAt, killBatcher, killBatcherReplacing, killWatcher, whileMining } from '../../test/kills.ts';
import { eventually, worldOf } from '../../test/world.ts';

test('DEP-1: a watcher killed between a credit and its file credits nothing twice and misses nothing', async (t) => {
  const world = await worldOf(t);
  const traders = [await world.trader(2), await world.trader(3)] as const;
  await killWatcher(world, traders, ['deposit-told', 1]);
  await killWatcher(world, traders, ['state-synced', 1]);
  world.watch();
  for (const trader of traders) await world.hasCash(trader, 2_000_002);
});

test('PAY-3: a batcher killed before and after it sends, and before it records, pays everyone once', async (t) => {
  const world = await worldOf(t);
  const alice = await world.trader(2);
  const watcher = world.watch();
  await world.deposit(alice, 100_000_000);
  await world.confirm();
  await world.hasCash(alice, 100_000_000);
  await watcher.stop();
  await killBatcher(world, alice, ['batch-written', 1]);
  await killBatcher(world, alice, ['batch-sent', 1]);
  await killBatcherReplacing(world, alice, ['replacement-written', 1]);
  const committed = await world.committed();
  assert.deepEqual(committed.map(({ id }) => id).sort(), [1, 2, 3, 4, 5]);
  assert.equal(await world.entitlement(alice), 3_000_003n + 4_000_000n);
});

test('PAY-3: a batcher killed after it recorded a batch of any size has recorded all of it, and closes it', async (t) => {
  const world = await worldOf(t);
  const traders = await Promise.all([2, 3, 4, 5, 6, 7, 8].map((index) => world.trader(index)));
  const watcher = world.watch();
  for (const trader of traders) await world.deposit(trader, 100_000_000);
  await world.confirm();
  for (const trader of traders) await world.hasCash(trader, 100_000_000);
  await watcher.stop();
  await Promise.all(
    traders.map(async ({ venue }) => {
      for (let i = 0; i < 16; i++) await venue.withdrawals.request(1);
    }),
  );
  await whileMining(world, async () => {
    await dieAt(world, 'batcher', ['payouts-noted', 1]);
    assert.equal((await Array.fromAsync(world.custody.payouts({ state: 'committed' }))).length, 112);
    const batcher = world.pay();
    await eventually('the batch is closed', () => batcher.steps.includes('batch-closed'));
  });
  const payouts = await Array.fromAsync(world.custody.payouts());
  assert.equal(payouts.length, 112);
  assert.equal(new Set(payouts.map(({ txHash }) => txHash)).size, 1);
  assert.equal((await world.committed()).length, 112);
});
