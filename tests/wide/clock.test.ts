/** A real exchange whose clock jumps ahead and back again. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLogReader } from '@venue/log';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';

import { eventually, Launched, SMALL_MARKET } from '../e2e/launched.ts';
import { faketimeMissing, SettableClock } from './shifted-clock.ts';

const OPERATOR_TOKEN = 'operator-secret';

test('CLOCK-1: a clock that is two hours ahead for 1.5 s stamps nothing, and leaves nothing behind', {
  skip: faketimeMissing() ?? false,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-clock-'));
  const clock = new SettableClock(join(folder, 'clock'));
  const log = `sqlite:${folder}/venue.db`;
  const env = { ...SMALL_MARKET, ...clock.env, VENUE_PORT: '0', VENUE_LOG: log };
  const venue = new Launched(['exchange'], {
    env: { ...env, VENUE_REQUIRE_SIGNED_ORDERS: '1', VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN },
  });
  try {
    const [, url = ''] = await venue.says(/exchange listening on (\S+)/);
    const isHealthy = async () => ((await (await fetch(`${url}/healthz`)).json()) as { ok: boolean }).ok;
    await eventually('it is healthy', isHealthy);
    const trader = new VenueClient({ url });
    await trader.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
    const write = () => trader.orders.cancel(['BTC']);
    await write();

    clock.set(7_200);
    await eventually('it knows', async () => !(await isHealthy()), 2_000);
    assert.equal((await fetch(`${url}/v1/meta`)).status, 500);
    assert.match(await (await fetch(`${url}/readyz`)).text(), /not ready: clock/);
    await sleep(1_500);
    clock.set(0);
    await eventually('it is healthy again', isHealthy, 2_000);
    await write();
    assert.equal(venue.output.match(/the clock jumped 7\d\d\d\.\d s ahead/g)?.length, 1, venue.output);

    clock.set(7_200);
    await eventually('it knows', async () => !(await isHealthy()), 2_000);
    const headers = { 'x-operator-token': OPERATOR_TOKEN, 'content-type': 'application/json' };
    const accept = (given: Record<string, string>) =>
      fetch(`${url}/v1/operator/clock`, { method: 'POST', headers: given, body: '{"accept":true}' });
    assert.equal((await accept({ 'content-type': 'application/json' })).status, 403);
    const until = Date.now();
    assert.equal((await accept(headers)).status, 200);
    assert.equal(await isHealthy(), true);

    const reader = await openLogReader(log);
    const { seq } = await reader.head();
    const before = (await reader.readEntries(1, seq)).filter(({ ts }) => ts < until + 3_600_000);
    assert.ok(before.length > 4);
    for (const { ts, seq: at } of before) assert.ok(ts <= until, `entry ${at}`);
    await reader.close();
  } finally {
    venue.process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
