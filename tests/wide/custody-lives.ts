/** Traders whose money goes in and out while the daemons are killed: the vault covers its liabilities at every block. */

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dieAt, type KillPoint } from '../../packages/vault/test/kills.ts';
import { type Trader, type World, worldOf } from '../../packages/vault/test/world.ts';

interface LivesOptions {
  readonly wallets: number;
  /** How often each daemon has to die at least. */
  readonly kills: number;
}

/** Asserts that chain and ledger are equal to the micro afterwards, and were covered at every block until then. */
export async function liveAmongKills(t: TestContext, { wallets, kills }: LivesOptions): Promise<void> {
  const world = await worldOf(t);
  const traders = await Promise.all(count(wallets).map((i) => world.trader(i + 1)));
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
  for (const died of await Promise.all(daemons)) assert.ok(died >= kills, `${died} kills`);
  const committed = await world.committed();
  assert.deepEqual(
    committed.map(({ id }) => id).sort((a, b) => a - b),
    count(wallets * PAYOUTS),
  );
  for (const trader of traders) await assertSquare(world, trader, committed);
  assert.deepEqual(blocks.uncovered, []);
  assert.ok(blocks.checked > wallets, `${blocks.checked} blocks`);
  const { owed, free, inFlight } = await world.reservesAt(blocks.last);
  assert.deepEqual([owed, inFlight], [free, 0n]);
}

/** Payouts each trader requests after each of its deposits. */
const PARTS = [3, 2];
const PAYOUTS = 5;
const DEPOSIT_MICROS = 50_000_007;
/** Small, so that there are many batches in which to be killed. */
const BATCH_MAX = '9';
/** Between two blocks, each of which is looked at. */
const BLOCK_MS = 60;

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
      await sleep(BLOCK_MS);
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

function count(to: number): number[] {
  return Array.from({ length: to }, (_, i) => i + 1);
}

async function until(probe: () => Promise<boolean>): Promise<void> {
  while (!(await probe())) await sleep(100);
}
