/** Live prices end to end: local upstreams that use the real wire formats, a feed process, and an exchange. */

// @seconds 5

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openMemoryLog } from '@venue/log';
import { VenueClient } from '@venue/sdk';
import { loadConfig } from '../../packages/exchange/src/config.ts';
import { type Exchange, startExchange } from '../../packages/exchange/src/node.ts';
import { createLogger } from '../../packages/exchange/src/observe/logger.ts';
import { HermesServer } from '../../packages/feed/test/hermes-server.ts';
import { KrakenServer } from '../../packages/feed/test/kraken-server.ts';
import { eventually, Launched } from './launched.ts';

const AAPL = 'a1'.repeat(32);

/** The default minute is too long for a test. */
const STALE_MS = '1500';

let kraken: KrakenServer;
let hermes: HermesServer;
let venue: VenueClient;
let exchange: Exchange;
let feed: Launched;

/** The prices the upstreams send ten times a second; null for a quiet market. */
let market: { btc: number; aapl: number } | null = { btc: 95_000, aapl: 228 };
let timer: NodeJS.Timeout;

before(async () => {
  kraken = await KrakenServer.start();
  hermes = await HermesServer.start();
  hermes.feeds.set(AAPL, 'Equity.US.AAPL/USD');
  const shared = { VENUE_SYMBOLS: 'BTC:crypto,AAPL:equity', VENUE_FEED_TOKEN: 'feed-secret' };
  const config = loadConfig({ ...shared, VENUE_PORT: '0', VENUE_ORACLE_STALE_MS: STALE_MS });
  exchange = await startExchange(config, { log: await openMemoryLog(), logger: createLogger('silent') });
  venue = new VenueClient({ url: exchange.url });
  const env = {
    ...shared,
    VENUE_URL: exchange.url,
    VENUE_FEED_TICK_MS: '50',
    VENUE_CRYPTO_URL: kraken.url,
    VENUE_PYTH_URL: hermes.url,
  };
  feed = new Launched(['feed', '--live', 'crypto', 'pyth'], { env });
  timer = setInterval(sendMarket, 100);
});

after(async () => {
  clearInterval(timer);
  feed.end();
  await exchange.stop();
  await kraken.stop();
  await hermes.stop();
});

function sendMarket(): void {
  if (market === null) return;
  const { btc, aapl } = market;
  kraken.trade('BTC/USD', btc);
  kraken.ticker('BTC/USD', btc);
  kraken.book('BTC/USD', [{ price: btc - 0.5, qty: 1 }], [{ price: btc + 0.5, qty: 1 }]);
  hermes.price({ id: AAPL, price: String(Math.round(aapl * 1e5)), conf: '2000' });
}

async function instrument(symbol: string) {
  const { instruments } = await venue.market.meta();
  return instruments.find((row) => row.symbol === symbol)!;
}

function follows(symbol: string, spot: number): Promise<true> {
  return eventually(`${symbol} at ${spot}`, async () => {
    const row = await instrument(symbol).catch(() => null);
    return row?.feedFresh === true && row.spot === spot;
  });
}

test('FEED-1, FEED-2: spots follow live upstreams, go stale with them, and come back', async (t) => {
  await t.test("the spots are the upstreams' prices", async () => {
    await follows('BTC', 95_000);
    await follows('AAPL', 228);
    market = { btc: 95_100.5, aapl: 228.25 };
    await follows('BTC', 95_100.5);
    await follows('AAPL', 228.25);
  });

  await t.test('invalid prices do not move them', async () => {
    market = null;
    for (const price of [0, -5, 1, 9e12]) {
      kraken.trade('BTC/USD', price);
      kraken.ticker('BTC/USD', price);
    }
    kraken.book('BTC/USD', [{ price: 1, qty: 1 }], [{ price: 2, qty: 1 }]);
    hermes.price({ id: AAPL, price: '100' }, { id: AAPL, price: '0' });
    kraken.sendText('{"channel"');
    hermes.event('garbage');
    await eventually('stale spots', async () => !(await instrument('BTC')).feedFresh);
    assert.equal((await instrument('BTC')).spot, 95_100.5);
    assert.equal((await instrument('AAPL')).spot, 228.25);
  });

  await t.test('a market that resumes is fresh again', async () => {
    market = { btc: 95_200, aapl: 228.5 };
    await follows('BTC', 95_200);
    await follows('AAPL', 228.5);
  });

  await t.test('upstreams that drop the connection are reconnected', async () => {
    market = null;
    kraken.cut();
    hermes.cut();
    await feed.says(/crypto: lost \(.*closing code 1006\), reconnecting in \d+ ms/);
    await feed.says(/pyth: lost \(.*\), reconnecting in \d+ ms/);
    await eventually('stale spots', async () => !(await instrument('BTC')).feedFresh);
    market = { btc: 95_300, aapl: 228.75 };
    await follows('BTC', 95_300);
    await follows('AAPL', 228.75);
    assert.equal(feed.output.match(/: connected$/gm)!.length, 4);
  });

  await t.test('SIGTERM ends the feed, and its sockets', async () => {
    feed.process.kill('SIGTERM');
    assert.equal(await feed.exits(), 0, feed.output);
    assert.match(feed.output, /^stopped$/m);
    await eventually('closed sockets', () => kraken.openSockets === 0 && hermes.openStreams === 0);
  });
});
