// @process vault
// @seconds 8

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { funded, has, reached, readState, signedByOperator, statesOf } from '../../test/payouts.ts';
import { CONFIRMATIONS, eventually } from '../../test/world.ts';
import { venueVaultAbi } from '../contract/abi.ts';
import { loadReservesConfig } from '../daemon/config.ts';
import { readReserves } from '../reserves/read-reserves.ts';

const N = CONFIRMATIONS;

describe('batcher', () => {
  test('PAY-3: payouts are committed in one transaction, recorded once it is confirmed, and can be claimed', async (t) => {
    const { world, alice } = await funded(t);
    for (const amount of [1, 2.5, 0.000001]) await alice.venue.withdrawals.request(amount);
    const batcher = world.pay();
    await reached(batcher, 'batch-mined');
    await world.confirm(N - 1);
    await sleep(100);
    assert.deepEqual(await statesOf(alice), ['requested', 'requested', 'requested']);
    await world.confirm(1);
    await reached(batcher, 'batch-closed');
    assert.deepEqual(await statesOf(alice), ['committed', 'committed', 'committed']);
    const committed = await world.committed();
    assert.deepEqual(
      committed.map(({ id, amount }) => [id, amount]),
      [
        [1, 1_000_000n],
        [2, 2_500_000n],
        [3, 1n],
      ],
    );
    assert.deepEqual(
      new Set((await alice.venue.withdrawals.list()).map(({ txHash }) => txHash)),
      new Set([committed[0]!.txHash]),
    );
    await world.claim(alice);
    assert.equal(await world.entitlement(alice), 0n);
    await alice.venue.withdrawals.request(4);
    await reached(batcher, 'batch-mined', 2);
    assert.equal(await batcher.stop(), undefined);
    assert.ok(!batcher.lines.join().includes(world.operator.privateKey.slice(2)));
    assert.ok(!JSON.stringify(readState(world)).includes(world.operator.privateKey.slice(2)));
  });

  test('payouts beyond VENUE_BATCH_MAX go into the next batch', async (t) => {
    const { world, alice } = await funded(t);
    for (let i = 0; i < 5; i++) await alice.venue.withdrawals.request(1);
    const batcher = world.pay({ VENUE_BATCH_MAX: '2' });
    for (let batches = 1; batches <= 3; batches++) {
      await reached(batcher, 'batch-sent', batches);
      await world.confirm();
    }
    await reached(batcher, 'batch-closed', 3);
    assert.deepEqual(
      (await world.committed()).map(({ id }) => id),
      [1, 2, 3, 4, 5],
    );
    assert.equal(new Set((await world.committed()).map(({ txHash }) => txHash)).size, 3);
  });

  test('RES-1: anyone reads the reserves from the public figures and the chain', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    const config = loadReservesConfig({
      VENUE_URL: world.exchange.url,
      VENUE_RPC_URL: world.chain.rpcUrl,
      VENUE_VAULT_ADDRESS: world.vault,
    });
    const { holds, owed, free, lines } = await readReserves(config);
    assert.deepEqual([holds, owed, free], [true, 100_000_000n, 100_000_000n]);
    const operator = world.operator.address.toLowerCase();
    assert.deepEqual(lines.slice(0, 3), [
      `vault ${world.vault}`,
      `token ${world.token}`,
      `operator ${operator}`,
    ]);
    const sweep = { address: world.vault, abi: venueVaultAbi, functionName: 'emergencySweep' } as const;
    await world.chain.wallet(world.chain.accounts[1]!).writeContract(sweep);
    assert.equal((await readReserves(config)).holds, false);
    await assert.rejects(readReserves({ ...config, chainId: 5 }), { name: 'ConfigError' });
    await assert.rejects(readReserves({ ...config, token: world.vault }), {
      name: 'ConfigError',
      message: `VENUE_TOKEN_ADDRESS is ${world.vault}, but the vault ${world.vault} holds the token ${world.token}`,
    });
  });

  test('a start that cannot succeed is refused in one line', async (t) => {
    const { world } = await funded(t);
    const other = world.chain.accounts[5]!;
    const error = await world.pay({ VENUE_VAULT_OPERATOR_KEY: other.privateKey }).dies();
    assert.equal(error.name, 'ConfigError');
    assert.match(
      error.message,
      new RegExp(`is the key of ${other.address}, but the vault's operator is`, 'i'),
    );
    assert.ok(!error.message.includes(other.privateKey));
    const token = await world.pay({ VENUE_TOKEN_ADDRESS: other.address }).dies();
    assert.match(token.message, /^VENUE_TOKEN_ADDRESS is 0x\w+, but the vault 0x\w+ holds the token 0x\w+$/);
    const late = await world.pay({ VENUE_VAULT_FROM_BLOCK: '3' }).dies();
    assert.match(late.message, /^VENUE_VAULT_FROM_BLOCK is 3, but the vault 0x\w+ was there before/);
    const early = await world.pay({ VENUE_VAULT_FROM_BLOCK: '5000' }).dies();
    assert.match(early.message, /^VENUE_VAULT_FROM_BLOCK is block 5000, above the head \d+ of the chain/);
    writeFileSync(join(world.folder, 'batcher.json'), '{"open":');
    assert.match((await world.pay().dies()).message, /batcher.json cannot be used: it is no JSON/);
  });
});

describe('batcher and fees', () => {
  test('a pending one is replaced with the same nonce and a higher fee, within the cap, and pays once', async (t) => {
    const { world, alice } = await funded(t);
    await world.chain.client.setAutomine(false);
    await alice.venue.withdrawals.request(3);
    const batcher = world.pay({ VENUE_FEE_BUMP_AFTER_MS: '50', VENUE_MAX_FEE_GWEI: '5' });
    await reached(batcher, 'replacement-sent', 2);
    await has(batcher, /VENUE_MAX_FEE_GWEI leaves no room/);
    const { forms, nonce } = readState(world).open;
    for (const [i, { feeWei, tipWei }] of forms.slice(1).entries()) {
      const before = forms[i];
      assert.ok(
        BigInt(feeWei) * 8n >= BigInt(before.feeWei) * 9n &&
          BigInt(tipWei) * 8n >= BigInt(before.tipWei) * 9n,
      );
      assert.ok(BigInt(feeWei) <= 5_000_000_000n);
    }
    await world.chain.client.mine({ blocks: 1 });
    await world.confirm();
    await reached(batcher, 'batch-closed');
    const [payout, ...others] = await world.committed();
    assert.equal(others.length, 0);
    const mined = await world.chain.client.getTransaction({ hash: payout!.txHash });
    assert.equal(mined.nonce, nonce);
    assert.equal(payout!.txHash, forms.at(-1).hash);
    assert.equal((await alice.venue.withdrawals.list())[0]!.txHash, payout!.txHash);
  });

  test('while the base fee is above the cap nothing is signed', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    await world.chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 2_000_000_000n });
    await world.chain.client.mine({ blocks: 1 });
    const batcher = world.pay({ VENUE_MAX_FEE_GWEI: '1' });
    await has(batcher, /base fee is above VENUE_MAX_FEE_GWEI; 1 payouts wait/);
    await world.confirm(20);
    await reached(batcher, 'batch-sent');
  });
});

describe('batcher and reorgs', () => {
  test('a batch that a reorg drops is sent again with the same bytes', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    const batcher = world.pay();
    await reached(batcher, 'batch-mined');
    const [first] = await world.committed();
    await world.chain.reorg(1);
    await eventually('it is in a block again', async () => (await world.committed()).length === 1);
    assert.deepEqual(await world.committed(), [first]);
    await world.confirm();
    await reached(batcher, 'batch-closed');
  });

  test('a recorded batch that a deeper reorg drops is sent again, and reported', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    const batcher = world.pay();
    await reached(batcher, 'batch-mined');
    const [first] = await world.committed();
    await world.confirm();
    await reached(batcher, 'batch-closed');
    await world.chain.reorg(N + 1);
    await has(batcher, /^ALARM: a reorg took batch 0x\w+ off the chain; it is sent again/);
    await eventually('it is in a block again', async () => (await world.committed()).length === 1);
    assert.deepEqual(await world.committed(), [first]);
    await alice.venue.withdrawals.request(4);
    await reached(batcher, 'batch-sent', 2);
    assert.equal(await batcher.stop(), undefined);
  });

  test('a recorded batch that can never be mined again stops it with an alarm', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(3);
    const batcher = world.pay();
    await reached(batcher, 'batch-mined');
    const stranger = await signedByOperator(world, readState(world).open.nonce);
    await world.confirm();
    await reached(batcher, 'batch-closed');
    await world.chain.reorg(N + 1, [[stranger, 0]]);
    assert.match((await batcher.dies()).message, /its payouts have to be committed by hand/);
  });
});
