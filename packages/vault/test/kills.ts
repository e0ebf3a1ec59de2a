/** The points at which the daemons are killed: each is right after a step, before the next one begins. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@venue/config';
import { CONFIRMATIONS, eventually, type Trader, type World } from './world.ts';

/** A step, and which occurrence of it. */
export type KillPoint = readonly [step: string, which: number];

/** With two deposits to credit. */
export const WATCHER_KILLS: readonly KillPoint[] = [
  ['blocks-read', 1],
  ['deposit-told', 1],
  ['deposit-told', 2],
  ['state-drafted', 1],
  ['state-synced', 1],
  ['state-replaced', 1],
  ['cursor-written', 1],
];

/** After a reorg deeper than the confirmations. */
export const REORG_KILLS: readonly KillPoint[] = [
  ['reorg-found', 1],
  ['state-drafted', 1],
  ['state-synced', 1],
  ['state-replaced', 1],
  ['reorg-written', 1],
];

/** The first write of the file is the intent, the second the end of the batch. */
export const BATCHER_KILLS: readonly KillPoint[] = [
  ['payouts-read', 1],
  ['reserves-checked', 1],
  ['batch-signed', 1],
  ['state-drafted', 1],
  ['state-synced', 1],
  ['state-replaced', 1],
  ['batch-written', 1],
  ['batch-sent', 1],
  ['batch-mined', 1],
  ['payouts-noted', 1],
  ['state-drafted', 2],
  ['state-synced', 2],
  ['state-replaced', 2],
  ['batch-closed', 1],
];

/** While no block is mined and every round bids a higher fee: the second write is the first replacement. */
export const REPLACEMENT_KILLS: readonly KillPoint[] = [
  ['replacement-signed', 1],
  ['state-drafted', 2],
  ['state-synced', 2],
  ['state-replaced', 2],
  ['replacement-written', 1],
  ['replacement-sent', 1],
  ['replacement-sent', 2],
];

const CHILD = fileURLToPath(new URL('./daemon-child.ts', import.meta.url));
const DEATH_MS_MAX = 90_000;
const MINE_EVERY_MS = 25;

/**
 * Runs a daemon until it kills itself at that point. The signal kills it earlier; without a signal it must get there
 * in time.
 */
export async function dieAt(
  world: World,
  daemon: 'watcher' | 'batcher' | 'attestor',
  [step, which]: KillPoint,
  { changes = {}, signal }: { changes?: Environment; signal?: AbortSignal } = {},
): Promise<void> {
  const child = spawn(process.execPath, [CHILD, daemon, step, String(which)], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      ...world.env(changes),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const timer = signal === undefined ? setTimeout(() => child.kill('SIGTERM'), DEATH_MS_MAX) : undefined;
  const end = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  const [, cause] = await once(child, 'close');
  signal?.removeEventListener('abort', end);
  clearTimeout(timer);
  assert.equal(cause, 'SIGKILL', `${daemon} at ${step} ${which}: ${(await output).join('\n')}`);
}

/** Keeps mining while the work runs. */
export async function whileMining<T>(world: World, work: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const mining = (async () => {
    while (!stop.signal.aborted) {
      await world.chain.client.mine({ blocks: 1 });
      await sleep(MINE_EVERY_MS);
    }
  })();
  try {
    return await work();
  } finally {
    stop.abort();
    await mining;
  }
}

/** Kills the watcher at a point with two new deposits to credit. */
export async function killWatcher(
  world: World,
  traders: readonly [Trader, Trader],
  point: KillPoint,
): Promise<void> {
  for (const trader of traders) await world.deposit(trader, 1_000_001);
  await world.confirm();
  await dieAt(world, 'watcher', point);
}

/** Kills the watcher at a point after a reorg that removes blocks it has read, but no deposit. */
export async function killWatcherInReorg(world: World, trader: Trader, point: KillPoint): Promise<void> {
  await world.confirm(CONFIRMATIONS + 2);
  const watcher = world.watch();
  await eventually('it follows', () => watcher.lines.some((line) => /following/.test(line)));
  await watcher.stop();
  await world.chain.reorg(CONFIRMATIONS + 1);
  await world.deposit(trader, 1_000_001);
  await world.confirm();
  await dieAt(world, 'watcher', point);
}

/** Kills the batcher at a point with two new payouts to commit, and lets another finish them; returns its steps. */
export async function killBatcher(world: World, trader: Trader, point: KillPoint): Promise<string[]> {
  await trader.venue.withdrawals.request(1.000001);
  await trader.venue.withdrawals.request(2);
  return whileMining(world, async () => {
    await dieAt(world, 'batcher', point);
    return finishPayouts(world, trader);
  });
}

/** Same as `killBatcher`, with a batch that cannot be mined before the kill. */
export async function killBatcherReplacing(world: World, trader: Trader, point: KillPoint): Promise<void> {
  await trader.venue.withdrawals.request(1.000001);
  await world.chain.client.setAutomine(false);
  await dieAt(world, 'batcher', point, { changes: { VENUE_FEE_BUMP_AFTER_MS: '30' } });
  await world.chain.client.setAutomine(true);
  await whileMining(world, () => finishPayouts(world, trader));
}

async function finishPayouts(world: World, { venue }: Trader): Promise<string[]> {
  const batcher = world.pay();
  await eventually('all is committed', async () =>
    (await venue.withdrawals.list()).every(({ state }) => state === 'committed'),
  );
  assert.equal(await batcher.stop(), undefined, batcher.lines.join('\n'));
  return batcher.steps;
}
