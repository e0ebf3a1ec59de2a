import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Json, startRpcProxy, type Tamper } from '../../test/rpc-proxy.ts';
import { eventually, worldOf } from '../../test/world.ts';

/** Blocks that anvil leaves between its head and the newest that it calls final. */
const UNTIL_FINAL = 4;
const FINAL_SOON = { args: ['--slots-in-an-epoch', `${UNTIL_FINAL / 2}`] };

describe('CUS-13: without a number of confirmations', () => {
  test('a deposit counts once the chain calls its block final, and a payout too', async (t) => {
    const world = await worldOf(t, FINAL_SOON);
    const alice = await world.trader(2);
    await world.deposit(alice, 5_000_000);
    await world.confirm(UNTIL_FINAL - 1);
    const block = (await world.chain.client.getBlockNumber()) - BigInt(UNTIL_FINAL);
    // It says which block it has read at first, and then once a minute.
    const watcher = world.watch({ VENUE_CONFIRMATIONS: '' });
    const isAt = new RegExp(`block ${block}\\b`);
    await eventually('the block before is read', () => watcher.lines.some((line) => isAt.test(line)));
    assert.equal(await world.cashMicros(alice), 0);
    await world.confirm(1);
    await world.hasCash(alice, 5_000_000);
    assert.ok(watcher.lines.includes('blocks count once the chain calls them final'));

    await alice.venue.withdrawals.request(2);
    const batcher = world.pay({ VENUE_CONFIRMATIONS: '' });
    await eventually('it is committed', () => batcher.steps.includes('batch-mined'));
    await world.confirm(UNTIL_FINAL - 1);
    assert.ok(!batcher.steps.includes('payouts-noted'));
    await world.confirm(1);
    await eventually('it is noted', () => batcher.steps.includes('payouts-noted'));
  });

  test('twelve blocks count on a chain that calls none final, which a line says', async (t) => {
    const world = await worldOf(t);
    const proxy = await startRpcProxy(world.chain.rpcUrl);
    t.after(() => proxy.stop());
    proxy.tamper = (call) => (isFinal(call) ? null : call.forward());
    const alice = await world.trader(2);
    await world.deposit(alice, 5_000_000);
    await world.confirm(11);
    const watcher = world.watch({ VENUE_RPC_URL: proxy.url, VENUE_CONFIRMATIONS: '' });
    await eventually('it follows', () => watcher.lines.some((line) => /following/.test(line)));
    assert.equal(await world.cashMicros(alice), 0);
    assert.ok(
      watcher.lines.includes('the chain calls no block final: blocks count with 12 on top of them'),
      watcher.lines.join('\n'),
    );
    await world.confirm(1);
    await world.hasCash(alice, 5_000_000);
  });

  test('a server that hides which block is final, or names one too early, makes nothing count earlier', async (t) => {
    const world = await worldOf(t, FINAL_SOON);
    const liar = await startRpcProxy(world.chain.rpcUrl);
    t.after(() => liar.stop());
    const both = {
      VENUE_RPC_URL: '',
      VENUE_RPC_URLS: `${world.chain.rpcUrl},${liar.url}`,
      VENUE_CONFIRMATIONS: '',
    };
    const alice = await world.trader(2);
    liar.tamper = (call) => (isFinal(call) ? null : call.forward());
    const watcher = world.watch(both);
    await eventually('they disagree', () =>
      watcher.lines.some((line) => /^ALARM: .* disagree on whether a block is final$/.test(line)),
    );
    liar.tamper = async (call) =>
      isFinal(call)
        ? await world.chain.client.transport.request({
            method: 'eth_getBlockByNumber',
            params: ['latest', false],
          })
        : call.forward();
    await world.deposit(alice, 5_000_000);
    await world.confirm(UNTIL_FINAL - 1);
    await eventually('it follows', () => watcher.lines.some((line) => /following/.test(line)));
    assert.equal(await world.cashMicros(alice), 0);
    liar.honest();
    await world.confirm(1);
    await world.hasCash(alice, 5_000_000);
  });
});

function isFinal({ method, params }: Parameters<Tamper>[0]): Json {
  return method === 'eth_getBlockByNumber' && params[0] === 'finalized';
}
