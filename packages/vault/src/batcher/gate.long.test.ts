// @process vault-batcher
// @seconds 18

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { accountAt } from '../../test/chain.ts';
import { startExchangeProxy } from '../../test/exchange-proxy.ts';
import { GATE, guardians } from '../../test/gate.ts';
import { credit, has, reached, restoredEmpty, statesOf } from '../../test/payouts.ts';
import { CONFIRMATIONS, eventually, type Trader, type World, worldOf } from '../../test/world.ts';
import { Chain } from '../chain/chain.ts';
import { Rpc } from '../chain/rpc.ts';
import { venueVaultAbi } from '../contract/abi.ts';
import { Vault } from '../events/vault.ts';
import { executeCall, proposeCall, vetoCall } from '../gate/calls.ts';
import { Gate } from '../gate/gate.ts';
import { gateStatus } from '../gate/status.ts';
import { roomsOf } from './gate-committer.ts';

/** A vault of 1,000 dollars behind a gate that lets ten through at once, a hundred within the hour. */
async function gated(t: TestContext): Promise<{ world: World; alice: Trader; gate: Gate }> {
  const terms = { ...GATE, freeMaxMicros: 10_000_000, capMaxMicros: 500_000_000 };
  const world = await worldOf(t, {}, {}, { ...terms, proposers: [PROPOSER, accountAt(SECOND).address] });
  const alice = await world.trader(20);
  await credit(world, alice, 1_000_000_000);
  const chain = new Chain(new Rpc({ url: world.chain.rpcUrl }));
  return { world, alice, gate: new Gate(chain, await new Vault(chain, world.vault).operator()) };
}

/** The batcher's key in these worlds: the first account of every local chain. */
const PROPOSER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** The account of another proposer. */
const SECOND = 4;

/** Waits until a transaction of the batcher was sent, confirmed and dealt with. */
async function settled(world: World, batcher: ReturnType<World['pay']>, which: number): Promise<void> {
  await reached(batcher, 'batch-sent', which);
  await world.confirm(CONFIRMATIONS);
  await reached(batcher, 'batch-closed', which);
}

async function later(world: World, seconds: number): Promise<void> {
  await world.chain.client.increaseTime({ seconds });
  await world.confirm(1);
}

async function send(world: World, gate: Gate, data: `0x${string}`, index: number): Promise<void> {
  const wallet = world.chain.wallet(world.chain.accounts[index]!);
  await world.mined(await wallet.sendTransaction({ to: gate.address, data }));
}

describe('CUS-15: the batcher before a gate', () => {
  test('what fits into the free allowance is committed by its proposal, and recorded', async (t) => {
    const { world, alice } = await gated(t);
    for (const amount of [4, 6]) await alice.venue.withdrawals.request(amount);
    const batcher = world.pay();
    await settled(world, batcher, 1);
    assert.deepEqual(await statesOf(alice), ['committed', 'committed']);
    assert.equal(await world.entitlement(alice), 10_000_000n);
    await has(batcher, /^proposing at the gate 0x/);
    await has(batcher, /^batch 0x\w{64}: proposes 2 payouts, 10\.00, nonce/);
  });

  test('a larger one waits an hour at the gate, and holds up neither smaller ones nor its own account', async (t) => {
    const { world, alice, gate } = await gated(t);
    for (const amount of [80, 7]) await alice.venue.withdrawals.request(amount);
    const batcher = world.pay();
    await settled(world, batcher, 1);
    assert.equal(await world.entitlement(alice), 7_000_000n);
    await settled(world, batcher, 2);
    await has(batcher, /^proposed: 1 payouts in 0x/);
    await eventually('the exchange says what it waits for', async () =>
      (await Array.fromAsync(world.custody.payouts())).some(
        ({ waits }) => waits === 'it is proposed at the gate, where guardians may veto it',
      ),
    );
    await later(world, GATE.shortDelaySeconds);
    await settled(world, batcher, 3);
    assert.deepEqual(await statesOf(alice), ['committed', 'committed']);
    assert.equal(await world.entitlement(alice), 87_000_000n);
    const { batches } = await gateStatus(gate, 1);
    assert.deepEqual(
      batches.map(({ state }) => state),
      ['committed', 'committed'],
    );
    assert.ok(!batcher.lines.some((line) => line.startsWith('ALARM')));
  });

  /** Two guardians vote against the newest batch. */
  async function veto(world: World, gate: Gate): Promise<string> {
    const { id } = (await gateStatus(gate, 1)).batches.at(-1)!;
    for (const { address } of guardians.slice(0, 2)) {
      const index = world.chain.accounts.findIndex((account) => account.address === address);
      await send(world, gate, vetoCall(id), index);
    }
    return id;
  }

  test('CUS-15: payouts of a vetoed batch are proposed again at once, each alone, so that the bad one is vetoed alone', async (t) => {
    const { world, alice, gate } = await gated(t);
    for (const amount of [21, 22, 23]) await alice.venue.withdrawals.request(amount);
    const batcher = world.pay();
    await settled(world, batcher, 1);
    await veto(world, gate);
    for (const which of [2, 3, 4]) await settled(world, batcher, which);
    const alone = (await gateStatus(gate, 1)).batches.slice(1);
    assert.deepEqual(
      alone.map(({ payouts, total }) => [payouts.length, total]),
      [
        [1, 21_000_000n],
        [1, 22_000_000n],
        [1, 23_000_000n],
      ],
    );
    // The last is the bad one.
    await veto(world, gate);
    await later(world, GATE.shortDelaySeconds);
    for (const which of [5, 6]) await settled(world, batcher, which);
    // The veto's own end may be counted before the second execution is recorded.
    await eventually(
      'two are committed',
      async () => (await statesOf(alice)).join() === 'committed,committed,requested',
    );
    await reached(
      batcher,
      'payouts-read',
      batcher.steps.filter((step) => step === 'payouts-read').length + 2,
    );
    assert.equal((await gateStatus(gate, 1)).batches.length, 4, 'it rests for a long delay');
    await later(world, GATE.longDelaySeconds);
    await settled(world, batcher, 7);
    assert.equal((await gateStatus(gate, 1)).batches.length, 5);
  });

  test('CUS-15: a batch that another proposer made dead is over at once, and its other payouts are proposed again', async (t) => {
    const { world, alice, gate } = await gated(t);
    for (const amount of [31, 32]) await alice.venue.withdrawals.request(amount);
    const batcher = world.pay();
    await settled(world, batcher, 1);
    const [both] = (await gateStatus(gate, 1)).batches;
    assert.equal(both!.payouts.length, 2);
    // A second proposer of the venue has the same payout alone, and is first.
    const twin = proposeCall(`0x${'07'.repeat(32)}`, [both!.payouts[0]!]);
    await send(world, gate, twin, SECOND);
    await later(world, GATE.shortDelaySeconds);
    await send(world, gate, executeCall(`0x${'07'.repeat(32)}`, [both!.payouts[0]!]), 23);
    await eventually('all are paid', async () => {
      await world.confirm(1);
      await world.chain.client.increaseTime({ seconds: 60 });
      return (await statesOf(alice)).every((state) => state === 'committed');
    });
    assert.equal(await world.entitlement(alice), 63_000_000n);
  });

  test('what guardians veto alone is not proposed again for a long delay, and the rest is paid', async (t) => {
    const { world, alice, gate } = await gated(t);
    await alice.venue.withdrawals.request(80);
    const batcher = world.pay();
    await settled(world, batcher, 1);
    const [batch] = (await gateStatus(gate, 1)).batches;
    for (const { address } of guardians.slice(0, 2)) {
      const index = world.chain.accounts.findIndex((account) => account.address === address);
      await send(world, gate, vetoCall(batch!.id), index);
    }
    await has(batcher, new RegExp(`^ALARM: guardians have vetoed ${batch!.id}: payouts 1, 80.00$`));
    await later(world, GATE.shortDelaySeconds);
    await alice.venue.withdrawals.request(5);
    await settled(world, batcher, 2);
    assert.deepEqual(await statesOf(alice), ['requested', 'committed']);
    assert.equal(await world.entitlement(alice), 5_000_000n);
    assert.equal((await gateStatus(gate, 1)).batches.length, 2);
  });

  test('a batch that a stranger executes is still recorded', async (t) => {
    const { world, alice, gate } = await gated(t);
    await alice.venue.withdrawals.request(80);
    const before = world.pay();
    await settled(world, before, 1);
    await before.stop();
    await later(world, GATE.shortDelaySeconds);
    const [batch] = (await gateStatus(gate, 1)).batches;
    await send(world, gate, executeCall(batch!.batchId, batch!.payouts), 23);
    await world.confirm(CONFIRMATIONS);
    const batcher = world.pay();
    await eventually('it is recorded', async () => (await statesOf(alice))[0] === 'committed');
    assert.ok(!batcher.lines.some((line) => line.startsWith('ALARM')));
    assert.equal((await world.committed()).length, 1);
  });

  test('a batcher that has lost its file proposes nothing twice, and executes what it had proposed', async (t) => {
    const { world, alice, gate } = await gated(t);
    await alice.venue.withdrawals.request(80);
    const before = world.pay();
    await settled(world, before, 1);
    await before.stop();
    rmSync(join(world.folder, 'batcher.json'));
    const batcher = world.pay();
    await reached(batcher, 'payouts-read', 3);
    assert.equal((await gateStatus(gate, 1)).batches.length, 1);
    await later(world, GATE.shortDelaySeconds);
    await settled(world, batcher, 1);
    assert.deepEqual(await statesOf(alice), ['committed']);
    assert.equal(await world.entitlement(alice), 80_000_000n);
  });

  test('a withdrawal that waits at the gate is not paid a second time under another number', async (t) => {
    const { world, alice, gate } = await gated(t);
    const proxy = await startExchangeProxy(t, world.exchange.url);
    await alice.venue.withdrawals.request(80);
    const before = world.pay({ VENUE_URL: proxy.url });
    await settled(world, before, 1);
    proxy.rewrite = (request, body) =>
      request === 'GET /v1/operator/payouts' && body.payouts.length > 0
        ? { payouts: [...body.payouts, { ...body.payouts[0], id: 9, payoutId: 9 }] }
        : body;
    await has(before, /^ALARM: left out: payout 9: its withdrawal was signed for payout 1/);
    await before.stop();
    rmSync(join(world.folder, 'batcher.json'));
    const batcher = world.pay({ VENUE_URL: proxy.url });
    await has(batcher, /^ALARM: left out: payout 9: its withdrawal was signed for payout 1/);
    assert.equal((await gateStatus(gate, 1)).batches.length, 1);
  });

  test('a batch that the vault refuses holds up none of those after it', async (t) => {
    const { world, alice, gate } = await gated(t);
    for (const amount of [90, 200]) await alice.venue.withdrawals.request(amount);
    const batcher = world.pay();
    await settled(world, batcher, 1);
    await settled(world, batcher, 2);
    await batcher.stop();
    // A thief with a proposer's key uses up the number of the first.
    const stolen = [{ id: 1n, account: alice.address, amount: 1n }] as const;
    await send(world, gate, proposeCall(`0x${'07'.repeat(32)}`, stolen), 0);
    rmSync(join(world.folder, 'batcher.json'));
    await later(world, GATE.longDelaySeconds);
    const again = world.pay();
    await has(again, /^ALARM: somebody used up the numbers of payouts 1 with other terms/);
    await eventually('the second is committed', async () => (await world.committed()).length === 2);
  });

  test('CUS-3, CUS-4: executes no batch with a payout that the exchange does not ask for', async (t) => {
    const { world, alice } = await gated(t);
    const bob = await world.trader(21);
    await credit(world, bob, 100_000_000);
    await alice.venue.withdrawals.request(80);
    const before = world.pay();
    await settled(world, before, 1);
    await before.stop();
    // The ledger is restored from a copy that has no withdrawal yet, and another one gets the next id.
    await restoredEmpty(t, world, [alice, bob]);
    for (const trader of [alice, bob]) await credit(world, trader, 100_000_000);
    await later(world, GATE.shortDelaySeconds);
    await bob.venue.withdrawals.request(90);
    const batcher = world.pay();
    await has(batcher, /^ALARM: batch 0x\w{64} is due .* payout 1 .* the exchange does not ask for/);
    await settled(world, batcher, 1);
    assert.deepEqual(await statesOf(bob), ['requested']);
    assert.deepEqual(await world.committed(), []);
  });

  test('a key that may not propose is refused at the start', async (t) => {
    const { world } = await gated(t);
    const stranger = world.chain.accounts[21]!;
    const error = await world.pay({ VENUE_VAULT_OPERATOR_KEY: stranger.privateKey }).dies();
    assert.match(error.message, /is the key of 0x\w{40}, which may not propose at 0x\w{40}, the gate before/);
    const operator = await world.chain.client.readContract({
      address: world.vault,
      abi: venueVaultAbi,
      functionName: 'operator',
    });
    assert.ok(error.message.includes(operator.toLowerCase()));
  });
});

test('CUS-15: what is proposed takes its room before it is committed', () => {
  const bounds = { freeMax: 10n, capMax: 120n } as Parameters<typeof roomsOf>[0]['bounds'];
  const usage = { free: 4n, short: 20n, all: 40n, uncommitted: 1_000n };
  const open = (...states: readonly (readonly [string, bigint])[]) =>
    states.map(([state, total]) => ({ state, total })) as unknown as Parameters<typeof roomsOf>[0]['open'];
  assert.deepEqual(roomsOf({ open: [], bounds, usage }), { free: 6n, short: 80n });
  assert.deepEqual(roomsOf({ open: open(['waits', 50n], ['due', 10n]), bounds, usage }), {
    free: 6n,
    short: 20n,
  });
  assert.deepEqual(roomsOf({ open: open(['waits', 77n]), bounds, usage }), { free: 3n, short: 3n });
});
