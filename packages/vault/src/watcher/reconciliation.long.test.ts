// @process vault-watcher
// @seconds 17

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeAbiParameters, type Hex, keccak256, toHex } from 'viem';
import { give, has, leave } from '../../test/payouts.ts';
import { type Daemon, eventually, type Trader, type World, worldOf } from '../../test/world.ts';

/** Comparisons are 20 polls of 20 ms apart, and a difference has to last for three of them. */
const SEVERAL_CHECKS_MS = 2_500;

async function withDeposit(world: World): Promise<Trader> {
  const alice = await world.trader(2);
  await world.deposit(alice, 100_000_000);
  await world.confirm();
  return alice;
}

async function staysQuiet(daemon: Daemon): Promise<void> {
  await has(daemon, /following/);
  await sleep(SEVERAL_CHECKS_MS);
  assert.ok(!daemon.lines.some((line) => line.startsWith('ALARM')), daemon.lines.join('\n'));
}

describe('CUS-14: ledger, events and balance are compared all the time', () => {
  test('deposits, claims, sweeps and what the sweep brought back are no difference', async (t) => {
    const world = await worldOf(t);
    const alice = await withDeposit(world);
    const watcher = world.watch({ VENUE_VAULT_GIFTS: '60' });
    await world.hasCash(alice, 100_000_000);
    await alice.venue.withdrawals.request(30);
    world.pay();
    await eventually('the payout can be claimed', async () => (await world.entitlement(alice)) > 0n);
    await world.claim(alice);
    await leave(world, 60_000_000n);
    await world.confirm();
    await staysQuiet(watcher);
  });

  test('a deposit that is credited and not on the chain is named, until it is dealt with', async (t) => {
    const world = await worldOf(t);
    const { address } = await withDeposit(world);
    const txHash = `0x${'ab'.repeat(32)}`;
    const log = { txHash, logIndex: 7, blockNumber: 1, blockHash: `0x${'cd'.repeat(32)}` };
    await world.custody.deposit({ address, amount: 900_000_000, ...log });
    const watcher = world.watch();
    const named = `credited and not on the chain: ${txHash}:7 \\(900.00 of ${address}\\)$`;
    await has(
      watcher,
      new RegExp(`^ALARM: the ledger has credited 1000.00, and the vault's deposits are 100.00; ${named}`),
    );
    await watcher.stop();
    await staysQuiet(world.watch({ VENUE_WATCHER_SKIP: `${txHash}:7` }));
  });

  test('a deposit that the watcher has passed by is named', async (t) => {
    const world = await worldOf(t);
    const alice = await withDeposit(world);
    const first = world.watch();
    await world.hasCash(alice, 100_000_000);
    await first.stop();
    const txHash = await world.deposit(alice, 7_000_000);
    await world.confirm(10);
    await passBy(world);
    const second = world.watch();
    await has(
      second,
      new RegExp(
        `^ALARM: the ledger has credited 100.00, .* 107.00; on the chain and not credited: ${txHash}:\\d+ \\(7.00`,
      ),
    );
    await second.stop();
    const { logs } = await world.mined(txHash);
    await staysQuiet(world.watch({ VENUE_WATCHER_SKIP: `${txHash}:${logs.at(-1)!.logIndex}` }));
  });

  test('a balance above what the events account for is an alarm, unless it was given', async (t) => {
    const world = await worldOf(t);
    await withDeposit(world);
    await world.trader(1);
    await give(world, 5_000_000n);
    const watcher = world.watch({ VENUE_VAULT_GIFTS: '4.999999' });
    await has(
      watcher,
      /^ALARM: the vault holds 0.000001 more than its deposits and VENUE_VAULT_GIFTS account for/,
    );
    await watcher.stop();
    await staysQuiet(world.watch({ VENUE_VAULT_GIFTS: '5' }));
  });

  test('a balance below it is an alarm, and over when the money is back', async (t) => {
    const world = await worldOf(t);
    await withDeposit(world);
    await setBalance(world, 99_000_000n);
    const watcher = world.watch();
    await has(watcher, /^ALARM: the vault holds 1.00 less than its events account for$/);
    await setBalance(world, 100_000_000n);
    await has(watcher, /^the vault holds what its events account for again$/);
  });
});

/** Moves the watcher's file past blocks that it has not read. */
async function passBy(world: World): Promise<void> {
  const path = join(world.folder, 'watcher.json');
  const number = Number(await world.chain.client.getBlockNumber()) - 4;
  const { hash } = await world.chain.client.getBlock({ blockNumber: BigInt(number) });
  const state = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...state, blockNumber: number, recent: [{ number, hash }] }));
}

/** Changes the vault's tokens as a token could by itself. */
async function setBalance({ chain, token, vault }: World, micros: bigint): Promise<void> {
  const index: Hex = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [vault, 0n]));
  await chain.client.setStorageAt({ address: token, index, value: toHex(micros, { size: 32 }) });
  await chain.client.mine({ blocks: 1 });
}
