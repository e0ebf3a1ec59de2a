/**
 * Money in and out with daemons that are killed repeatedly: at every step of their work, then with ten wallets and
 * 50 payouts.
 */

// @seconds 148

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BATCHER_KILLS,
  type KillPoint,
  killBatcher,
  killBatcherReplacing,
  killWatcher,
  killWatcherInReorg,
  REORG_KILLS,
  REPLACEMENT_KILLS,
  WATCHER_KILLS,
} from '../../packages/vault/test/kills.ts';
import { CONFIRMATIONS, type Trader, type World, worldOf } from '../../packages/vault/test/world.ts';
import { liveAmongKills } from './custody-lives.ts';

const CREDIT_MICROS = 1_000_001;

test('DEP-1: a watcher killed at every step credits every deposit once', async (t) => {
  const world = await worldOf(t);
  const traders = [await world.trader(2), await world.trader(3)] as const;
  const [alice, bob] = traders;
  for (const point of WATCHER_KILLS) await t.test(point.join(' '), () => killWatcher(world, traders, point));
  for (const point of REORG_KILLS)
    await t.test(`after a reorg, ${point.join(' ')}`, () => killWatcherInReorg(world, alice, point));
  const watcher = world.watch();
  await world.hasCash(alice, CREDIT_MICROS * (WATCHER_KILLS.length + REORG_KILLS.length));
  await world.hasCash(bob, CREDIT_MICROS * WATCHER_KILLS.length);
  await world.chain.reorg(CONFIRMATIONS + 1);
  await world.confirm();
  await sleep(300);
  assertAllKilled(watcher.steps, [...WATCHER_KILLS, ...REORG_KILLS]);
});

test('PAY-3: a batcher killed at every step makes every payout once, and never gets stuck', async (t) => {
  const world = await worldOf(t);
  const alice = await world.trader(2);
  await fund(world, alice, 1_000_000_000);
  const steps: string[] = [];
  for (const point of BATCHER_KILLS)
    await t.test(point.join(' '), async () => {
      steps.push(...(await killBatcher(world, alice, point)));
    });
  for (const point of REPLACEMENT_KILLS)
    await t.test(`replacing, ${point.join(' ')}`, () => killBatcherReplacing(world, alice, point));
  assertAllKilled(steps, BATCHER_KILLS);
  const payouts = 2 * BATCHER_KILLS.length + REPLACEMENT_KILLS.length;
  const committed = await world.committed();
  assert.deepEqual(
    committed.map(({ id }) => id).sort((a, b) => a - b),
    count(payouts),
  );
  const owed =
    1_000_001n * BigInt(payouts - BATCHER_KILLS.length) + 2_000_000n * BigInt(BATCHER_KILLS.length);
  assert.equal(await world.entitlement(alice), owed);
  const head = Number(await world.chain.client.getBlockNumber());
  const { holds, owed: ledger, free, inFlight } = await world.reservesAt(head);
  assert.deepEqual([holds, inFlight, ledger], [true, 0n, free]);
});

test('RES-1: ten wallets, 50 payouts, daemons killed throughout: equal to the micro, covered at every block', (t) =>
  liveAmongKills(t, { wallets: 10, kills: 6 }));

async function fund(world: World, trader: Trader, micros: number): Promise<void> {
  const watcher = world.watch();
  await world.deposit(trader, micros);
  await world.confirm();
  await world.hasCash(trader, micros);
  await watcher.stop();
}

function assertAllKilled(steps: readonly string[], kills: readonly KillPoint[]): void {
  const killed = new Set(kills.map(([step]) => step));
  assert.deepEqual(
    [...new Set(steps)].filter((step) => !killed.has(step)),
    [],
  );
}

function count(to: number): number[] {
  return Array.from({ length: to }, (_, i) => i + 1);
}
