/** What a newcomer finds in the market of `venue up`: two makers, a crowd, and a log that stays small. */

// @seconds 84

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyLog } from '@venue/audit';
import { type Chain, type ChainLeg, VenueClient } from '@venue/sdk';
import { eventually, isAlive, Launched, QUOTES_STAND } from './launched.ts';

const DAY_S = 86_400;
const BUDGET_BYTES = 300e6;
/** Beside its body an entry in a batch of its own takes about this much of the file. */
const ENTRY_BYTES = 250;
/** The start of makers and crowd is no day's average. */
const [SETTLE_MS, WINDOW_MS] = [20_000, 40_000];
/** Prices move in bursts: over one window the log can grow twice as fast as on average. */
const WINDOWS_MAX = 3;

const folder = mkdtempSync(join(tmpdir(), 'venue-market-'));
const path = join(folder, 'venue.db');
let market: Launched;
let client: VenueClient;

before(async () => {
  const env = {
    VENUE_PORT: '0',
    VENUE_LOG: `sqlite:${path}`,
    VENUE_CROWD_SEED: '1',
    VENUE_CROWD_PACE_MS: '500',
  };
  market = new Launched(['up'], { env });
  const [, url] = await market.says(/exchange listening on (\S+)/);
  client = new VenueClient({ url: url! });
  await market.says(QUOTES_STAND);
});

after(() => {
  market?.end();
  rmSync(folder, { recursive: true, force: true });
});

async function chains(): Promise<Chain[]> {
  const { instruments } = await client.market.meta();
  const found: Chain[] = [];
  for (const { symbol } of instruments) {
    const expiries = new Set((await client.market.series(symbol)).map(({ expiryTs }) => expiryTs));
    for (const expiryTs of expiries) found.push(await client.market.chain(symbol, expiryTs));
  }
  return found;
}

const legsOf = (all: readonly Chain[]): ChainLeg[] =>
  all.flatMap(({ rows }) => rows.flatMap(({ call, put }) => [call, put])).filter((leg) => leg !== null);

test('QTS-1: a newcomer finds trades, open interest, greeks, and books of several owners that are not crossed', async () => {
  await market.says(/\[maker-2\] quotes stand/);
  await market.says(/\[crowd\] 24 traders/);
  const { instruments } = await client.market.meta();
  await eventually('trades', async () => {
    const tapes = await Promise.all(instruments.map(({ symbol }) => client.market.tape(symbol)));
    return tapes.reduce((sum, { fills }) => sum + fills.length, 0) >= 10;
  });
  const legs = legsOf(await chains());
  assert.ok(legs.reduce((sum, { openInterest }) => sum + openInterest, 0) > 0);
  const quoted = legs.filter(({ bid, ask }) => bid !== null && ask !== null);
  assert.ok(quoted.length > 2_000, `${quoted.length} of ${legs.length} have both sides`);
  for (const { seriesId, bid, ask } of quoted) assert.ok(bid!.price < ask!.price, `${seriesId} is crossed`);
  assert.ok(quoted.filter(({ iv, delta }) => iv > 0 && delta !== 0).length > 0.9 * quoted.length);
  const { seriesId } = quoted.find(({ delta }) => Math.abs(delta - 0.5) < 0.1)!;
  const { bids, asks } = await client.market.book(seriesId);
  assert.ok(bids.length >= 3 && asks.length >= 3, 'levels of both makers');
});

test('LOG-5: makers and crowd write less than the budget of a paper market', async () => {
  await sleep(SETTLE_MS);
  const fromMs = Date.now();
  // The crowd trades four times as often here as it does by default.
  const perDayMax = 1.3 * BUDGET_BYTES;
  const perDay: number[] = [];
  do {
    await sleep(WINDOW_MS);
    perDay.push(bytesPerDaySince(fromMs));
  } while (perDay.at(-1)! >= perDayMax && perDay.length < WINDOWS_MAX);
  const told = perDay.map((bytes) => (bytes / 1e6).toFixed(0));
  assert.ok(perDay.at(-1)! < perDayMax, `${told.join(', then ')} MB a day`);
});

/** How fast the log has grown since then, on average. */
function bytesPerDaySince(fromMs: number): number {
  const seconds = (Date.now() - fromMs) / 1_000;
  using db = new DatabaseSync(path, { readOnly: true });
  const { bytes, entries } = db
    .prepare('SELECT sum(length(CAST(body AS BLOB))) AS bytes, count(*) AS entries FROM log WHERE ts >= ?')
    .get(fromMs) as { bytes: number; entries: number };
  return ((bytes + entries * ENTRY_BYTES) / seconds) * DAY_S;
}

test('LOG-5: after a stop the log proves itself, and nothing is left running', async () => {
  const pids = market.descendants();
  market.process.kill('SIGTERM');
  assert.equal(await market.exits(), 0);
  assert.deepEqual([...pids.keys()].sort(), ['crowd', 'exchange', 'feed', 'maker']);
  for (const [word, pid] of pids) assert.equal(isAlive(pid), false, `${word} still runs`);
  const { facts } = await verifyLog({ log: `sqlite:${path}` });
  assert.equal(facts.fault, null);
});
