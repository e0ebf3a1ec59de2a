// @process vault-batcher
// @seconds 7

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { encodeAbiParameters, keccak256, numberToHex, pad, toFunctionSelector } from 'viem';
import { Fault, type Json, type RpcProxy, startRpcProxy, type Tamper } from '../../test/rpc-proxy.ts';
import { type Daemon, eventually, startWorld, type Trader, type World } from '../../test/world.ts';
import { depositFilter } from '../events/vault-logs.ts';
import { headerHash } from './header.ts';
import { receiptsRoot } from './receipts.ts';
import { chainAt } from './servers.ts';

const BALANCE_OF = toFunctionSelector('balanceOf(address)');

/** Two servers of one chain, the second of which lies as it pleases. */
describe('CUS-11: what counts is what all servers say', () => {
  let world: World;
  let liar: RpcProxy;
  let alice: Trader;
  beforeEach(async () => {
    world = await startWorld();
    liar = await startRpcProxy(world.chain.rpcUrl);
    alice = await world.trader(2);
  });
  afterEach(async () => {
    await world.stop();
    await liar.stop();
  });

  const both = () => ({
    VENUE_RPC_URL: '',
    VENUE_RPC_URLS: `${world.chain.rpcUrl},${liar.url}/v2/a-secret-key`,
    VENUE_RPC_SINGLE: '0',
  });
  const says = (daemon: Daemon, line: RegExp) =>
    eventually(`it says ${line}`, () => daemon.lines.some((said) => line.test(said)));

  test('a deposit that one of them invents is not credited, and is an alarm', async () => {
    const watcher = world.watch(both());
    await says(watcher, /following/);
    liar.tamper = await withInventedDeposit(world, alice, 900_000_000);
    await world.confirm(10);
    await says(
      watcher,
      /^ALARM: cannot go on, trying again: 127\.0\.0\.1:\d+ and 127\.0\.0\.1:\d+ disagree on block \d+$/,
    );
    assert.equal(await world.cashMicros(alice), 0);
    liar.honest();
    await world.deposit(alice, 5_000_000);
    await world.confirm();
    await world.hasCash(alice, 5_000_000);
    assert.ok(!watcher.lines.some((line) => /secret/.test(line)), watcher.lines.join('\n'));
  });

  test('the same deposit is believed of a server that nothing confirms, which is why that has to be said', async () => {
    const watcher = world.watch({ VENUE_RPC_URL: liar.url });
    await says(watcher, /^following the chain: .*; a single RPC server is believed$/);
    liar.tamper = await withInventedDeposit(world, alice, 900_000_000);
    await world.confirm(10);
    await world.hasCash(alice, 900_000_000);
  });

  test('a balance that one of them invents pays nobody', async () => {
    world.watch(both());
    await world.deposit(alice, 20_000_000);
    await world.confirm();
    await world.hasCash(alice, 20_000_000);
    const { address } = alice;
    const invented = { address, amount: 80_000_000, txHash: `0x${'ab'.repeat(32)}`, logIndex: 0 } as const;
    await world.custody.deposit({ ...invented, blockNumber: 1, blockHash: `0x${'cd'.repeat(32)}` });
    await alice.venue.withdrawals.request(60);
    liar.tamper = async (call) =>
      call.method === 'eth_call' && call.params[0].data.startsWith(BALANCE_OF)
        ? encodeAbiParameters([{ type: 'uint256' }], [10n ** 12n])
        : call.forward();
    const batcher = world.pay(both());
    await says(batcher, /^ALARM: cannot go on, trying again: .* disagree on a call of 0x\w+ at block \d+$/);
    assert.ok(!batcher.steps.includes('batch-signed'));
    liar.honest();
    await says(batcher, /^ALARM: nothing is signed, the vault has too little for any of 1 payouts/);
  });

  test('one that lags holds the others back, and one that is down stops them, until it is back', async () => {
    const chain = chainAt([world.chain.rpcUrl, liar.url]);
    const head = (await chain.head()).number;
    liar.tamper = (call) => (call.method === 'eth_blockNumber' ? '0x2' : call.forward());
    assert.equal((await chain.head()).number, 2);
    liar.tamper = () => new Fault('http', 'gone');
    await assert.rejects(chain.head(), {
      name: 'RpcRefusal',
      message: /^127\.0\.0\.1:\d+: eth_blockNumber: HTTP 503 .*gone/,
    });
    liar.honest();
    assert.equal((await chain.head()).number, head);
  });

  test('logs that one of them does not have yet are no answer', async () => {
    await world.deposit(alice, 1_000_000);
    const chain = chainAt([world.chain.rpcUrl, liar.url]);
    const { number } = await chain.head();
    const filter = depositFilter(world.vault);
    assert.equal((await chain.logs(filter, 1, number)).length, 1);
    liar.tamper = (call) => (call.method === 'eth_getLogs' ? [] : call.forward());
    await assert.rejects(chain.logs(filter, 1, number), {
      name: 'DisagreementError',
      message: /on the logs of blocks 1 to/,
    });
  });

  test('a transaction is sent if one of them takes it', async () => {
    liar.tamper = (call) =>
      call.method === 'eth_sendRawTransaction' ? new Fault('error', 'no room') : call.forward();
    const signed = await world.signedDeposit(alice, 1_000_000);
    await chainAt([liar.url, world.chain.rpcUrl]).send(signed);
    await world.mined(keccak256(signed));
    await assert.rejects(chainAt([liar.url]).send(signed), /no room/);
  });
});

/**
 * A chain of the liar's own, from the next block on: its first block holds a deposit that nobody made, and each header
 * has its hash, its parent and its receipts.
 */
async function withInventedDeposit(world: World, { address }: Trader, micros: number): Promise<Tamper> {
  const first = Number(await world.chain.client.getBlockNumber()) + 1;
  const receipt = {
    type: '0x2',
    status: '0x1',
    cumulativeGasUsed: '0x5208',
    logsBloom: `0x${'ff'.repeat(256)}`,
    transactionHash: `0x${'ee'.repeat(32)}`,
    logs: [
      {
        address: world.vault,
        topics: [depositFilter(world.vault).topics[0], pad(address)],
        data: numberToHex(micros, { size: 32 }),
      },
    ],
  };
  const changes = { logsBloom: receipt.logsBloom, receiptsRoot: await receiptsRoot([receipt]) };
  const real = (number: number): Promise<Json> =>
    world.chain.client.transport.request({
      method: 'eth_getBlockByNumber',
      params: [numberToHex(number), false],
    });
  const forged = async (number: number): Promise<Json> => {
    const block = await real(number);
    if (block === null || number < first) return block;
    const changed =
      number === first ? { ...block, ...changes } : { ...block, parentHash: (await forged(number - 1)).hash };
    return { ...changed, hash: headerHash(changed) };
  };
  return async (call) => {
    if (call.method === 'eth_getBlockReceipts' && Number(call.params[0]) === first) return [receipt];
    return call.method === 'eth_getBlockByNumber' ? forged(Number(call.params[0])) : call.forward();
  };
}
