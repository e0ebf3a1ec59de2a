/** Notifications for closed tabs, from the switch in the terminal to the notification and back (PUSH-2, PUSH-7). */

// @seconds 10

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { randomPrivateKey } from '@venue/sdk';
import type { Page, Worker } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import {
  FEED_TOKEN,
  type Json,
  type OpenSession,
  openSession,
  Venue,
} from '../../packages/exchange/test/support.ts';
import { PushService } from '../../packages/push/test/push-service.ts';
import { eventually, freePort, Launched } from '../e2e/launched.ts';
import { isInstalled } from '../faults/machine.ts';
import { assertAccessible } from './axe.ts';
import { assertNoFaults, chromiumMissing, openPage, signInWithKey, startTerminal } from './browser.ts';
import { stageOf } from './stage.ts';

const skip = chromiumMissing() ?? (isInstalled('openssl') ? false : 'needs the Debian package openssl');
const KEY = randomPrivateKey();

describe('the terminal tells of what happens while it is closed', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-pushed-'));
  let service: PushService;
  let push: Launched;
  const stage = stageOf(async () => {
    const [port, pushPort] = [await freePort(), await freePort()];
    const log = `sqlite:${folder}/venue.db`;
    service = await PushService.start();
    const started = await startTerminal('exchange', {
      ...{ VENUE_PORT: `${port}`, VENUE_LOG: log, VENUE_FEED_TOKEN: FEED_TOKEN, VENUE_SYMBOLS: 'BTC:crypto' },
      ...{ VENUE_STRIKES_PER_SIDE: '2', VENUE_MAINTENANCE_MS: '500' },
      VENUE_PUSH_URL: `http://127.0.0.1:${pushPort}/push`,
    });
    const venue = new Venue(started.url);
    await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 }]);
    await new Launched(['push', 'keys', `${folder}/key`], { env: {} }).exits();
    push = new Launched(['push'], {
      env: {
        ...{
          VENUE_LOG: log,
          VENUE_PUSH_KEY_FILE: `${folder}/key`,
          VENUE_PUSH_CONTACT: 'mailto:ops@venue.example',
        },
        ...{ VENUE_PUSH_STATE: `${folder}/push.db`, VENUE_PUSH_PORT: `${pushPort}` },
        ...{ VENUE_PUSH_SERVICES: service.origin, NODE_EXTRA_CA_CERTS: service.certificate },
      },
    });
    await push.says(/push listening/);
    return started;
  });
  let venue: Venue;
  before(() => {
    venue = new Venue(stage.venue.url);
  });
  after(() => {
    push?.end();
    service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const order = async (trader: OpenSession, side: 'buy' | 'sell', seriesId: string) => {
    const body = await trader.order({ seriesId, side, qty: 0.1, price: 1_000 });
    const answer = await venue.post('/v1/order', body, trader);
    assert.match(answer.body.status ?? answer.body.error, /^(rested|filled)$/);
  };

  it('a press turns this device on; a fill is shown by the worker, and opens its contract (PUSH-2, PUSH-7)', async () => {
    const { page, faults } = await openPage(stage.browser, 'about:blank', { serviceWorkers: 'allow' });
    const context = page.context();
    const { subscription } = service.browser('chromium');
    await page.addInitScript(subscribing(subscription));
    await page.addInitScript(GRANTED);
    await page.goto(stage.venue.url);
    await signInWithKey(page, KEY);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    const deliver = await deliveryTo(page);
    const worker = context.serviceWorkers()[0]!;
    await worker.evaluate(NOTED);

    await page.getByRole('tab', { name: 'Log' }).click();
    const group = page.getByRole('group', { name: 'While the terminal is closed' });
    await group.getByLabel('A guard that ran out').uncheck();
    await group.getByLabel('Notify this device').click();
    await group.getByRole('button', { name: /^Turn off Chrome/ }).waitFor();
    await assertAccessible(page, '.dock');

    const trader = await openSession(venue, privateKeyToAccount(KEY));
    const maker = await openSession(venue);
    await venue.post('/v1/margin', await maker.margin(true), maker);
    const { seriesId } = await eventually('a call', async () => {
      const { series } = (await venue.get('/v1/series?symbol=BTC')).body;
      // Not of the first expiry, which may be about to end.
      const later = series.filter((one: Json) => one.right === 'C' && one.expiryTs > series[0].expiryTs);
      return later[0];
    });
    await order(trader, 'buy', seriesId);
    await order(maker, 'sell', seriesId);
    const { message } = await eventually('a message', () => service.received[0]);
    assert.match(message.body, /^0\.1 BTC \d+ \w+ [\d,]+ C filled at 1,000\.00$/);

    // Beside a terminal that is looked at nothing is shown; with it closed, the message is.
    await deliver(JSON.stringify(message));
    assert.deepEqual(await worker.evaluate(SHOWN), []);
    await page.goto(`${stage.venue.url}/assets/vault.json`);
    await deliver('{"v":1,"kind":"fills","title":"Odd"}');
    await deliver(JSON.stringify(message));
    const shown = await eventually('a notification', async () => {
      const list = await worker.evaluate<string[]>(SHOWN);
      return list.length > 0 && list;
    });
    assert.deepEqual(shown, [`${message.title}: ${message.body}`]);

    // A press on it, with the terminal open again in a window.
    await page.goto(stage.venue.url);
    await pressIn(worker);
    await page.waitForURL(`**/#${seriesId}`);
    assert.deepEqual(await worker.evaluate(SHOWN), []);

    await page.getByRole('tab', { name: 'Log' }).click();
    await group.getByRole('button', { name: /^Turn off Chrome/ }).click();
    await group.getByRole('list').waitFor({ state: 'detached' });
    assert.equal(await group.getByLabel('Notify this device').isChecked(), false);
    assertNoFaults(faults.filter((fault) => !/404|JSON|vault/.test(fault)));
    await context.close();
  });

  it('a browser that blocked notifications says how to undo it (PUSH-2)', async () => {
    const { page } = await openPage(stage.browser, 'about:blank', { serviceWorkers: 'allow' });
    await page.addInitScript("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })");
    await page.goto(stage.venue.url);
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.getByText('Notifications from this page are blocked.').waitFor();
    await page.context().close();
  });
});

/** Stands for the browser's push service, which cannot be reached from a test; kept over reloads. */
function subscribing(terms: { endpoint: string; p256dh: string; auth: string }): string {
  return `{
    const { endpoint, ...keys } = ${JSON.stringify(terms)};
    const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const of = (key) => ({
      options: { applicationServerKey: bytes(key).buffer },
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => localStorage.removeItem('test key'),
    });
    const found = () => localStorage.getItem('test key');
    PushManager.prototype.getSubscription = async () => found() && of(found());
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      localStorage.setItem('test key', applicationServerKey);
      return of(applicationServerKey);
    };
  }`;
}

/** Hands a message to the page's worker as the browser would. */
async function deliveryTo(page: Page): Promise<(data: string) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0] !== undefined) resolve(registrations[0].registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return async (data) => {
    await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

/** A browser without a screen grants no notifications, and shows none: both ends are held here instead. */
const GRANTED = `Object.defineProperty(Notification, 'permission', { get: () => 'granted' })`;
const NOTED = `{
  self.noted = [];
  self.registration.showNotification = async (title, options) => {
    const close = () => self.noted.splice(self.noted.indexOf(notification), 1);
    const notification = { title, ...options, close };
    self.noted.push(notification);
  };
  self.registration.getNotifications = async ({ tag } = {}) =>
    self.noted.filter((one) => tag === undefined || one.tag === tag);
}`;
const SHOWN = `self.noted.map(({ title, body }) => title + ': ' + body)`;

/** Presses the notification that is there, as the system would. */
async function pressIn(worker: Worker): Promise<void> {
  await worker.evaluate(`{
    const [notification] = self.noted;
    self.dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), { notification }));
  }`);
}
