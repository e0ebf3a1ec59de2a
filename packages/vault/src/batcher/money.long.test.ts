// @process vault-batcher
// @seconds 8

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { encodeFunctionData } from 'viem';
import { startExchangeProxy } from '../../test/exchange-proxy.ts';
import { credit, funded, give, has, leave, reached, statesOf } from '../../test/payouts.ts';
import { startRpcProxy } from '../../test/rpc-proxy.ts';
import { CONFIRMATIONS, eventually, type World } from '../../test/world.ts';
import { venueVaultAbi } from '../contract/abi.ts';

async function halted(world: World): Promise<string | null> {
  return (await world.venue.market.reserves()).payoutsHalted;
}

describe('CUS-7: a vault with too little', () => {
  test('pays in the order of the requests what it can, says what it cannot, and goes on once it is funded', async (t) => {
    const { world, alice } = await funded(t);
    const bob = await world.trader(3);
    for (const trader of [alice, bob]) await credit(world, trader, 100_000_000);
    await leave(world, 100_000_000n);
    await alice.venue.withdrawals.request(80);
    await bob.venue.withdrawals.request(50);
    await alice.venue.withdrawals.request(10);
    const batcher = world.pay();
    await has(
      batcher,
      /^ALARM: the reserves do not hold: owed 300.00 > free 100.00 .*as far as the money goes$/,
    );
    await reached(batcher, 'batch-mined');
    await world.confirm(CONFIRMATIONS);
    await reached(batcher, 'batch-closed');
    assert.deepEqual(
      (await world.committed()).map(({ id, amount }) => [id, amount]),
      [
        [1, 80_000_000n],
        [3, 10_000_000n],
      ],
    );
    await has(batcher, /^ALARM: nothing is signed, the vault has too little for any of 1 payouts$/);
    await eventually('it is known', async () => /too little money/.test((await halted(world)) ?? ''));
    await give(world, 40_000_000n);
    await reached(batcher, 'batch-sent', 2);
    await world.confirm(CONFIRMATIONS);
    await reached(batcher, 'batch-closed', 2);
    assert.deepEqual(await statesOf(bob), ['committed']);
    assert.equal(await halted(world), null);
  });

  test('is no longer halted once nobody waits', async (t) => {
    const { world, alice } = await funded(t);
    await leave(world, 0n);
    await alice.venue.withdrawals.request(100);
    const batcher = world.pay();
    await eventually('it is known', async () => (await halted(world)) !== null);
    await world.custody.void({ id: 1, reason: 'asked for in error' });
    await eventually('it is lifted', async () => (await halted(world)) === null);
    assert.equal(await batcher.stop(), undefined);
  });
});

test('CUS-14: nothing is signed once more was credited than was deposited, however much the vault holds', async (t) => {
  const { world, alice } = await funded(t);
  const log = {
    txHash: `0x${'ab'.repeat(32)}`,
    logIndex: 0,
    blockNumber: 1,
    blockHash: `0x${'cd'.repeat(32)}`,
  };
  await world.custody.deposit({ address: alice.address, amount: 1, ...log });
  await alice.venue.withdrawals.request(1);
  const batcher = world.pay();
  await has(
    batcher,
    /^ALARM: nothing is signed, the exchange has credited 0.000001 more than the vault's deposits are$/,
  );
  await eventually('it is known', async () => /^more was credited/.test((await halted(world)) ?? ''));
  assert.ok(!batcher.steps.includes('batch-signed'));
});

test('CUS-12, CUS-14: an index of logs that lags stops nobody: final blocks are settled by receipts, and the rest is read again', async (t) => {
  const { world, alice } = await funded(t);
  const rpc = await startRpcProxy(world.chain.rpcUrl);
  t.after(() => rpc.stop());
  let isLagging = false;
  rpc.tamper = ({ method, forward }) => (method === 'eth_getLogs' && isLagging ? [] : forward());
  await alice.venue.withdrawals.request(1);
  const batcher = world.pay({ VENUE_RPC_URL: rpc.url });
  await reached(batcher, 'batch-sent');
  isLagging = true;
  await credit(world, alice, 50_000_000);
  await world.confirm(2 * CONFIRMATIONS);
  await reached(batcher, 'batch-closed');
  await alice.venue.withdrawals.request(2);
  await reached(batcher, 'batch-sent', 2);
  assert.equal(await halted(world), null);
  await batcher.stop();
  // A long range is read as it is listed: what the index hid is found when it is read again.
  await world.confirm(200);
  rmSync(join(world.folder, 'batcher.json'));
  await alice.venue.withdrawals.request(3);
  let asked = 0;
  rpc.tamper = ({ method, params, forward }) => {
    const isWide = method === 'eth_getLogs' && Number(params[0].toBlock) - Number(params[0].fromBlock) > 128;
    return isWide && params[0].topics.length === 1 && ++asked === 1 ? [] : forward();
  };
  const again = world.pay({ VENUE_RPC_URL: rpc.url });
  await reached(again, 'batch-sent', 1);
  assert.ok(asked > 1, 'it was read again');
  assert.ok(!again.lines.some((line) => line.startsWith('ALARM')), again.lines.join('\n'));
});

test('CUS-7: without gas payouts are halted, and made once there is some', async (t) => {
  const { world, alice } = await funded(t);
  await alice.venue.withdrawals.request(3);
  const { address } = world.operator;
  await world.chain.client.setBalance({ address, value: 1n });
  const batcher = world.pay();
  await eventually('it is known', async () => /ether for the gas/.test((await halted(world)) ?? ''));
  await world.chain.client.setBalance({ address, value: 10n ** 18n });
  await reached(batcher, 'batch-mined');
  assert.equal(await halted(world), null);
});

test('CUS-7: nothing is paid from another vault than the one that the ledger is bound to', async (t) => {
  const { world, alice } = await funded(t);
  await alice.venue.withdrawals.request(3);
  const proxy = await startExchangeProxy(t, world.exchange.url);
  proxy.rewrite = (request, body) =>
    request === 'GET /v1/reserves' ? { ...body, chainId: 1, vault: world.token } : body;
  const batcher = world.pay({ VENUE_URL: proxy.url });
  await has(
    batcher,
    /^ALARM: nothing is signed, the ledger is bound to the vault 0x\w+ on chain 1, and this is/,
  );
  await eventually('it is known', async () => /bound to another vault/.test((await halted(world)) ?? ''));
  assert.ok(!batcher.steps.includes('batch-signed'));
});

test('CUS-6, OWN-64: an account’s last cents are paid, because the exchange decides what is too small', async (t) => {
  const { world } = await funded(t);
  const bob = await world.trader(3);
  await credit(world, bob, 20_000);
  await bob.venue.withdrawals.request(0.02);
  const batcher = world.pay();
  await reached(batcher, 'batch-mined');
  assert.equal(await world.entitlement(bob), 20_000n);
});

test('a payout that waits is not asked about on chain in every round', async (t) => {
  const { world, alice } = await funded(t);
  for (let i = 0; i < 5; i++) await alice.venue.withdrawals.request(3);
  const rpc = await startRpcProxy(world.chain.rpcUrl);
  t.after(() => rpc.stop());
  const batcher = world.pay({ VENUE_PAYOUT_MAX: '1', VENUE_RPC_URL: rpc.url });
  await reached(batcher, 'payouts-read', 5);
  const asked = [1n, 2n, 3n, 4n, 5n].map((id) => {
    const data = encodeFunctionData({ abi: venueVaultAbi, functionName: 'isPayoutCommitted', args: [id] });
    return rpc.calls.filter(({ method, params }) => method === 'eth_call' && params[0].data === data).length;
  });
  assert.deepEqual(asked, [1, 1, 1, 1, 1]);
});

test('CUS-3: in a later epoch a payout has another number in the vault, and keeps its own at the exchange', async (t) => {
  const { world, alice } = await funded(t);
  await alice.venue.withdrawals.request(3);
  await world.custody.raiseEpoch({ epoch: 1, reason: 'restored from an old copy' });
  await alice.venue.withdrawals.request(4);
  const batcher = world.pay();
  await reached(batcher, 'batch-mined');
  await world.confirm(CONFIRMATIONS);
  await reached(batcher, 'batch-closed');
  assert.deepEqual(
    (await world.committed()).map(({ id }) => id),
    [1, 2 ** 40 + 2],
  );
  assert.deepEqual(await statesOf(alice), ['committed', 'committed']);
});
