// @process vault-batcher
// @seconds 2

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { credit, funded, has, leave, reached, statesOf } from '../../test/payouts.ts';
import { startRpcProxy } from '../../test/rpc-proxy.ts';
import { venueVaultAbi } from '../contract/abi.ts';

const BALANCE_OF = '0x70a08231';

describe('batcher and what it does not sign', () => {
  test('RES-1: after a commitment that the exchange never requested nothing is signed, even if the rest is covered', async (t) => {
    const { world, alice } = await funded(t);
    const payout = { id: 999n, account: world.operator.address, amount: 5_000_000n };
    const commit = { address: world.vault, abi: venueVaultAbi, functionName: 'commit' } as const;
    const args = [`0x${'99'.repeat(32)}`, [payout]] as const;
    await world.mined(await world.chain.wallet(world.operator).writeContract({ ...commit, args }));
    await world.deposit(alice, 50_000_000);
    await alice.venue.withdrawals.request(1);
    const batcher = world.pay();
    await has(batcher, /^ALARM: nothing is signed, .* never asked for at the exchange: 4.00$/);
    assert.ok(!batcher.steps.includes('batch-signed'));
  });

  test('CUS-4: a payout that is voided while it is under way pays twice, and stops it with an alarm', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(30);
    const batcher = world.pay();
    await reached(batcher, 'batch-mined');
    await world.custody.void({ id: 1, reason: 'a thief has the secret of operators' });
    assert.equal(await world.cashMicros(alice), 100_000_000);
    await world.confirm();
    assert.match((await batcher.dies()).message, /payouts 1 to 1 as committed .* payout was voided/);
    assert.equal((await world.committed()).length, 1);
  });

  test('a batch too large for a block is halved before it is stored', async (t) => {
    const { world, alice } = await funded(t);
    for (let i = 0; i < 10; i++) await alice.venue.withdrawals.request(1);
    await world.chain.client.setBlockGasLimit({ gasLimit: 200_000n });
    await world.confirm(1);
    const batcher = world.pay();
    for (let batches = 1; batches <= 2; batches++) {
      await reached(batcher, 'batch-sent', batches);
      await world.confirm();
      await reached(batcher, 'batch-closed', batches);
    }
    const batches = batcher.lines.filter((line) => line.startsWith('batch 0x'));
    assert.deepEqual(
      batches.map((line) => /: (\d+) payouts/.exec(line)?.[1]),
      ['5', '5'],
    );
  });

  test('a vault that refuses the batch says why in the words of the contract', async (t) => {
    const { world, alice } = await funded(t);
    const proxy = await startRpcProxy(world.chain.rpcUrl);
    t.after(() => proxy.stop());
    proxy.tamper = ({ method, params, forward }) =>
      method === 'eth_call' && params[0].data.startsWith(BALANCE_OF) ? `0x${'f'.repeat(64)}` : forward();
    await credit(world, alice, 100_000_000);
    await leave(world, 100_000_000n);
    await alice.venue.withdrawals.request(120);
    const batcher = world.pay({ VENUE_RPC_URL: proxy.url });
    await has(
      batcher,
      /^ALARM: nothing is signed, the vault refuses .*: InsufficientReserves\(committed 120000000, balance 100000000\)$/,
    );
    assert.deepEqual(await statesOf(alice), ['requested']);
  });

  test('an operator without gas is an alarm, and the batch goes once there is some', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    const { address } = world.operator;
    await world.chain.client.setBalance({ address, value: 1n });
    const batcher = world.pay();
    await has(batcher, /^ALARM: nothing is signed, the operator 0x\w+ has 0\.0+1 ether .* send it more$/);
    await world.chain.client.setBalance({ address, value: 10n ** 18n });
    await reached(batcher, 'batch-mined');
  });
});
