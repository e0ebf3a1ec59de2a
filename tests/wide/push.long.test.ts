/** The push process beside an exchange, with a push service that decrypts what it is sent (PUSH-1 to PUSH-6). */

// @seconds 29

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Address, deviceId, type PushAct, pushEnvelope, sessionRevokeMessage } from '@venue/protocol';
import { FEED_TOKEN, type OpenSession, openSession, Venue } from '../../packages/exchange/test/support.ts';
import type { Browser } from '../../packages/push/test/devices.ts';
import { PushService } from '../../packages/push/test/push-service.ts';
import { eventually, freePort, Launched } from '../e2e/launched.ts';
import { isInstalled } from '../faults/machine.ts';

const skip = isInstalled('openssl') ? false : 'needs the Debian package openssl';
const PRICE = 1_000;

describe('PUSH-1 venue push', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-push-'));
  const file = join(folder, 'push.db');
  const keyFile = join(folder, 'push-key');
  let service: PushService;
  let exchange: Launched;
  let push: Launched;
  let venue: Venue;
  let venueId: string;
  let pushUrl: string;
  let seriesId: string;
  /** The seller of every contract, and those who buy. */
  let maker: OpenSession;

  before(async () => {
    service = await PushService.start();
    const port = await freePort();
    exchange = launched('exchange', {
      ...{ VENUE_PORT: String(port), VENUE_FEED_TOKEN: FEED_TOKEN, VENUE_SYMBOLS: 'BTC:crypto' },
      ...{ VENUE_STRIKES_PER_SIDE: '2', VENUE_MAINTENANCE_MS: '200', VENUE_TERMINAL: 'off' },
    });
    venue = new Venue(`http://127.0.0.1:${port}`);
    await exchange.says(/exchange listening/);
    await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    ({ seriesId } = await eventually('listings', async () => {
      const { body } = await venue.get('/v1/series?symbol=BTC');
      return body.series.at(-1);
    }));
    venueId = (await venue.get('/v1/venue')).body.venue;
    maker = await openSession(venue);
    await venue.post('/v1/margin', await maker.margin(true), maker);
    await new Launched(['push', 'keys', keyFile], { env: {} }).exits();
    await startPush();
  });
  after(() => {
    push?.end();
    exchange?.end();
    service?.close();
    rmSync(folder, { recursive: true });
  });

  function launched(word: string, env: Record<string, string>): Launched {
    const shared = { VENUE_LOG: `sqlite:${join(folder, 'venue.db')}`, VENUE_LOG_LEVEL: 'warn' };
    return new Launched([word], { env: { ...shared, ...env } });
  }

  async function startPush(more: Record<string, string> = {}): Promise<void> {
    push = launched('push', {
      ...{
        VENUE_PUSH_KEY_FILE: keyFile,
        VENUE_PUSH_CONTACT: 'mailto:ops@venue.example',
        VENUE_PUSH_STATE: file,
      },
      ...{
        VENUE_PUSH_PORT: '0',
        VENUE_PUSH_SERVICES: service.origin,
        NODE_EXTRA_CA_CERTS: service.certificate,
      },
      ...more,
    });
    pushUrl = (await push.says(/push listening on (\S+)/))[1]!;
  }

  async function act(trader: OpenSession, wish: PushAct): Promise<{ status: number; body: string }> {
    const nonce = trader.nonce();
    const text = pushEnvelope({ venue: venueId, account: trader.account, act: wish, nonce });
    const body = JSON.stringify({ ...wish, account: trader.account, ...(await trader.sign(text, nonce)) });
    const answer = await fetch(`${pushUrl}/push/devices`, { method: 'POST', body });
    return { status: answer.status, body: await answer.text() };
  }

  /** A trader whose device with this name is on. */
  async function told(name: string): Promise<{ trader: OpenSession; browser: Browser }> {
    const trader = await openSession(venue);
    const browser = service.browser(name);
    // The push process knows a session as soon as it has read its entry.
    await eventually('turned on', async () => (await act(trader, browser.on())).status === 200);
    return { trader, browser };
  }

  async function order(trader: OpenSession, side: 'buy' | 'sell', qty: number): Promise<void> {
    const { body } = await venue.post(
      '/v1/order',
      await trader.order({ seriesId, side, qty, price: PRICE }),
      trader,
    );
    assert.notEqual(body.status, 'rejected', JSON.stringify(body));
  }

  /** Buys from the maker what one of them offers. */
  async function fill(trader: OpenSession, qty: number): Promise<void> {
    await order(maker, 'sell', qty);
    await order(trader, 'buy', qty);
  }

  const messages = (browser: Browser, count = 1) =>
    eventually('messages', () => service.messages(browser).length >= count && service.messages(browser));

  test('the key is made once, for its user alone', () => {
    assert.equal(statSync(keyFile).mode & 0o777, 0o600);
    assert.throws(() =>
      execFileSync(process.execPath, ['packages/cli/src/main.ts', 'push', 'keys', keyFile], {
        stdio: 'pipe',
      }),
    );
  });

  test('a part of an order that filled is told, encrypted, signed by the venue and under no name', async () => {
    const { trader, browser } = await told('phone');
    await order(trader, 'buy', 0.5);
    await order(maker, 'sell', 0.2);
    const [message] = await messages(browser);
    assert.match(message!.body, /^0\.2 of 0\.5 BTC \d+ \w+ [\d,]+ [CP] filled at 1,000\.00$/);
    assert.equal(message!.place, seriesId);
    const { headers } = service.received.find((one) => one.browser === browser)!;
    assert.equal(headers['content-encoding'], 'aes128gcm');
    assert.equal(headers.urgency, 'high');
    assert.match(String(headers.topic), /^[\w-]{32}$/);
    assert.notEqual(headers.topic, message!.tag, 'a push service can guess what the tag is a hash of');
    assert.ok(isSignedByVenue(String(headers.authorization), readFileSync(keyFile, 'utf8').trim()));
    await venue.post('/v1/cancel', await trader.cancel('all'), trader);
  });

  test('PUSH-3 a revoked session turns nothing on, and what it turned on is told nothing', async () => {
    const { trader, browser } = await told('thief');
    const { address, sessionKey, expiresAt } = trader.approval;
    const message = sessionRevokeMessage({
      ...{ account: trader.account, sessionKey: sessionKey.toLowerCase() as Address, expiresAtMs: expiresAt },
    });
    const signature = await trader.wallet.signMessage({ message });
    const revoked = await venue.post('/v1/auth/session/revoke', {
      address,
      sessionKey,
      expiresAt,
      signature,
    });
    assert.equal(revoked.status, 200, JSON.stringify(revoked.body));
    const refused = await eventually('refused', async () => {
      const answer = await act(trader, browser.on());
      return answer.status === 401 && answer;
    });
    assert.match(refused.body, /unknown or revoked session key/);
    const key = await openSession(venue, trader.wallet);
    const own = service.browser('owner');
    await eventually('turned on', async () => (await act(key, own.on())).status === 200);
    await fill(key, 0.1);
    await messages(own);
    assert.deepEqual(service.messages(browser), []);
  });

  test('PUSH-5 killed in the middle of sending, it tells what it had not, with the tag it had', async () => {
    const { trader, browser } = await told('killed');
    service.answers('killed', 'hang');
    await fill(trader, 0.1);
    await eventually('under way', () => service.asked.includes('/killed'));
    push.process.kill('SIGKILL');
    await push.exits();
    // And what happens while it is down.
    await fill(trader, 0.2);
    await startPush();
    const both = await messages(browser, 2);
    assert.deepEqual(both.map(({ body }) => body.split(' ')[0]).sort(), ['0.1', '0.2']);
    assert.equal(new Set(both.map(({ tag }) => tag)).size, 2);
  });

  test('PUSH-5 a busy push service is asked again; one that forgot the device is not', async () => {
    const { trader, browser } = await told('busy');
    service.answers('busy', { status: 503 }, { status: 429, headers: { 'retry-after': '1' } });
    await fill(trader, 0.1);
    await messages(browser);
    const { trader: other } = await told('gone');
    service.answers('gone', { status: 410 });
    await fill(other, 0.1);
    await eventually('forgotten', async () =>
      (await act(other, { act: 'list' })).body.includes('"devices":[]'),
    );
  });

  test('PUSH-4 a redirect leads nowhere, and no endpoint stands in what the process says', async () => {
    const { trader, browser } = await told('moved');
    service.answers('moved', { status: 307, headers: { location: `${service.origin}/elsewhere` } });
    await fill(trader, 0.1);
    await push.says(/a message was refused: 307/);
    assert.ok(!service.asked.includes('/elsewhere'));
    assert.deepEqual(service.messages(browser), []);
    const inside = await act(trader, {
      ...(browser.on() as Extract<PushAct, { act: 'on' }>),
      subscription: { ...browser.subscription, endpoint: 'https://127.0.0.1/x' },
    });
    assert.equal(inside.status, 400);
    assert.doesNotMatch(push.output, /localhost:\d+\/\w/);
  });

  test('PUSH-5 an old copy of the file tells again what is young, in the same words under the same tag', async () => {
    const { trader, browser } = await told('copied');
    push.process.kill('SIGTERM');
    await push.exits();
    const copy = join(folder, 'copy.db');
    copyFileSync(file, copy);
    await startPush();
    await fill(trader, 0.3);
    await messages(browser);
    push.process.kill('SIGTERM');
    await push.exits();
    copyFileSync(copy, file);
    await startPush();
    const [first, second] = await messages(browser, 2);
    assert.deepEqual(second, first);
    await act(trader, { act: 'off', device: deviceId(browser.subscription.endpoint) });
  });

  test('PUSH-2 another key tells those of the former one nothing, and says how many they are', async () => {
    const { trader, browser } = await told('former');
    push.process.kill('SIGTERM');
    await push.exits();
    const other = createECDH('prime256v1');
    other.setPrivateKey(randomBytes(32));
    await startPush({ VENUE_PUSH_KEY_FILE: '', VENUE_PUSH_KEY: other.getPrivateKey('base64url') });
    await push.says(/\d+ devices were turned on with another VENUE_PUSH_KEY/);
    const now = service.browser('renewed');
    await eventually('turned on', async () => (await act(trader, now.on())).status === 200);
    await fill(trader, 0.1);
    await messages(now);
    assert.deepEqual(service.messages(browser), []);
  });
});

/** Checks the token of VAPID (RFC 8292) with the public half of the venue's key. */
function isSignedByVenue(authorization: string, privateKey: string): boolean {
  const [, token = '', k = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey, 'base64url');
  if (k !== curve.getPublicKey('base64url')) return false;
  const point = Buffer.from(k, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y! } });
  const [head, claims, signature] = token.split('.');
  const signed = Buffer.from(`${head}.${claims}`);
  return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature!, 'base64url'));
}
