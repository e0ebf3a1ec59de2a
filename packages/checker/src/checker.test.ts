import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { parseAddress } from '@venue/protocol';
import { keccak256, toHex } from 'viem';
import { tamper } from '../../exchange/test/signed-log.ts';
import { openSession } from '../../exchange/test/support.ts';
import { accountAt } from '../../vault/test/chain.ts';
import { GATE, proposers } from '../../vault/test/gate.ts';
import { GateWorld, OPERATOR, says, until } from '../test/gate-world.ts';
import { loadCheckerConfig } from './config.ts';
import { runChecker } from './run.ts';

const thief = parseAddress(accountAt(9).address)!;

let world: GateWorld;

before(async () => {
  world = await GateWorld.start();
});
after(() => world.stop());

describe('CUS-18 the checker', () => {
  test('lets through what follows from the log, and vetoes another account, amount or number', async () => {
    const payout = await world.withdraw(900);
    await world.checked(async (lines) => {
      const right = await world.propose(payout);
      await until(says(lines, new RegExp(`batch ${right} follows: 1 payouts, 900`)), lines);
      const stolen = await world.propose({ ...payout, account: thief });
      await until(() => world.isOpposed(stolen), lines);
      assert.ok(says(lines, /ALARM: .* is owed to 0x.*, not to 0x/)(), lines.join('\n'));
      const more = await world.propose({ ...payout, amount: payout.amount + 1n });
      await until(() => world.isOpposed(more), lines);
      // Paid in part, the rest would never be owed again.
      const less = await world.propose({ ...payout, amount: payout.amount - 1n });
      await until(() => world.isOpposed(less), lines);
      const twoInOne = await world.propose(payout, { ...payout, id: 77n });
      assert.equal(await world.isOpposed(twoInOne), false, 'the copy may lag behind');
      await world.later(GATE.shortDelaySeconds / 2 + 1);
      await until(() => world.isOpposed(twoInOne), lines);
      assert.equal(await world.isOpposed(right), false);
    });
  });

  test('started again, does not vote twice, and pauses the gate for what it saw too late', async () => {
    await world.checked(async (lines) => {
      await until(says(lines, /follows: 1 payouts, 900/), lines);
      const payout = await world.withdraw(50);
      const taken = await world.propose({ ...payout, account: thief });
      const told = new RegExp(`ALARM: batch ${taken} of 50.00 is committed and does not follow, pausing`);
      await until(says(lines, told), lines);
      const { timestamp } = await world.chain.client.getBlock();
      await until(async () => (await world.gate.pausedUntil()) > Number(timestamp), lines);
      assert.deepEqual(
        lines.filter((line) => line.includes('vetoing')),
        [],
      );
    });
  });

  test('vetoes everything while the log credits what the chain does not show', async () => {
    await world.later(2 * GATE.longDelaySeconds);
    const txHash = keccak256(toHex('invented'));
    await world.checked(async (lines) => {
      await world.report(500_000_000, { txHash, logIndex: 0, blockNumber: 1, blockHash: txHash });
      await until(
        says(lines, /ALARM: the log credits deposits of 500.00 that the chain does not show/),
        lines,
      );
      const id = await world.propose(await world.withdraw(300));
      await until(() => world.isOpposed(id), lines);
      const reason = 'no server shows this log';
      await world.venue.post('/v1/operator/deposits/hold', { txHash, logIndex: 0, reason }, OPERATOR);
      await until(says(lines, /going on: the log and the deposits agree again/), lines);
      const next = await world.propose(await world.withdraw(200));
      await until(says(lines, new RegExp(`batch ${next} follows`)), lines);
    });
  });

  test('vetoes what it let through, once the deposit behind it turns out to be invented', async () => {
    const txHash = keccak256(toHex('not final'));
    await world.checked(async (lines) => {
      const id = await world.propose(await world.withdraw(300));
      await until(says(lines, new RegExp(`batch ${id} follows`)), lines);
      // The newest block, which is not final: one above it would be invented at once.
      const blockNumber = Number(await world.chain.client.getBlockNumber());
      await world.report(400_000_000, { txHash, logIndex: 0, blockNumber, blockHash: txHash });
      await world.chain.client.mine({ blocks: 1 });
      await until(() => world.isOpposed(id), lines);
      await world.operate('deposits/hold', { txHash, logIndex: 0 });
    });
  });

  test('vetoes everything while the log gives back a payout that the vault has committed', async () => {
    await world.later(2 * GATE.longDelaySeconds);
    const payout = await world.withdraw(90);
    await world.propose(payout);
    await world.chain.client.mine({ blocks: 1 });
    await world.checked(async (lines) => {
      await until(says(lines, /follows: 1 payouts, 90/), lines);
      await world.operate('payouts/void', { id: Number(payout.id) });
      const again = await world.propose(await world.withdraw(350));
      await until(says(lines, new RegExp(`ALARM: the log gives back payout ${payout.id}`)), lines);
      await until(() => world.isOpposed(again), lines);
      world.epoch += 1;
      await world.operate('epoch', { epoch: world.epoch });
      const lost = { payoutId: Number(payout.id), address: payout.account, amountUsd: 90 };
      await world.operate('payouts/adopt', { ...lost, txHash: keccak256(toHex('commit')) });
      await until(says(lines, /going on/), lines);
    });
  });

  test('CUS-1: believes the first binding to its vault, and no funder that takes what others paid in', async () => {
    const place = { chainId: world.chain.chainId, vault: world.addresses.vault };
    const txHash = keccak256(toHex('between two bindings'));
    const funder = accountAt(2);
    await world.checked(async (lines) => {
      await world.bind({ funder: funder.address });
      await world.paidIn(1_000n, funder, place);
      await world.bind({ funder: thief });
      const stolen = await world.propose(
        await world.withdraw(400, await openSession(world.venue, accountAt(9))),
      );
      await until(says(lines, new RegExp(`batch ${stolen} .* more out of the house than ${thief}`)), lines);
      await world.report(700_000_000, { ...place, txHash, logIndex: 0, blockNumber: 1, blockHash: txHash });
      await until(says(lines, /ALARM: the log credits deposits of 700.00/), lines);
      const { body } = await world.venue.get('/v1/reserves');
      const paidBeforeUsd = body.committedWithdrawalsUsd;
      const past = { paidBeforeUsd, depositedBeforeUsd: body.depositedUsd };
      await world.bind({ vault: `0x${'ee'.repeat(20)}`, ...past });
      await world.bind(past);
      const id = await world.propose(await world.withdraw(310));
      await until(() => world.isOpposed(id), lines);
      await world.operate('deposits/hold', { txHash, logIndex: 0 });
    });
  });

  test('vetoes everything while its copy of the log is not the one that was signed and hashed', async () => {
    await world.later(2 * GATE.longDelaySeconds);
    const payout = await world.withdraw(250);
    const path = join(world.folder, 'falsified.db');
    const db = new DatabaseSync(world.copy.slice('sqlite:'.length));
    db.prepare('VACUUM INTO ?').run(path);
    db.close();
    const change = `UPDATE log SET body = replace(body, ?, ?) WHERE kind = 'withdraw'`;
    tamper(path, change, '"amountMicros":250000000', '"amountMicros":950000000');
    await world.checked(
      async (lines) => {
        await until(says(lines, /ALARM: the copy of the log is not proven: .* is damaged/), lines);
        const id = await world.propose(payout);
        await until(() => world.isOpposed(id), lines);
      },
      { log: `sqlite:${path}` },
    );
  });

  test('does not start without the key of a guardian', async () => {
    const config = loadCheckerConfig({
      VENUE_CHECKER_LOG: world.copy,
      VENUE_VAULT_DEPLOYMENT: world.file,
      VENUE_RPC_URL: world.chain.rpcUrl,
      VENUE_RPC_SINGLE: '1',
      VENUE_GUARDIAN_KEY: proposers[0].privateKey,
    });
    await assert.rejects(
      runChecker({ config, signal: new AbortController().signal, log: () => {} }),
      /is not that of a guardian of the gate/,
    );
  });
});
