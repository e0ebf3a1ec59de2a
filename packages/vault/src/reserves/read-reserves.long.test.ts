// @process vault-batcher
// @seconds 10

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Environment } from '@venue/config';
import type { Hex } from 'viem';
import { credit, funded, give, reached } from '../../test/payouts.ts';
import { CONFIRMATIONS, eventually, OPERATOR_TOKEN, type World } from '../../test/world.ts';
import { venueVaultAbi } from '../contract/abi.ts';
import { loadReservesConfig } from '../daemon/config.ts';
import { type ReserveReport, readReserves } from './read-reserves.ts';

const OPERATOR = { VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN };

/** The view of anybody; with the operators' secret, theirs. */
function look(world: World, changes: Environment = {}): Promise<ReserveReport> {
  return readReserves(
    loadReservesConfig({
      VENUE_URL: world.exchange.url,
      VENUE_RPC_URL: world.chain.rpcUrl,
      VENUE_VAULT_ADDRESS: world.vault,
      ...changes,
    }),
  );
}

function faultsOf({ lines }: ReserveReport): string[] {
  return lines.filter((line) => /^(FAIL|NOT KNOWN)/.test(line));
}

async function passAnHour({ chain }: World): Promise<void> {
  await chain.client.increaseTime({ seconds: 3_601 });
  await chain.client.mine({ blocks: 1 });
}

/** The call of that strike which expires last. */
async function seriesAt(world: World, strike: number) {
  let found: { sid: number; seriesId: string } | undefined;
  await eventually('it is listed', async () => {
    const listed = await world.venue.market.series('BTC');
    found = listed.findLast((one) => one.right === 'C' && one.strike === strike);
    return found !== undefined;
  });
  return found!;
}

/** Commits as the holder of the operator's key. */
async function commit(world: World, payout: { id: bigint; account: Hex; amount: bigint }): Promise<Hex> {
  const hash = await world.chain.wallet(world.operator).writeContract({
    address: world.vault,
    abi: venueVaultAbi,
    functionName: 'commit',
    args: [`0x${'99'.repeat(32)}`, [payout]],
  });
  await world.mined(hash);
  return hash;
}

describe('CUS-20: what `venue reserves` finds', () => {
  test('nothing, in an honest venue, before and after a payout, for anybody and for operators', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(30);
    const isSound = async () => {
      for (const changes of [{}, OPERATOR]) {
        const report = await look(world, changes);
        assert.deepEqual([report.holds, report.isKnown, faultsOf(report)], [true, true, []]);
      }
    };
    await isSound();
    const batcher = world.pay();
    await reached(batcher, 'batch-mined');
    const young = await look(world);
    assert.deepEqual([young.holds, young.isKnown], [true, false]);
    assert.match(
      faultsOf(young)[0]!,
      /^NOT KNOWN whether 30.00 that is committed and not noted yet was asked for/,
    );
    assert.deepEqual(faultsOf(await look(world, OPERATOR)), []);
    await world.confirm(CONFIRMATIONS);
    await reached(batcher, 'batch-closed');
    await world.claim(alice);
    await passAnHour(world);
    await isSound();
    const { lines } = await look(world, OPERATOR);
    assert.ok(
      lines.includes("deposits: 100.00 by the vault's events, 100.00 by the ledger"),
      lines.join('\n'),
    );
    assert.ok(lines.includes("commitments: 1, each compared with the exchange's list"));
    assert.ok(lines.includes('the ledger is bound to no vault'));
  });

  test('a contract that answers every getter is not the vault', async (t) => {
    const { world } = await funded(t);
    const answersOne = '0x60016000526020600060003960206000f3';
    const address = `0x${'77'.repeat(20)}`;
    await world.chain.client.setCode({ address: address as Hex, bytecode: answersOne });
    await assert.rejects(look(world, { VENUE_VAULT_ADDRESS: address }), {
      name: 'ConfigError',
      message: /is not the vault of this release: code: /,
    });
  });

  test('80 of 100 that were stolen under cover of a withdrawal that waits, under a number of the thief’s own', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(80);
    const thief = world.operator;
    await commit(world, { id: 999n, account: thief.address, amount: 80_000_000n });
    await world.claim({ wallet: thief } as never);
    const seen = await look(world, OPERATOR);
    assert.equal(seen.holds, false);
    assert.match(
      faultsOf(seen).join(),
      /^FAIL committed under the number 999, which the ledger never gave: 80.00 to 0x/,
    );
    assert.equal((await look(world)).isKnown, false);
    await passAnHour(world);
    const later = await look(world);
    assert.deepEqual(
      [later.holds, faultsOf(later)],
      [false, ['FAIL committed over an hour ago and not noted: 80.00']],
    );
  });

  test('the same under the number of that withdrawal', async (t) => {
    const { world, alice } = await funded(t);
    await alice.venue.withdrawals.request(80);
    await commit(world, { id: 1n, account: world.operator.address, amount: 80_000_000n });
    const { holds, lines } = await look(world, OPERATOR);
    assert.equal(holds, false);
    assert.match(
      lines.join('\n'),
      new RegExp(`^FAIL payout 1 is for ${alice.address}, and committed was 80.00 to`, 'm'),
    );
  });

  test('an invented deposit of 900 that was paid out', async (t) => {
    const { world, alice } = await funded(t);
    for (let i = 0; i < 9; i++) await credit(world, alice, 100_000_000);
    const bob = await world.trader(3);
    const log = {
      txHash: `0x${'ab'.repeat(32)}`,
      logIndex: 7,
      blockNumber: 1,
      blockHash: `0x${'cd'.repeat(32)}`,
    };
    await world.custody.deposit({ address: bob.address, amount: 900_000_000, ...log });
    await bob.venue.withdrawals.request(900);
    const txHash = await commit(world, { id: 1n, account: bob.address, amount: 900_000_000n });
    await world.custody.commitPayouts({ ids: [1], txHash });
    await world.claim(bob);
    await world.trader(1);
    await give(world, 900_000_000n);
    const seen = await look(world);
    assert.equal(seen.holds, false);
    assert.ok(faultsOf(seen).includes('FAIL credited and never deposited: 900.00'), seen.lines.join('\n'));
    assert.match(
      faultsOf(await look(world, OPERATOR)).join('\n'),
      new RegExp(`^FAIL credited and not on the chain: ${log.txHash}:7 \\(900.00 of ${bob.address}\\)$`, 'm'),
    );
  });

  test('a house that will be short at settlement, by what it owes on the positions that it sold', async (t) => {
    const { world, alice } = await funded(t);
    await credit(world, alice, 20_000_000);
    const feed = world.venue.feed('feed-secret-feed-secret-feed-secret');
    await feed.prints([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    const { sid, seriesId } = await seriesAt(world, 90_000);
    const maker = world.venue.maker('maker-secret-maker-secret-maker-secret');
    const { session } = await maker.session('short');
    await maker.quotes(session, [[sid, [], [[55, 2]]]]);
    const order = await alice.venue.orders.place({ seriesId, side: 'buy', qty: 2, price: 55 });
    assert.equal(order.status, 'filled', JSON.stringify(order));
    const report = await look(world);
    assert.deepEqual(
      [report.holds, faultsOf(report)],
      [false, ['FAIL missing at settlement, if prices stay: 19889.45']],
    );
    await world.trader(1);
    await give(world, 19_889_450_000n);
    assert.deepEqual(faultsOf(await look(world)), []);
  });

  test('a deposit that nobody credited', async (t) => {
    const { world, alice } = await funded(t);
    const txHash = await world.deposit(alice, 7_000_000);
    assert.deepEqual(faultsOf(await look(world)), []);
    await passAnHour(world);
    assert.deepEqual(faultsOf(await look(world)), ['FAIL deposited over an hour ago and not credited: 7.00']);
    const { lines } = await look(world, OPERATOR);
    assert.match(
      lines.join('\n'),
      new RegExp(`^FAIL on the chain and not credited: ${txHash}:\\d+ \\(7.00`, 'm'),
    );
    const { logs } = await world.mined(txHash);
    const skip = { VENUE_WATCHER_SKIP: `${txHash}:${logs.at(-1)!.logIndex}` };
    assert.deepEqual(faultsOf(await look(world, { ...OPERATOR, ...skip })), []);
  });

  test('money that nobody deposited, which only operators can explain', async (t) => {
    const { world } = await funded(t);
    await world.trader(1);
    await give(world, 5_000_000n);
    const seen = await look(world);
    assert.deepEqual(faultsOf(seen), []);
    assert.ok(seen.lines.includes('sent to the vault and not deposited: 5.00'));
    assert.match(
      faultsOf(await look(world, OPERATOR))[0]!,
      /^FAIL the vault holds 5.00 more than its deposits/,
    );
    assert.deepEqual(faultsOf(await look(world, { ...OPERATOR, VENUE_VAULT_GIFTS: '5' })), []);
  });

  test('another vault than the one that the ledger is bound to', async (t) => {
    const { world } = await funded(t);
    const binding = { chainId: world.chain.chainId, vault: world.token, funder: null };
    const past = { paidBeforeUsd: 0, depositedBeforeUsd: 100 };
    const tokens = {
      token1: 'settle-secret-one-settle-secret-one',
      token2: 'settle-secret-two-settle-secret-two',
    };
    await world.custody.bind({ ...binding, ...past }, tokens);
    const { holds, lines } = await look(world);
    assert.equal(holds, false);
    assert.match(
      lines.join('\n'),
      new RegExp(`^FAIL the ledger is bound to the vault ${world.token} on chain`, 'm'),
    );
  });
});
