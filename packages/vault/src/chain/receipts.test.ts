import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hex } from '@venue/protocol';
import { encodeFunctionData } from 'viem';
import { startWorld, type Trader, type World } from '../../test/world.ts';
import { testStablecoinAbi, venueVaultAbi } from '../contract/abi.ts';
import { depositFilter } from '../events/vault-logs.ts';
import { chainAt } from './servers.ts';

let world: World;
let alice: Trader;
before(async () => {
  world = await startWorld();
  alice = await world.trader(2);
});
after(() => world.stop());

/** More receipts than an index of one byte names, of every kind of transaction, one of which fails. */
test('CUS-12: the logs of a block with many receipts are those that its header proves', async () => {
  const wallet = world.chain.wallet(alice.wallet);
  const deposit = (micros: number): Hex =>
    encodeFunctionData({ abi: venueVaultAbi, functionName: 'deposit', args: [BigInt(micros)] });
  const mint = encodeFunctionData({
    abi: testStablecoinAbi,
    functionName: 'mint',
    args: [alice.wallet.address, 1n],
  });
  const gas = 200_000n;
  await world.chain.client.setAutomine(false);
  let nonce = await world.chain.client.getTransactionCount({ address: alice.wallet.address });
  const gasPrice = 3n * 10n ** 9n;
  await wallet.sendTransaction({ to: world.vault, data: deposit(0), gas, nonce: nonce++ });
  for (let i = 0; i < 130; i++)
    await wallet.sendTransaction({ to: world.token, data: mint, gas: 60_000n, gasPrice, nonce: nonce++ });
  await wallet.sendTransaction({ to: world.vault, data: deposit(1_000_000), gas, gasPrice, nonce: nonce++ });
  const accessList = [{ address: world.vault, storageKeys: [] }];
  await wallet.sendTransaction({
    to: world.vault,
    data: deposit(2_000_000),
    gas,
    gasPrice,
    accessList,
    type: 'eip2930',
    nonce: nonce++,
  });
  await world.chain.client.mine({ blocks: 1 });
  await world.chain.client.setAutomine(true);

  const chain = chainAt([world.chain.rpcUrl]);
  const head = await chain.head();
  const filter = depositFilter(world.vault);
  const proven = await chain.provenLogs(filter, head);
  assert.equal(proven.length, 2);
  assert.deepEqual(proven, await chain.logs(filter, head.number, head.number));
});

test('CUS-12: a block without transactions has no logs', async () => {
  await world.chain.client.mine({ blocks: 1 });
  const chain = chainAt([world.chain.rpcUrl]);
  assert.deepEqual(await chain.provenLogs(depositFilter(world.vault), await chain.head()), []);
});
