/** Helpers shared by the batcher's tests. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { loadConfig, startExchange } from '@venue/exchange';
import { openMemoryLog } from '@venue/log';
import type { Hex } from '@venue/protocol';
import { VenueClient } from '@venue/sdk';
import { sharedVerifier } from '../../exchange/test/shared-verifier.ts';
import { testStablecoinAbi, venueVaultAbi } from '../src/contract/abi.ts';
import { type Daemon, EXCHANGE_ENV, eventually, type Trader, type World, worldOf } from './world.ts';

/** A world with a trader who has 100 dollars at the exchange, reported by hand, and the tokens in the vault. */
export async function funded(t: TestContext): Promise<{ world: World; alice: Trader }> {
  const world = await worldOf(t);
  const alice = await world.trader(2);
  await credit(world, alice, 100_000_000);
  return { world, alice };
}

/** Puts an exchange with an empty ledger in the place of the world's, in the next epoch, and signs these traders in again. */
export async function restoredEmpty(t: TestContext, world: World, traders: readonly Trader[]): Promise<void> {
  const env = { ...EXCHANGE_ENV, VENUE_PORT: new URL(world.exchange.url).port };
  await world.exchange.stop();
  const deps = { log: await openMemoryLog(), verifier: await sharedVerifier() };
  const exchange = await startExchange(loadConfig(env), deps);
  t.after(() => exchange.stop());
  await world.custody.raiseEpoch({ epoch: 1, reason: 'restored' });
  // It is another deployment, so the client that knew the old one has stopped (VEN-1).
  for (const trader of traders) {
    trader.venue = new VenueClient({ url: exchange.url });
    await trader.venue.auth.approveSession(trader.wallet);
  }
}

export async function credit(world: World, trader: Trader, micros: number): Promise<void> {
  const txHash = await world.deposit(trader, micros);
  const { logs } = await world.mined(txHash);
  const { logIndex, blockHash, blockNumber } = logs.at(-1)!;
  const { address } = trader;
  await world.custody.deposit({
    address,
    amount: micros,
    txHash,
    logIndex,
    blockHash,
    blockNumber: Number(blockNumber),
  });
}

/** Empties the vault but for this much, which comes back by a plain transfer. */
export async function leave(world: World, micros: bigint): Promise<void> {
  const failsafe = world.chain.wallet(world.chain.accounts[1]!);
  const sweep = { address: world.vault, abi: venueVaultAbi, functionName: 'emergencySweep' } as const;
  await world.mined(await failsafe.writeContract(sweep));
  if (micros > 0n) await give(world, micros);
}

/** Sends tokens of the failsafe to the vault, by a plain transfer. */
export async function give(world: World, micros: bigint): Promise<void> {
  const transfer = { address: world.token, abi: testStablecoinAbi, functionName: 'transfer' } as const;
  const failsafe = world.chain.wallet(world.chain.accounts[1]!);
  await world.mined(await failsafe.writeContract({ ...transfer, args: [world.vault, micros] }));
}

export function has(daemon: Daemon, pattern: RegExp): Promise<void> {
  return eventually(`${pattern} in:\n${daemon.lines.join('\n')}`, () =>
    daemon.lines.some((line) => pattern.test(line)),
  );
}

export function reached(daemon: Daemon, step: string, times = 1): Promise<void> {
  return eventually(step, () => daemon.steps.filter((name) => name === step).length >= times);
}

export async function statesOf({ venue }: Trader): Promise<string[]> {
  return (await venue.withdrawals.list()).map(({ state }) => state).reverse();
}

export function readState(world: World) {
  return JSON.parse(readFileSync(join(world.folder, 'batcher.json'), 'utf8'));
}

/** A transaction of the operator that pays nobody, with a fee that outbids any batch. */
export async function signedByOperator(world: World, nonce: number): Promise<Hex> {
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 10n };
  const chainId = world.chain.chainId;
  return world.operator.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to: world.operator.address,
    gas: 21_000n,
    ...fees,
  });
}
