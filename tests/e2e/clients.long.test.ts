/** Exchange, feed and maker started separately: each survives the others. */

// @seconds 17

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { VenueClient } from '@venue/sdk';
import { eventually, freePort, Launched } from './launched.ts';

const SAMPLE = 'packages/feed/samples/minutes.csv';

const folder = mkdtempSync(join(tmpdir(), 'venue-clients-'));
const all: Launched[] = [];
let env: Record<string, string>;
let venue: VenueClient;

before(async () => {
  const port = await freePort();
  venue = new VenueClient({ url: `http://127.0.0.1:${port}` });
  env = {
    VENUE_PORT: `${port}`,
    VENUE_URL: venue.url,
    VENUE_LOG: `sqlite:${join(folder, 'venue.db')}`,
    VENUE_LOG_LEVEL: 'warn',
    VENUE_SYMBOLS: 'BTC:crypto,ETH:crypto',
    VENUE_MAINTENANCE_MS: '500',
    VENUE_ORACLE_STALE_MS: '2000',
    VENUE_FEED_TOKEN: 'feed-secret',
    VENUE_MAKER_TOKEN: 'maker-secret',
  };
});

after(() => {
  for (const launched of all) launched.end();
  rmSync(folder, { recursive: true, force: true });
});

function launch(...words: string[]): Launched {
  const launched = new Launched(words, { env });
  all.push(launched);
  return launched;
}

async function stop(launched: Launched): Promise<void> {
  launched.process.kill('SIGTERM');
  assert.equal(await launched.exits(), 0);
}

/** Number of quoted legs of the second BTC expiry, which ends after the test; 0 while the exchange does not answer. */
async function quotedLegs(): Promise<number> {
  const series = await venue.market.series('BTC').catch(() => []);
  const expiries = new Set(series.map((contract) => contract.expiryTs));
  const expiryTs = [...expiries].sort((a, b) => a - b)[1];
  if (expiryTs === undefined) return 0;
  const { rows } = await venue.market.chain('BTC', expiryTs);
  return rows.flatMap(({ call, put }) => [call?.ask, put?.ask]).filter((ask) => ask != null).length;
}

async function spotOf(symbol: string): Promise<number> {
  const { instruments } = await venue.market.meta();
  return instruments.find((instrument) => instrument.symbol === symbol)!.spot;
}

test('feed and maker wait for an exchange, survive its crash, and the maker pulls quotes on stale prices', async (t) => {
  const maker = launch('maker');
  let feed = launch('feed', '--seed', '7');
  let exchange: Launched;

  await t.test('started before the exchange they wait, and say so once', async () => {
    await maker.says(/cannot quote, trying again/);
    await feed.says(/waiting for the exchange at .*ECONNREFUSED/);
  });

  await t.test('once it runs, every leg is quoted', async () => {
    exchange = launch('exchange');
    await eventually('82 quoted legs', async () => (await quotedLegs()) === 82);
    await maker.says(/quotes stand/);
    assert.equal(feed.output.match(/waiting for the exchange/g)!.length, 1);
  });

  await t.test(
    'killed and started again, it has prices and quotes again, without a word to its clients',
    async () => {
      exchange.process.kill('SIGKILL');
      await exchange.exits();
      exchange = launch('exchange');
      await exchange.says(/listening/);
      await maker.says(/cannot quote[\s\S]*quotes stand[\s\S]*cannot quote[\s\S]*quotes stand/);
      await eventually('82 quoted legs', async () => (await quotedLegs()) === 82);
    },
  );

  await t.test(
    'FEED-2: with the feed gone the maker pulls its quotes; with a new feed they come back',
    async () => {
      await stop(feed);
      await eventually('no quoted leg', async () => (await quotedLegs()) === 0);
      const before = await spotOf('BTC');
      feed = launch('feed');
      await eventually('82 quoted legs', async () => (await quotedLegs()) === 82);
      const after = await spotOf('BTC');
      assert.ok(Math.abs(after / before - 1) < 0.002, `${before} went on as ${after}`);
    },
  );

  await t.test('a stopped maker leaves no quotes behind', async () => {
    await stop(maker);
    assert.equal(await quotedLegs(), 0);
    await stop(feed);
    await stop(exchange);
  });
});

test('a recording is replayed to its end', async () => {
  const exchange = launch('exchange');
  await exchange.says(/listening/);
  const feed = launch('feed', '--replay', SAMPLE, '--speed', '60');
  assert.equal(await feed.exits(), 0);
  assert.match(feed.output, /replaying 559 prices[\s\S]*at its end/);
  const spot = await spotOf('ETH');
  assert.ok(Math.abs(spot / 3_300 - 1) < 0.01, `${spot}`);
  await stop(exchange);
});

test('a signal and its echo 2 ms later are one clean stop of exchange, feed and maker', async () => {
  const exchange = launch('exchange');
  await exchange.says(/listening/);
  const [feed, maker] = [launch('feed'), launch('maker')];
  await feed.says(/simulating/);
  await maker.says(/quoting on/);
  for (const launched of [maker, feed, exchange]) {
    launched.process.kill('SIGINT');
    await sleep(2);
    launched.process.kill('SIGINT');
    assert.equal(await launched.exits(), 0, launched.output);
  }
});
