/** Starts what the page on deployment makes of exchange and feed with real money, and looks at the prices' sources. */

// @seconds 30

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { openLogReader } from '@venue/log';
import { HermesServer } from '../../packages/feed/test/hermes-server.ts';
import { KrakenServer } from '../../packages/feed/test/kraken-server.ts';
import { eventually, Launched } from '../e2e/launched.ts';
import { run } from '../faults/machine.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NO_DEFAULT = /VENUE_FEED_SOURCE is not set, and with real money prices have no default source/;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('FEED-1: a venue with real money, installed as docs/how-to/deploy.md says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-real-prices-'));
  const log = `sqlite:${join(folder, 'venue.db')}`;
  let kraken: KrakenServer;
  let hermes: HermesServer;
  let exchange: Launched;
  let feedEnv: Record<string, string>;
  let url = '';

  before(async () => {
    kraken = await KrakenServer.start();
    hermes = await HermesServer.start();
    const secrets = join(folder, 'secrets');
    run(join(ROOT, 'deploy/bin/make-secrets'), secrets);
    writeFileSync(join(secrets, 'log'), log);
    const hashes = { VENUE_SETTLE_HASH_1: '1'.repeat(64), VENUE_SETTLE_HASH_2: '2'.repeat(64) };
    const env = {
      ...unitOf('exchange', secrets),
      ...parseEnv(read('deploy/systemd/real-money.env')),
      ...hashes,
    };
    exchange = new Launched(['exchange'], {
      env: {
        ...env,
        VENUE_PORT: '0',
        VENUE_DRAIN_MS: '0',
        VENUE_HISTORY: join(folder, 'history.db'),
        VENUE_FILES: 'off',
      },
    });
    [, url = ''] = await exchange.says(/exchange listening on (\S+?)"?[\s,]/);
    feedEnv = {
      ...unitOf('feed', secrets),
      ...{ VENUE_URL: url, VENUE_CRYPTO_URL: kraken.url, VENUE_PYTH_URL: hermes.url },
    };
  });
  after(async () => {
    exchange.end();
    await kraken.stop();
    await hermes.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('without a source the feed does not start and says why in one line, and so does --check', async () => {
    for (const argv of [['feed'], ['feed', '--check']]) {
      const feed = new Launched(argv, { env: feedEnv });
      assert.equal(await feed.exits(), 1);
      assert.equal(feed.output.split('\n').filter((line) => NO_DEFAULT.test(line)).length, 1, feed.output);
    }
    assert.deepEqual(await sourcesOf(log), []);
  });

  test('simulated prices are refused, by the exchange too', async () => {
    const env = { ...feedEnv, VENUE_FEED_SOURCE: 'simulated' };
    const feed = new Launched(['feed'], { env });
    assert.equal(await feed.exits(), 1);
    assert.match(feed.output, /has real money and takes no simulated prices/);
    const token = readFileSync(join(folder, 'secrets/feed-token'), 'utf8').trim();
    const response = await fetch(`${url}/v1/feed/prints`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-feed-token': token },
      body: JSON.stringify({ prints: [{ symbol: 'BTC', source: 'sim:trades', price: 1 }] }),
    });
    assert.equal(response.status, 400);
    assert.deepEqual(await sourcesOf(log), []);
  });

  test('with the step of the page every price is live, and the venue says that none is simulated', async () => {
    const [, source = ''] =
      /^echo 'VENUE_FEED_SOURCE=(\S+)' > \/etc\/venue\/feed\.env$/m.exec(read('docs/how-to/deploy.md')) ?? [];
    const feed = new Launched(['feed'], { env: { ...feedEnv, VENUE_FEED_SOURCE: source } });
    const timer = setInterval(() => kraken.trade('BTC/USD', 95_000), 100);
    try {
      const sources = await eventually('prices are taken', async () => {
        const found = await sourcesOf(log);
        return found.length > 0 ? found : undefined;
      });
      assert.ok(
        sources.every((one) => /^(?:kraken|pyth):/.test(one)),
        sources.join(),
      );
      const venue = (await (await fetch(`${url}/v1/venue`)).json()) as Record<string, unknown>;
      assert.deepEqual([venue.fundingMode, venue.simulatedPrices], ['deposits', false]);
    } finally {
      clearInterval(timer);
      feed.end();
    }
  });
});

/** The environment that a unit gives its process, with secrets of a folder. */
function unitOf(name: string, secrets: string): Record<string, string> {
  const lines = read(`deploy/systemd/venue-${name}.service`).matchAll(/^Environment=(.*)$/gm);
  const words = [...lines].flatMap(([, line]) => line!.split(' '));
  return Object.fromEntries(words.map((word) => word.replace('%d', secrets).split('=') as [string, string]));
}

/** The sources of all prints in the log. */
async function sourcesOf(log: string): Promise<string[]> {
  const reader = await openLogReader(log);
  try {
    const { seq } = await reader.head();
    const entries = await reader.readEntries(1, seq);
    const prints = entries.filter(({ kind }) => kind === 'prints');
    const bodies = prints.map(({ body }) => JSON.parse(Buffer.from(body).toString()));
    return [...new Set(bodies.flatMap((one) => one.prints.map((print: { source: string }) => print.source)))];
  } finally {
    await reader.close();
  }
}
