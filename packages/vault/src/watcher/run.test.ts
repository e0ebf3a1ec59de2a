// @process vault
// @seconds 8

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadConfig, startExchange } from '@venue/exchange';
import { openMemoryLog } from '@venue/log';
import { VenueClient } from '@venue/sdk';
import { CONFIRMATIONS, EXCHANGE_ENV, eventually, OPERATOR_TOKEN, worldOf } from '../../test/world.ts';

const N = CONFIRMATIONS;

describe('watcher', () => {
  test('DEP-1: a deposit is credited once, when it is confirmed, whatever happens to watcher and file', async (t) => {
    const world = await worldOf(t);
    const alice = await world.trader(2);
    const first = world.watch();
    await world.deposit(alice, 12_500_000);
    await world.confirm(N - 1);
    await eventually('the block before is read', () => first.lines.some((line) => /block 4/.test(line)));
    assert.equal(await world.cashMicros(alice), 0);
    await world.confirm(1);
    await world.hasCash(alice, 12_500_000);
    assert.equal(await first.stop(), undefined);

    await world.deposit(alice, 1);
    await world.confirm();
    const second = world.watch();
    await world.hasCash(alice, 12_500_001);
    await second.stop();
    assert.equal(second.steps.filter((step) => step === 'deposit-told').length, 1);

    rmSync(join(world.folder, 'watcher.json'));
    const third = world.watch();
    await eventually('all is read again', () => third.lines.some((line) => /following/.test(line)));
    assert.equal(third.steps.filter((step) => step === 'deposit-told').length, 2);
    assert.equal(await world.cashMicros(alice), 12_500_001);
  });

  test('DEP-2: a deposit of a stranger is held, and the line says so', async (t) => {
    const world = await worldOf(t);
    const stranger = await world.trader(3, { isKnown: false });
    await world.deposit(stranger, 7_000_000);
    await world.confirm();
    const { lines } = world.watch();
    await eventually('it is held', () => lines.some((line) => line.startsWith('held: 7.00 of')));
    assert.deepEqual(await world.custody.held(), [{ address: stranger.address, amountUsd: 7, deposits: 1 }]);
  });

  test('a wrong token, blocks that the chain does not have yet, and a first block behind the deployment are refused in one line', async (t) => {
    const world = await worldOf(t);
    const token = await world.watch({ VENUE_TOKEN_ADDRESS: world.vault }).dies();
    assert.match(token.message, /^VENUE_TOKEN_ADDRESS is 0x\w+, but the vault 0x\w+ holds the token 0x\w+$/);
    const early = await world.watch({ VENUE_VAULT_FROM_BLOCK: '5000' }).dies();
    assert.match(early.message, /^VENUE_VAULT_FROM_BLOCK is block 5000, above the head \d+ of the chain/);
    await world.confirm(20);
    const late = await world.watch({ VENUE_VAULT_FROM_BLOCK: '3' }).dies();
    assert.match(
      late.message,
      /^VENUE_VAULT_FROM_BLOCK is 3, but the vault 0x\w+ was there before: deposits would be lost; take blockNumber/,
    );
    const watcher = world.watch();
    await eventually('it follows', () => watcher.lines.some((line) => /following/.test(line)));
    assert.ok(watcher.lines.includes(`token ${world.token}`));
    assert.ok(watcher.lines.includes(`operator ${world.operator.address.toLowerCase()}`));
    await watcher.stop();
    const path = join(world.folder, 'watcher.json');
    const state = JSON.parse(readFileSync(path, 'utf8'));
    const ahead = { ...state, blockNumber: 5_000, recent: [{ ...state.recent.at(-1), number: 5_000 }] };
    writeFileSync(path, JSON.stringify(ahead));
    assert.match(
      (await world.watch().dies()).message,
      /^the state file .* is block 5000, above the head \d+/,
    );
    assert.deepEqual(
      [token, early].map(({ name }) => name),
      ['ConfigError', 'ConfigError'],
    );
  });

  test('two watchers on one file credit each deposit once, and neither exits', async (t) => {
    const world = await worldOf(t);
    const alice = await world.trader(2);
    const [first, second] = [world.watch(), world.watch()];
    for (let i = 0; i < 4; i++) {
      await world.deposit(alice, 1_000_000);
      await world.confirm();
    }
    await world.hasCash(alice, 4_000_000);
    assert.deepEqual([await first.stop(), await second.stop()], [undefined, undefined]);
  });

  test('an exchange that is down is waited for', async (t) => {
    const world = await worldOf(t);
    const port = String(20_000 + Math.floor(Math.random() * 10_000));
    const alice = await world.trader(2);
    const { lines } = world.watch({ VENUE_URL: `http://127.0.0.1:${port}` });
    await eventually('it waits', () =>
      lines.some((line) => /^cannot go on, trying again: no answer/.test(line)),
    );
    await world.deposit(alice, 3_000_000);
    await world.confirm();
    const config = loadConfig({ ...EXCHANGE_ENV, VENUE_PORT: port });
    const exchange = await startExchange(config, { log: await openMemoryLog() });
    t.after(() => exchange.stop());
    const custody = new VenueClient({ url: exchange.url }).custody(OPERATOR_TOKEN);
    await eventually('it is held there', async () => (await custody.held())[0]?.amountUsd === 3);
    await eventually('it says so', () => lines.includes('going on'));
  });
});

describe('watcher and reorgs', () => {
  test(`${N - 1} blocks deep: an unconfirmed deposit is credited where it ends up, or never`, async (t) => {
    const world = await worldOf(t);
    const [alice, bob] = [await world.trader(2), await world.trader(3)];
    const watcher = world.watch();
    const moved = await world.signedDeposit(alice, 5_000_000);
    const dropped = await world.signedDeposit(bob, 6_000_000);
    await world.send(moved);
    await world.send(dropped);
    await world.chain.reorg(N - 1, [[moved, 1]]);
    await world.confirm(N + 2);
    await world.hasCash(alice, 5_000_000);
    assert.equal(await world.cashMicros(bob), 0);
    assert.equal(await watcher.stop(), undefined);
    assert.ok(!watcher.lines.some((line) => /ALARM|WARNING/.test(line)));
  });

  test(`${N + 1} blocks deep: a credited deposit that is gone stops it with an alarm, until it is dealt with`, async (t) => {
    const world = await worldOf(t);
    const alice = await world.trader(2);
    const watcher = world.watch();
    const txHash = await world.deposit(alice, 5_000_000);
    await world.confirm(N);
    await world.hasCash(alice, 5_000_000);
    await world.chain.reorg(N + 1);
    await eventually('it says so at once', () => watcher.lines.some((line) => line.startsWith('ALARM: ')));
    await world.confirm(N + 1);
    const error = await watcher.dies();
    assert.match(error.message, /deeper than the confirmations took deposits .* off the chain/);
    const alarm = watcher.lines.findLast((line) => line.startsWith('ALARM: '))!;
    assert.ok(alarm.includes(txHash) && alarm.includes('5.00'), alarm);

    const again = world.watch();
    assert.equal((await again.dies()).name, 'AlarmError');
    const logIndex = new RegExp(`${txHash}:(\\d+)`).exec(alarm)?.[1];
    const resolved = world.watch({ VENUE_WATCHER_SKIP: `${txHash}:${logIndex}` });
    await world.deposit(alice, 1_000_000);
    await world.confirm();
    await world.hasCash(alice, 6_000_000);
    assert.equal(await resolved.stop(), undefined);
  });

  test(`${N + 1} blocks deep: a credited deposit in another block is not credited again`, async (t) => {
    const world = await worldOf(t);
    const alice = await world.trader(2);
    const watcher = world.watch();
    const signed = await world.signedDeposit(alice, 5_000_000);
    await world.send(signed);
    await world.confirm(N);
    await world.hasCash(alice, 5_000_000);
    await world.chain.reorg(N + 1, [[signed, 2]]);
    await world.confirm(N + 1);
    await eventually('it is found', () => watcher.lines.some((line) => /^found again .* 5.00 of/.test(line)));
    await world.deposit(alice, 1_000_000);
    await world.confirm();
    await world.hasCash(alice, 6_000_000);
    assert.equal(await watcher.stop(), undefined);
  });

  test(`${N + 1} blocks deep: a credited deposit at another index in its block is an alarm`, async (t) => {
    const world = await worldOf(t);
    const [alice, bob] = [await world.trader(2), await world.trader(3)];
    const watcher = world.watch();
    const signed = await world.signedDeposit(alice, 5_000_000);
    const before = await world.signedDeposit(bob, 1_000_000);
    await world.send(signed);
    await world.confirm(N);
    await world.hasCash(alice, 5_000_000);
    await world.chain.reorg(N + 1, [
      [before, 0],
      [signed, 0],
    ]);
    await world.confirm(N + 1);
    const error = await watcher.dies();
    assert.match(
      error.message,
      /a reorg moved the credited deposit \S+ of 5.00 .* name both in VENUE_WATCHER_SKIP/,
    );
    assert.equal(await world.cashMicros(bob), 0, 'nothing of that block is told before it is judged');
    const keys = [...(error.message.matchAll(/0x[0-9a-f]{64}:\d+/g) ?? [])].join(',');
    const resolved = world.watch({ VENUE_WATCHER_SKIP: keys });
    await world.hasCash(bob, 1_000_000);
    assert.equal(await world.cashMicros(alice), 5_000_000);
    assert.equal(await resolved.stop(), undefined);
  });
});

describe('watcher and contradictions', () => {
  test('DEP-1: a conflict at the exchange stops it with an alarm', async (t) => {
    const world = await worldOf(t);
    const alice = await world.trader(2);
    const txHash = await world.deposit(alice, 5_000_000);
    const receipt = await world.mined(txHash);
    const { logIndex, blockHash, blockNumber } = receipt.logs.at(-1)!;
    const reported = {
      address: alice.address,
      amount: 4,
      txHash,
      logIndex,
      blockHash,
      blockNumber: Number(blockNumber),
    };
    await world.custody.deposit(reported);
    await world.confirm();
    const watcher = world.watch();
    assert.match(
      (await watcher.dies()).message,
      new RegExp(`5.00 of .* ${txHash}:${logIndex} .* 409: deposit conflict`),
    );
    assert.ok(watcher.lines.some((line) => line.startsWith('ALARM: ')));
    assert.equal(await world.cashMicros(alice), 4);
  });

  test('deposits that the ledger cannot hold are an alarm, and keep nobody waiting, until they are skipped', async (t) => {
    const world = await worldOf(t);
    const alice = await world.trader(2);
    const beyond = await world.deposit(alice, 2n ** 53n);
    await world.deposit(alice, 2n ** 53n - 1n);
    await world.deposit(alice, 7);
    const tooMuch = await world.deposit(alice, 2n ** 53n - 1n);
    await world.confirm();
    const watcher = world.watch();
    await eventually('the others are credited', () => watcher.lines.some((line) => /following/.test(line)));
    const told = watcher.lines.find((line) => line.startsWith('ALARM: not credited')) ?? assert.fail();
    assert.match(
      told,
      new RegExp(
        `VENUE_WATCHER_SKIP: ${beyond}:1 \\(9007199254.740992 of ${alice.address}\\): more than the exchange can count; ` +
          `.*${tooMuch}:1 .*: the deposit exceeds what the ledger can hold$`,
      ),
    );
    await watcher.stop();
    const again = world.watch();
    await eventually('it is said again', () => again.lines.includes(told));
    await again.stop();
    const { untaken } = JSON.parse(readFileSync(join(world.folder, 'watcher.json'), 'utf8'));
    const skip = untaken.map((one: { txHash: string; logIndex: number }) => `${one.txHash}:${one.logIndex}`);
    const quiet = world.watch({ VENUE_WATCHER_SKIP: skip.join() });
    await eventually('it follows', () => quiet.lines.some((line) => /following/.test(line)));
    assert.ok(!quiet.lines.some((line) => line.startsWith('ALARM')), quiet.lines.join('\n'));
  });

  test('a head that stands still is an alarm until it moves', async (t) => {
    const world = await worldOf(t);
    const watcher = world.watch({ VENUE_HEAD_STILL_MINUTES: '0' });
    await eventually('it is said', () =>
      watcher.lines.some((line) => /^ALARM: the chain has had no block above \d+ for 0 minutes$/.test(line)),
    );
    await world.confirm(1);
    await eventually('it is over', () => watcher.lines.includes('the head moves again'));
  });

  test('a start that cannot succeed is refused in one line', async (t) => {
    const world = await worldOf(t);
    const refusals: [Record<string, string>, RegExp][] = [
      [{ VENUE_CHAIN_ID: '5' }, /^VENUE_CHAIN_ID is 5, but the RPC at 127.0.0.1:\d+ is of chain 31337$/],
      [{ VENUE_VAULT_ADDRESS: `0x${'12'.repeat(20)}` }, /no contract at 0x1212/],
      [
        { VENUE_OPERATOR_TOKEN: 'x'.repeat(40) },
        /^VENUE_OPERATOR_TOKEN: the exchange answers wrong credential$/,
      ],
    ];
    for (const [env, message] of refusals) {
      const error = await world.watch(env).dies();
      assert.equal(error.name, 'ConfigError');
      assert.match(error.message, message);
    }
    const paper = await startExchange(loadConfig({ VENUE_PORT: '0', VENUE_LOG_LEVEL: 'silent' }), {
      log: await openMemoryLog(),
    });
    t.after(() => paper.stop());
    assert.match((await world.watch({ VENUE_URL: paper.url }).dies()).message, /is in paper mode/);
  });

  test('CUS-21: a state file of another chain with the same number and addresses is refused', async (t) => {
    const here = await worldOf(t);
    const there = await worldOf(t, { args: ['--timestamp', '1700000000'] });
    assert.equal(here.vault, there.vault);
    const path = join(here.folder, 'watcher.json');
    for (const world of [here, there]) {
      await world.confirm();
      const watcher = world.watch();
      await eventually('there is a file', () => watcher.steps.includes('cursor-written'));
      await watcher.stop();
    }
    const foreign = JSON.parse(readFileSync(join(there.folder, 'watcher.json'), 'utf8'));
    for (const content of [foreign, { ...foreign, anchor: null }]) {
      writeFileSync(path, JSON.stringify(content));
      const error = await here.watch().dies();
      assert.match(
        error.message,
        /^the state file .* is of another chain of the same number: .* its block \d+ with/,
      );
      assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), content);
    }
    const empty = {
      chainId: here.chain.chainId,
      vault: here.vault,
      operator: here.operator.address.toLowerCase(),
    };
    const batches = { anchor: foreign.anchor, nextNonce: 1, open: null, closed: [], paid: [], flows: null };
    writeFileSync(join(here.folder, 'batcher.json'), JSON.stringify({ ...empty, ...batches }));
    assert.match((await here.pay().dies()).message, /batcher.json cannot be used: it is of another chain/);
    rmSync(path);
    const watcher = here.watch();
    await eventually('it follows', () => watcher.lines.some((line) => /following/.test(line)));
  });

  test('a damaged state file, or one of another vault, is refused, and left unchanged', async (t) => {
    const world = await worldOf(t);
    const path = join(world.folder, 'watcher.json');
    await world.confirm();
    const watcher = world.watch();
    await eventually('there is one', () => watcher.steps.includes('cursor-written'));
    await watcher.stop();
    const good = readFileSync(path, 'utf8');
    const contents: [string, RegExp][] = [
      [good.slice(0, -20), /watcher.json cannot be used: it is no JSON; restore it/],
      ['{}', /not a watcher state file; restore it from a copy, or move it away/],
      [good.replace(world.vault, `0x${'34'.repeat(20)}`), /it is of vault 0x3434.* name another file/],
    ];
    for (const [content, message] of contents) {
      writeFileSync(path, content);
      assert.match((await world.watch().dies()).message, message);
      assert.equal(readFileSync(path, 'utf8'), content);
    }
  });
});
