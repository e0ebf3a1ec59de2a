/**
 * Money in and out with daemons that are killed repeatedly: at every step of their work, then with ten wallets and
 * 50 payouts. The chain equals the ledger to the micro, and the vault covers its liabilities at every block.
 */

// @seconds 148

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BATCHER_KILLS,
  dieAt,
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

const CREDIT_MICROS = 1_000_001;
const WALLETS = 10;

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

test('RES-1: ten wallets, 50 payouts, daemons killed throughout: equal to the micro, covered at every block', async (t) => {
  const world = await worldOf(t);
  const traders = await Promise.all(count(WALLETS).map((i) => world.trader(i + 1)));
  await world.chain.client.setAutomine(false);
  const blocks = new Blocks(world);
  const stop = new AbortController();
  const mining = blocks.mine(stop.signal);
  const daemons = [
    dieAllAlong(world, 'watcher', stop.signal, [
      'blocks-read',
      'deposit-told',
      'state-synced',
      'cursor-written',
    ]),
    dieAllAlong(world, 'batcher', stop.signal, [
      'batch-signed',
      'batch-written',
      'batch-sent',
      'batch-mined',
      'payouts-noted',
      'state-replaced',
    ]),
  ];
  try {
    await Promise.all(traders.map((trader, i) => live(world, trader, i)));
  } finally {
    stop.abort();
    await mining;
  }
  for (const kills of await Promise.all(daemons)) assert.ok(kills >= 6, `${kills} kills`);
  const committed = await world.committed();
  assert.deepEqual(
    committed.map(({ id }) => id).sort((a, b) => a - b),
    count(WALLETS * PAYOUTS),
  );
  for (const trader of traders) await assertSquare(world, trader, committed);
  assert.deepEqual(blocks.uncovered, []);
  assert.ok(blocks.checked > 25);
  const { owed, free, inFlight } = await world.reservesAt(blocks.last);
  assert.deepEqual([owed, inFlight], [free, 0n]);
});

/** Payouts each trader requests after each of its deposits. */
const PARTS = [3, 2];
const PAYOUTS = 5;
const DEPOSIT_MICROS = 50_000_007;
/** Small, so that there are many batches in which to be killed. */
const BATCH_MAX = '9';

/** One trader's cycle: deposits, requests parts of it back, claims them, and repeats. */
async function live(world: World, trader: Trader, index: number): Promise<void> {
  let asked = 0;
  let expectedMicros = 0;
  for (const parts of PARTS) {
    await world.deposit(trader, DEPOSIT_MICROS + index, { isMined: false });
    expectedMicros += DEPOSIT_MICROS + index;
    await until(async () => (await world.cashMicros(trader)) === expectedMicros);
    for (let i = 0; i < parts; i++, asked++) {
      await trader.venue.withdrawals.request(amountOf(index, asked) / 1e6);
      expectedMicros -= amountOf(index, asked);
    }
    await until(async () => (await world.entitlement(trader)) > 0n);
    await world.claim(trader);
  }
  await until(async () =>
    (await trader.venue.withdrawals.list()).every(({ state }) => state === 'committed'),
  );
}

function amountOf(index: number, i: number): number {
  return 1_000_000 * (i + 1) + 137 * index + i;
}

async function assertSquare(
  world: World,
  trader: Trader,
  committed: Awaited<ReturnType<World['committed']>>,
): Promise<void> {
  const index = world.chain.accounts.indexOf(trader.wallet) - 2;
  const asked = count(PAYOUTS).reduce((sum, i) => sum + amountOf(index, i - 1), 0);
  const paid = committed.filter(({ account }) => account === trader.address);
  assert.equal(Number(paid.reduce((sum, { amount }) => sum + amount, 0n)), asked);
  assert.equal(await world.cashMicros(trader), PARTS.length * (DEPOSIT_MICROS + index) - asked);
  const known = new Map(paid.map(({ id, txHash }) => [id, txHash]));
  for (const { id, txHash } of await trader.venue.withdrawals.list()) assert.equal(txHash, known.get(id));
}

/** Mines block after block, and compares the ledger with the vault at each before the next. */
class Blocks {
  readonly #world: World;
  readonly uncovered: string[] = [];
  checked = 0;
  last = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async mine(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#world.chain.client.mine({ blocks: 1 });
      this.last = Number(await this.#world.chain.client.getBlockNumber());
      const { holds, lines } = await this.#world.reservesAt(this.last);
      if (!holds) this.uncovered.push(lines.join('\n'));
      this.checked += 1;
      await sleep(30);
    }
  }
}

/** Runs daemon after daemon, each of which kills itself at the next of the steps; returns their number. */
async function dieAllAlong(
  world: World,
  daemon: 'watcher' | 'batcher',
  signal: AbortSignal,
  steps: readonly string[],
): Promise<number> {
  for (let kills = 0; ; kills++) {
    if (signal.aborted) return kills;
    const point: KillPoint = [steps[kills % steps.length]!, 1 + (kills % 2)];
    await dieAt(world, daemon, point, { signal, changes: { VENUE_BATCH_MAX: BATCH_MAX } });
  }
}

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

async function until(probe: () => Promise<boolean>): Promise<void> {
  while (!(await probe())) await sleep(100);
}
