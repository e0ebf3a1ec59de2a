// @seconds 14

import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { keccak256, toHex } from 'viem';
import { openSession } from '../../exchange/test/support.ts';
import { microsOf, usdText } from '../../vault/src/chain/amounts.ts';
import { accountAt } from '../../vault/test/chain.ts';
import { GATE } from '../../vault/test/gate.ts';
import { EXCHANGE_ENV } from '../../vault/test/world.ts';
import { GateWorld, says, until } from '../test/gate-world.ts';

describe('CUS-3, CUS-18 a log that operators restored', () => {
  test('is proven from its first entry by the checker that runs, once its epoch is raised', async (t) => {
    const world = await GateWorld.start();
    t.after(() => world.stop());
    const path = world.copy.slice('sqlite:'.length);
    const kept = join(world.folder, 'kept.db');
    await world.exchange.stop();
    copyFileSync(path, kept);
    await world.startExchange();
    await world.checked(async (lines) => {
      const lost = await world.propose(await world.withdraw(150));
      await until(says(lines, new RegExp(`batch ${lost} follows`)), lines);
      await world.exchange.stop();
      copyFileSync(kept, path);
      // An operator confirms that the end of the log is lost.
      rmSync(`${path}-head`, { force: true });
      await world.startExchange();
      await until(says(lines, /ALARM: the copy of the log is not proven/), lines);
      world.epoch += 1;
      await world.operate('epoch', { epoch: world.epoch });
      await until(
        says(lines, /going on with the log of epoch 1, which was proven from its first entry/),
        lines,
      );
      const again = await world.propose(await world.withdraw(160));
      await until(says(lines, new RegExp(`batch ${again} follows`)), lines);
      assert.equal(await world.isOpposed(again), false);
    });
  });
});

describe('CUS-1, CUS-18 deposits of earlier vaults', () => {
  test('a reversed one makes no room for an invented one, under any key', async (t) => {
    const world = await GateWorld.start();
    t.after(() => world.stop());
    const old = { txHash: keccak256(toHex('earlier vault')), logIndex: 0, blockNumber: 1 };
    const log = { ...old, blockHash: old.txHash };
    await world.report(4_000_000_000, log);
    await world.bind({ depositedBeforeUsd: 14_000 });
    await world.checked(async (lines) => {
      const right = await world.propose(await world.withdraw(150));
      await until(says(lines, new RegExp(`batch ${right} follows`)), lines);
      await world.operate('deposits/hold', { txHash: old.txHash, logIndex: 0 });
      await world.operate('deposits/reverse', { txHash: old.txHash, logIndex: 0 });
      await world.report(4_000_000_000, { ...log, ...world.place });
      await until(
        says(lines, /ALARM: the log credits deposits of 4000.00 that the chain does not show/),
        lines,
      );
    });
  });
});

describe('CUS-8, CUS-18 gains that house and maker were not funded for', () => {
  test('wait for a person, while everybody gets back what they paid in', async (t) => {
    const world = await GateWorld.start({ env: { VENUE_HOUSE_LINE: '1000000000' } });
    t.after(() => world.stop());
    const thief = await openSession(world.venue, accountAt(13));
    await world.paidIn(500n, accountAt(13));
    await world.trade({ seller: world.alice, buyer: thief });
    const { seriesId } = await world.venue.listed('BTC');
    const maker = { 'x-maker-token': EXCHANGE_ENV.VENUE_MAKER_TOKEN! };
    const { body: opened } = await world.venue.post(
      '/v1/maker/session',
      { attemptId: 'a' },
      { headers: maker },
    );
    const quotes = [{ seriesId, bids: [[60_000, 10]], asks: [], iv: 0.5, delta: 0.5 }];
    const headers = { ...maker, 'x-quote-session': String(opened.session) };
    const pushed = await world.venue.post('/v1/maker/quotes', { quotes }, { headers });
    assert.equal(pushed.body.errors, 0, JSON.stringify(pushed.body));
    const order = await thief.order({ seriesId, side: 'sell', qty: 0.001, price: 60_000 });
    const sold = await world.venue.post('/v1/order', order);
    assert.equal(sold.body.status, 'filled', JSON.stringify(sold.body));
    const { body } = await world.venue.post('/v1/withdraw', await thief.withdraw(510));
    const payout = { id: BigInt(body.id), account: thief.account, amount: 510_000_000n };
    await world.checked(async (lines) => {
      const { houseCashUsd, uncollectibleUsd } = (await world.venue.get('/v1/reserves')).body;
      const beyond = usdText(microsOf(uncollectibleUsd) - microsOf(houseCashUsd));
      const lost = `ALARM: house and maker have lost ${beyond} more than they were funded with`;
      await until(() => lines.some((line) => line.startsWith(lost)), lines);
      const gained = await world.propose(payout);
      const own = await world.propose(await world.withdraw(120));
      await until(says(lines, new RegExp(`batch ${own} follows`)), lines);
      await world.later(GATE.shortDelaySeconds / 2 + 1);
      await until(() => world.isOpposed(gained), lines);
      assert.equal(await world.isOpposed(own), false);
    });
    await world.checked(
      async (lines) => {
        const named = await world.propose(payout);
        await until(says(lines, new RegExp(`batch ${named} follows`)), lines);
      },
      { env: { VENUE_CHECKER_SEEN: `payout:${payout.id}` } },
    );
  });
});
