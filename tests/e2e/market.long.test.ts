/** A newcomer's view of the market of `venue up`: two makers, a crowd, and a log that proves itself. */

// @seconds 25

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLog } from '@venue/audit';
import type { Chain, ChainLeg } from '@venue/sdk';
import { eventually, isAlive } from './launched.ts';
import { wholeMarket } from './whole-market.ts';

const market = wholeMarket();

async function chains(): Promise<Chain[]> {
  const { instruments } = await market.client.market.meta();
  const found: Chain[] = [];
  for (const { symbol } of instruments) {
    const expiries = new Set((await market.client.market.series(symbol)).map(({ expiryTs }) => expiryTs));
    for (const expiryTs of expiries) found.push(await market.client.market.chain(symbol, expiryTs));
  }
  return found;
}

const legsOf = (all: readonly Chain[]): ChainLeg[] =>
  all.flatMap(({ rows }) => rows.flatMap(({ call, put }) => [call, put])).filter((leg) => leg !== null);

test('QTS-1: a newcomer finds trades, open interest, greeks, and books of several owners that are not crossed', async () => {
  await market.launched.says(/\[maker-2\] quotes stand/);
  await market.launched.says(/\[crowd\] 24 traders/);
  const { instruments } = await market.client.market.meta();
  await eventually('trades', async () => {
    const tapes = await Promise.all(instruments.map(({ symbol }) => market.client.market.tape(symbol)));
    return tapes.reduce((sum, { fills }) => sum + fills.length, 0) >= 10;
  });
  const legs = legsOf(await chains());
  assert.ok(legs.reduce((sum, { openInterest }) => sum + openInterest, 0) > 0);
  const quoted = legs.filter(({ bid, ask }) => bid !== null && ask !== null);
  assert.ok(quoted.length > 2_000, `${quoted.length} of ${legs.length} have both sides`);
  for (const { seriesId, bid, ask } of quoted) assert.ok(bid!.price < ask!.price, `${seriesId} is crossed`);
  assert.ok(quoted.filter(({ iv, delta }) => iv > 0 && delta !== 0).length > 0.9 * quoted.length);
  const { seriesId } = quoted.find(({ delta }) => Math.abs(delta - 0.5) < 0.1)!;
  const { bids, asks } = await market.client.market.book(seriesId);
  assert.ok(bids.length >= 3 && asks.length >= 3, 'levels of both makers');
});

test('LOG-5: after a stop the log proves itself, and nothing is left running', async () => {
  const { launched, path } = market;
  const pids = launched.descendants();
  launched.process.kill('SIGTERM');
  assert.equal(await launched.exits(), 0);
  assert.deepEqual([...pids.keys()].sort(), ['crowd', 'exchange', 'feed', 'maker']);
  for (const [word, pid] of pids) assert.equal(isAlive(pid), false, `${word} still runs`);
  const { facts } = await verifyLog({ log: `sqlite:${path}` });
  assert.equal(facts.fault, null);
});
