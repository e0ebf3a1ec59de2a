/** A real exchange whose clock jumps ahead and back again. */

// @seconds 33

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LogEntry, openLogReader } from '@venue/log';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';

import { eventually, Launched, SMALL_MARKET } from '../e2e/launched.ts';
import { faketimeMissing, SettableClock } from './shifted-clock.ts';

const OPERATOR_TOKEN = 'operator-secret';
const FEED_TOKEN = 'feed-secret';
const HOUR_S = 3_600;
/** For the operator, a price and a tick before the expiry, however long this machine is busy otherwise. */
const LEAD_S = 15;
const CUTOFF_TS = Date.parse('2026-03-07T20:00:00-05:00') / 1_000;

describe('a wrong clock', { skip: faketimeMissing() ?? false }, () => {
  let folder: string;
  let log: string;
  let clock: SettableClock;
  let venue: Launched;
  let url: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'venue-clock-'));
    log = `sqlite:${folder}/venue.db`;
    clock = new SettableClock(join(folder, 'clock'));
  });
  afterEach(() => {
    venue.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const launch = () => {
    const env = {
      ...SMALL_MARKET,
      ...clock.env,
      VENUE_PORT: '0',
      VENUE_LOG: log,
      VENUE_SYMBOLS: 'BTC:crypto',
    };
    const secrets = { VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN, VENUE_FEED_TOKEN: FEED_TOKEN };
    venue = new Launched(['exchange'], { env: { ...env, ...secrets, VENUE_REQUIRE_SIGNED_ORDERS: '1' } });
  };
  const start = async () => {
    launch();
    [, url = ''] = await venue.says(/exchange listening on (\S+)/);
    await eventually('it is healthy', isHealthy);
  };
  const stop = async () => {
    venue.process.kill('SIGTERM');
    assert.equal(await venue.exits(), 0);
  };
  const isHealthy = async () => (await json<{ ok: boolean }>('/healthz')).ok;
  const json = async <T>(path: string) => (await (await fetch(`${url}${path}`)).json()) as T;
  const jump = async (aheadS: number) => {
    clock.set(aheadS);
    await eventually('it knows', async () => !(await isHealthy()));
  };
  const accept = async (secret: Record<string, string>) => {
    const headers = { ...secret, 'content-type': 'application/json' };
    const accepting = { method: 'POST', headers, body: '{"accept":true}' };
    return (await fetch(`${url}/v1/operator/clock`, accepting)).status;
  };
  const operator = { 'x-operator-token': OPERATOR_TOKEN };
  const entries = async (): Promise<readonly LogEntry[]> => {
    const reader = await openLogReader(log);
    const read = await reader.readEntries(1, (await reader.head()).seq);
    await reader.close();
    return read;
  };

  test('CLOCK-1: two hours ahead for 1.5 s stamps nothing, and leaves no trace', async () => {
    await start();
    const trader = new VenueClient({ url });
    await trader.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
    const write = () => trader.orders.cancel(['BTC']);
    await write();

    await jump(2 * HOUR_S);
    assert.equal((await fetch(`${url}/v1/meta`)).status, 500);
    assert.match(await (await fetch(`${url}/readyz`)).text(), /not ready: clock/);
    await sleep(1_500);
    clock.set(0);
    await eventually('it is healthy again', isHealthy);
    await write();
    assert.equal(venue.output.match(/the clock jumped 7\d\d\d\.\d s ahead/g)?.length, 1, venue.output);

    await jump(2 * HOUR_S);
    assert.equal(await accept({}), 403);
    const until = Date.now();
    assert.equal(await accept(operator), 200);
    assert.equal(await isHealthy(), true);

    const before = (await entries()).filter(({ ts }) => ts < until + HOUR_S * 1_000);
    assert.ok(before.length > 4);
    for (const { ts, seq } of before) assert.ok(ts <= until, `entry ${seq}`);
  });

  test('CLOCK-1: a jump past an expiry settles nothing and needs no operator, and the expiry settles in due time', async () => {
    const untilCutoff = (leadS: number) => Math.round(CUTOFF_TS - leadS - Date.now() / 1_000);
    const feed = () => new VenueClient({ url }).feed(FEED_TOKEN);
    const print = () => feed().prints(['a', 'b'].map((source) => ({ symbol: 'BTC', source, price: 60_000 })));
    const market = async () => {
      const { settlements } = await json<{ settlements: object[] }>('/v1/settlements?symbol=BTC');
      const { pendingReview } = await json<{ pendingReview: unknown[] }>('/v1/meta');
      return { settlements, pendingReview };
    };
    const aheadS = untilCutoff(HOUR_S / 3);
    clock.set(aheadS);
    await start();
    await print();
    const isListed = async () =>
      (await new VenueClient({ url }).market.series('BTC')).some(({ expiryTs }) => expiryTs === CUTOFF_TS);
    await eventually('the expiry is listed', isListed);

    await jump(aheadS + HOUR_S);
    await sleep(1_500);
    clock.set(aheadS);
    await eventually('it is healthy again', isHealthy);
    await sleep(1_000);
    assert.deepEqual(await market(), { settlements: [], pendingReview: [] });
    assert.ok(await isListed());

    await jump(untilCutoff(LEAD_S));
    assert.equal(await accept(operator), 200);
    await print();
    await eventually('it has settled', async () => (await market()).settlements.length > 0);
    const { settlements, pendingReview } = await market();
    assert.deepEqual(pendingReview, []);
    assert.partialDeepStrictEqual(settlements, [{ expiryTs: CUTOFF_TS, by: 'oracle', price: 60_000 }]);
    const ticks = (await entries()).filter(({ kind }) => kind === 'maintain');
    assert.ok(ticks.some(({ ts }) => ts > (CUTOFF_TS - LEAD_S) * 1_000 && ts < CUTOFF_TS * 1_000));
    assert.ok(ticks.every(({ ts }) => ts < (CUTOFF_TS + HOUR_S / 2) * 1_000));
  });

  test('CLOCK-2: a start two hours ahead reports both times in one line; one behind the log writes nothing', async () => {
    const gaps = () => venue.output.match(/the last entry is of \S+Z, and the clock says \S+Z: /g) ?? [];
    await start();
    await stop();
    await start();
    assert.deepEqual(gaps(), []);
    await stop();
    const { ts } = (await entries()).at(-1)!;
    clock.set(2 * HOUR_S);
    await start();
    assert.equal(gaps().length, 1, venue.output);
    const [last, now] = gaps()[0]!.match(/\S+Z/g)!.map(Date.parse);
    assert.equal(last, ts);
    assert.ok(Math.abs(now! - Date.now() - 2 * HOUR_S * 1_000) < 60_000, `${gaps()}`);
    await stop();
    const { seq } = (await entries()).at(-1)!;
    clock.set(0);
    launch();
    await venue.says(/the clock is 7\d\d\d\.\d s behind the last entry of the log: nothing is written/);
    await sleep(1_000);
    assert.equal((await entries()).at(-1)!.seq, seq);
  });
});
