/** A ledger restored from an old copy: the runbook is carried out, and everybody is paid in the end (CUS-3, CUS-4). */

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { VenueClient } from '@venue/sdk';
import { runInProcess } from '../../packages/cli/test/in-process.ts';
import { type Exchange, loadConfig, startExchange } from '../../packages/exchange/src/index.ts';
import {
  EXCHANGE_ENV,
  eventually,
  OPERATOR_TOKEN,
  startWorld,
  type Trader,
  World,
} from '../../packages/vault/test/world.ts';

const USD = 1_000_000;
const EPOCH_SPAN = 2 ** 40;
const WHY = ['--reason', 'restored from the backup', '--yes'];

test('CUS-3, CUS-4: a ledger restored from an old copy pays everybody, and its reserves hold', {
  timeout: 240_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-restored-'));
  const log = join(folder, 'log.db');
  const open = (): Promise<Exchange> =>
    startExchange(loadConfig({ ...EXCHANGE_ENV, VENUE_LOG: `sqlite:${log}`, VENUE_HISTORY: 'off' }));
  const first = await startWorld();
  await first.exchange.stop();
  let world = new World({ ...first, exchange: await open() });
  t.after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true });
  });
  const files = (watcher: string) => ({
    VENUE_WATCHER_STATE: join(folder, watcher),
    VENUE_BATCHER_STATE: join(folder, 'batcher.json'),
  });
  /** The same wallet at the exchange that runs now. */
  const again = async (trader: Trader): Promise<Trader> => {
    const venue = new VenueClient({ url: world.exchange.url });
    await venue.auth.approveSession(trader.wallet);
    return { ...trader, venue };
  };
  const operator = (...words: string[]) => operatorOf(world.vault, words);
  const operatorOf = (vault: string, words: readonly string[]) =>
    runInProcess(['operator', ...words], {
      VENUE_URL: world.exchange.url,
      VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
      VENUE_SETTLE_TOKEN_1: EXCHANGE_ENV.VENUE_SETTLE_TOKEN_1!,
      VENUE_SETTLE_TOKEN_2: EXCHANGE_ENV.VENUE_SETTLE_TOKEN_2!,
      VENUE_RPC_URL: world.chain.rpcUrl,
      VENUE_VAULT_ADDRESS: vault,
    });
  const restart = async () => {
    await world.exchange.stop();
    world = new World({ ...world, chain: world.chain, exchange: await open() });
  };

  await t.test('a venue pays in and out, and is copied', async () => {
    const bound = await operator(
      'bind',
      '--chain-id',
      String(world.chain.chainId),
      '--vault',
      world.vault,
      '--yes',
    );
    assert.equal(bound.code, 0, bound.stderr);
  });
  let alice = await world.trader(2);
  let bob = await world.trader(3);
  const carol = await world.trader(4, { isKnown: false });
  let watcher = world.watch(files('watcher.json'));
  let batcher = world.pay(files('watcher.json'));
  const paid = (count: number) =>
    eventually(`${count} payouts are noted`, async () => {
      await world.confirm(1);
      const rows = await Array.fromAsync(world.custody.payouts({ state: 'committed' }));
      return rows.length === count;
    });
  await world.deposit(alice, 100 * USD);
  await world.deposit(bob, 100 * USD);
  await world.confirm();
  await world.hasCash(alice, 100 * USD);
  await world.hasCash(bob, 100 * USD);
  await alice.venue.withdrawals.request(10);
  await paid(1);
  await Promise.all([watcher.stop(), batcher.stop()]);
  await world.exchange.stop();
  copyFileSync(log, `${log}.copy`);
  world = new World({ ...world, chain: world.chain, exchange: await open() });
  [alice, bob] = [await again(alice), await again(bob)];

  // What the copy does not have: deposits of 50 and 60, payouts of 15, 20 and 5, and the account of dave.
  const dave = await world.trader(5);
  watcher = world.watch(files('watcher.json'));
  batcher = world.pay(files('watcher.json'));
  await world.deposit(carol, 50 * USD);
  await world.deposit(dave, 60 * USD);
  await world.confirm();
  await world.hasCash(dave, 60 * USD);
  await dave.venue.withdrawals.request(15);
  await paid(2);
  await alice.venue.withdrawals.request(20);
  await paid(3);
  await bob.venue.withdrawals.request(5);
  await paid(4);
  await Promise.all([watcher.stop(), batcher.stop()]);

  for (const ending of ['', '-wal', '-shm', '-head']) rmSync(`${log}${ending}`, { force: true });
  copyFileSync(`${log}.copy`, log);
  await restart();
  [alice, bob] = [await again(alice), await again(bob)];
  assert.equal((await Array.fromAsync(world.custody.payouts())).length, 1);

  await t.test('the batcher pays nothing on the old copy, and says so', async () => {
    const { id } = await alice.venue.withdrawals.request(7);
    assert.equal(id, 2, 'a number that the vault has seen');
    batcher = world.pay(files('watcher.json'));
    await eventually('an alarm', () => batcher.lines.some((line) => line.startsWith('ALARM')));
    await batcher.stop();
    assert.equal((await world.committed()).length, 4);
  });

  await t.test('the runbook is carried out', async () => {
    assert.equal((await operator('epoch', ...WHY)).stdout, 'the epoch is 1\n');
    watcher = world.watch(files('watcher-anew.json'));
    await eventually('the lost deposits are credited', async () => (await world.custody.held()).length === 2);
    await world.confirm(100);
    const elsewhere = await operatorOf(world.token, ['adopt', ...WHY]);
    assert.match(elsewhere.stderr, /only what its own vault has committed can be adopted/);
    const taken = await operator('adopt', ...WHY);
    assert.match(taken.stderr, /other terms under the numbers of withdrawals 2: void them first/);
    assert.equal((await operator('void', '2', ...WHY)).code, 0);
    const most = await operator('adopt', ...WHY);
    assert.match(
      most.stderr,
      new RegExp(`not adopted: 2 \\(${dave.address}: .*venue operator release <address>`),
    );
    assert.equal((await operator('release', dave.address, '--yes')).code, 0);
    const rest = await operator('adopt', ...WHY);
    assert.equal(rest.code, 0, rest.stderr);
    assert.equal(await world.cashMicros(await again(dave)), 45 * USD);
    assert.equal(await world.cashMicros(alice), 70 * USD);
    assert.equal(await world.cashMicros(bob), 95 * USD);
  });

  await t.test('everybody is paid, and the reserves hold', async () => {
    batcher = world.pay(files('watcher-anew.json'));
    await alice.venue.withdrawals.request(7);
    await bob.venue.withdrawals.request(95);
    await eventually('both are committed', async () => {
      await world.confirm(1);
      return (await world.committed()).length === 6;
    });
    const ids = (await world.committed()).map(({ id }) => id);
    assert.ok(
      ids.slice(4).every((id) => id > EPOCH_SPAN),
      ids.join(' '),
    );
    assert.equal(await world.entitlement(alice), BigInt(37 * USD));
    assert.equal(await world.entitlement(bob), BigInt(100 * USD));
    await paid(6);
    const head = Number(await world.chain.client.getBlockNumber());
    const { holds } = await world.reservesAt(head);
    assert.ok(holds);
    await Promise.all([watcher.stop(), batcher.stop()]);
  });
});
