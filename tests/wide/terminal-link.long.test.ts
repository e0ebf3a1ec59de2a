/** The terminal when the venue is late or out of reach, when the network is down, and when the page is hidden. */

// @process terminal-accounts
// @seconds 60

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page, WebSocketRoute } from 'playwright-core';
import { turnTo } from '../../bench/terminal/page.ts';
import { eventually } from '../e2e/launched.ts';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  NO_WORKER,
  openPage,
  signInOnPaper,
  WAIT_MS,
  type WatchedPage,
  watchFaults,
} from './browser.ts';
import { sharedStage } from './stage.ts';

const missing = chromiumMissing();
const COUNT_MS = 6_000;
/** Paths that the stream brings. */
const PUSHED = /^\/v1\/(chain|book|tape|trades|meta|me|fills|settlements)$|^\/ws$/;
/** Logged by the browser about requests while nothing answers them. */
const ABOUT_THE_NETWORK = /ERR_|WebSocket connection/;

describe('the link of the terminal', { skip: missing ?? false }, () => {
  const stage = sharedStage();
  /** For tests of a page whose stream is held, left and cut. */
  let desk: ControlledPage;
  /** With account, ticket and charts. */
  let wide: ControlledPage;

  it("shows the strikes before the prices, and then the prices' age", async () => {
    const context = await stage.browser.newContext({ ...NO_WORKER, viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(WAIT_MS);
    const page = await context.newPage();
    const faults = watchFaults(page);
    const stream = await controlStream(page);
    stream.hold('chain:');
    await page.goto(stage.venue.url);
    const loading = page.getByTestId('chain-loading');
    await loading
      .getByRole('rowheader', { name: /^[\d,]+$/ })
      .first()
      .waitFor();
    assert.ok((await loading.getByRole('rowheader').count()) >= 10);
    stream.release();
    await chainStands(page);
    await linkIs(page, 'live');
    assertNoFaults(faults);
    await context.close();
  });

  it('never says of an underlying that it has no contracts before they were read, and stays when it is pressed again', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/series*', async (route) => {
      await held;
      await route.continue();
    });
    const other = page.getByRole('navigation', { name: 'Underlyings' }).getByRole('button', { name: /^ETH/ });
    await other.click();
    await page.getByRole('grid', { name: 'ETH option chain' }).waitFor();
    await page.getByTestId('chain-loading').waitFor();
    assert.equal(await page.getByTestId('nothing-listed').count(), 0);
    answer();
    await chainStands(page);
    const expiry = page.getByRole('tablist', { name: 'Expiries' }).getByRole('tab').nth(2);
    await turnTo(page, expiry);
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    const ticket = page.getByRole('region', { name: 'Order ticket' });
    await ticket.waitFor();
    await other.click();
    await expiry.click();
    assert.ok(await ticket.isVisible());
    assert.equal(await expiry.getAttribute('aria-selected'), 'true');
    assertNoFaults(faults);
    await page.context().close();
  });

  it('shows late, then old, and allows no market order on old prices', async () => {
    desk = await openControlled(stage.browser, stage.venue.url);
    const { page, faults, stream } = desk;
    await page.locator('tr[data-at-the-money] td.call.ask').click();
    await page.evaluate(COLLECT_STATES);
    stream.hold();
    await linkIs(page, 'stale');
    const states = await page.evaluate<string[]>('globalThis.states');
    assert.match(states.join(' '), /late stale/);
    await page
      .locator('.Chain_oldPrices', { hasText: 'Market orders wait until prices are fresh.' })
      .waitFor();
    await page.getByTestId('link').filter({ hasText: /\d s/ }).waitFor();
    stream.release();
    await linkIs(page, 'live');
    await page.getByText('Market orders wait').first().waitFor({ state: 'hidden' });
    assertNoFaults(faults);
  });

  it('follows no chain while hidden, and immediately when shown', async () => {
    const { page, faults, stream } = desk;
    const sentBefore = stream.sent.length;
    await setShown(page, false);
    const isLeft = (message: string) => /"op":"unsubscribe","channels":\["chain:/.test(message);
    const left = await eventually('no chain', () => stream.sent.slice(sentBefore).find(isLeft));
    const { id } = JSON.parse(left) as { id: number };
    const chains = () => stream.came.filter((message) => message.includes('"channel":"chain:')).length;
    // The venue sends none after this answer.
    await eventually('the answer', () => stream.came.some((message) => JSON.parse(message).id === id));
    const before = chains();
    await page.waitForTimeout(2_000);
    assert.equal(chains(), before);
    await setShown(page, true);
    await eventually('the chain', () => chains() > before);
    await linkIs(page, 'live');
    assertNoFaults(faults);
  });

  it('says of the second expiry that its prices are as last known, until they are right again (TERM-10)', async () => {
    const { page, faults, stream } = desk;
    await page.setViewportSize({ width: 2_560, height: 1_440 });
    const second = page.getByRole('region', { name: 'Second expiry' });
    const ask = second.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ });
    await ask.waitFor();
    const said = second.getByText('Prices as last known');
    assert.equal(await said.count(), 0);
    stream.cut();
    await said.waitFor();
    assert.ok(await ask.isVisible(), 'the prices stay');
    stream.restore();
    await said.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1_440, height: 900 });
    await second.waitFor({ state: 'detached' });
    await linkIs(page, 'live');
    assertNoFaults(faults.filter((fault) => !ABOUT_THE_NETWORK.test(fault)));
  });

  it('resumes after a cut without reading the chain, and shows what changed meanwhile (STR-4)', async () => {
    const { page, faults, stream } = desk;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await untilQuiet(page, asked);
    stream.cut();
    await linkIs(page, 'offline');
    const before = stream.came.length;
    stream.restore();
    await linkIs(page, 'live');
    const isOfChain = (message: string) =>
      message.includes('"channel":"chain:BTC:') || /"resumed":\[[^\]]*"chain:BTC:/.test(message);
    await eventually('the chain again', () => stream.came.slice(before).some(isOfChain), WAIT_MS);
    assert.ok(stream.sent.some((message) => /"channel":"chain:BTC:\d+","seq":\d+/.test(message)));
    assert.deepEqual(
      asked.filter((path) => PUSHED.test(path)),
      [],
    );
    assertNoFaults(faults.filter((fault) => !ABOUT_THE_NETWORK.test(fault)));
    await page.context().close();
  });

  it('says before its script has come that a page which stays like this can be reloaded', async () => {
    const { page } = await openPage(stage.browser, 'about:blank');
    const words = page.getByText('Still loading. Reload the page if this stays.');
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(stage.venue.url, { waitUntil: 'commit' });
    await words.waitFor({ state: 'hidden' });
    await words.waitFor();
    await page.unrouteAll();
    await page.reload();
    await chainStands(page);
    await page.context().close();
  });

  it('asks for nothing that the stream brings, in two tabs with account, ticket and charts, for under 5 kB a second', async () => {
    wide = await openControlled(stage.browser, stage.venue.url, {
      viewport: { width: 1_920, height: 1_080 },
    });
    const { page, faults, stream } = wide;
    // A tab reads the fills once, as soon as it has the account.
    const readsFills = (one: Page) => one.waitForResponse((answer) => answer.url().includes('/v1/fills'));
    await Promise.all([readsFills(page), signInOnPaperAt(page)]);
    const charts = page.getByRole('complementary', { name: 'Charts' });
    await charts.getByRole('tab', { name: 'Depth' }).first().click();
    await charts.getByRole('tab', { name: 'Contract' }).last().click();
    const other = await page.context().newPage();
    await Promise.all([readsFills(other), other.goto(stage.venue.url)]);
    await chainStands(other);
    await other.bringToFront();
    const asked: string[] = [];
    for (const one of [page, other])
      one.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await untilQuiet(page, asked);
    const fromMs = performance.now();
    const cameBefore = stream.came.length;
    await page.waitForTimeout(COUNT_MS);
    assert.deepEqual(
      asked.filter((path) => PUSHED.test(path)),
      [],
    );
    const came = stream.came.slice(cameBefore);
    const perSecond = (1_000 * deflateRawSync(came.join('')).length) / (performance.now() - fromMs);
    assert.ok(came.length > 0 && perSecond < 5_000, `${came.length} messages, ${perSecond} bytes a second`);
    assertNoFaults(faults);
    await other.close();
  });

  it('asks rarely while the venue is gone, including charts and ticket, and as usual after the first answer', async () => {
    const { page, faults, stream } = wide;
    await page.bringToFront();
    const previews = (count: number) =>
      eventually(
        'previews',
        async () => (await countReads(page, COUNT_MS, '/v1/', ['POST'])) >= count,
        WAIT_MS,
      );
    await previews(2);
    await page.route('**/v1/**', (route) => route.fulfill({ status: 500, body: '{"error":"out of touch"}' }));
    stream.cut();
    await linkIs(page, 'offline');
    const beganMs = performance.now();
    const during = await countReads(page, COUNT_MS, '/v1/', ['GET', 'POST']);
    const seconds = (performance.now() - beganMs) / 1_000;
    assert.ok(during <= seconds, `${during} requests in ${seconds} s`);
    await page.unroute('**/v1/**');
    stream.restore();
    await linkIs(page, 'live');
    await previews(2);
    assertNoFaults(faults.filter((fault) => !ABOUT_THE_NETWORK.test(fault)));
    await page.context().close();
  });
});

/** Every state that the link turns to: a busy machine may look too seldom to see one that lasts for seconds. */
const COLLECT_STATES = `
  const sign = document.querySelector('[data-testid="link"]');
  globalThis.states = [sign.dataset.state];
  new MutationObserver(() => globalThis.states.push(sign.dataset.state)).observe(sign, { attributeFilter: ['data-state'] });
`;

async function linkIs(page: Page, state: string): Promise<void> {
  await page.locator(`[data-testid="link"][data-state="${state}"]`).waitFor({ timeout: WAIT_MS });
}

interface StreamControl {
  /** Messages that the page has sent, and those that have come to it. */
  readonly sent: string[];
  readonly came: string[];
  /** Withholds messages until `release`: those of the channels whose names begin so, or all. */
  hold(channels?: string): void;
  release(): void;
  /** Ends the connection and refuses others, until `restore`. */
  cut(): void;
  restore(): void;
}

/** Stands between a page, before it is loaded, and the venue's stream. */
async function controlStream(page: Page): Promise<StreamControl> {
  let held: (() => void)[] = [];
  let holding: string | null = null;
  let isCut = false;
  const open = new Set<WebSocketRoute>();
  const [sent, came]: string[][] = [[], []];
  await page.routeWebSocket(/\/v1\/stream$/, (client) => {
    if (isCut) {
      void client.close();
      return;
    }
    open.add(client);
    const server = client.connectToServer();
    client.onMessage((message) => {
      sent!.push(String(message));
      server.send(message);
    });
    server.onMessage((message) => {
      const pass = () => {
        came!.push(String(message));
        client.send(message);
      };
      if (holding === null || !String(message).includes(holding)) pass();
      else held.push(pass);
    });
  });
  return {
    sent: sent!,
    came: came!,
    hold(channels) {
      holding = channels === undefined ? '' : `"channel":"${channels}`;
    },
    release() {
      holding = null;
      for (const pass of held) pass();
      held = [];
    },
    cut() {
      isCut = true;
      for (const client of open) void client.close();
      open.clear();
    },
    restore() {
      isCut = false;
    },
  };
}

interface ControlledPage extends WatchedPage {
  readonly stream: StreamControl;
}

/** A page with prices on it, and its stream. */
async function openControlled(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<ControlledPage> {
  const context = await browser.newContext({
    ...NO_WORKER,
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults = watchFaults(page);
  const stream = await controlStream(page);
  await page.goto(url);
  await chainStands(page);
  return { page, faults, stream };
}

/** Waits until a second passes without a read of what the stream brings: a busy machine makes the first ones late. */
async function untilQuiet(page: Page, asked: string[]): Promise<void> {
  await eventually(
    'the first reads',
    async () => {
      asked.length = 0;
      await page.waitForTimeout(1_000);
      return !asked.some((path) => PUSHED.test(path));
    },
    WAIT_MS,
  );
}

/** With a ticket open. */
async function signInOnPaperAt(page: Page): Promise<void> {
  await page.locator('tr[data-at-the-money] td.call.ask').click();
  await signInOnPaper(page);
}

/** Like a browser for a background tab. */
async function setShown(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${isShown ? 'visible' : 'hidden'}' });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

async function countReads(page: Page, ms: number, part: string, methods: readonly string[]): Promise<number> {
  let count = 0;
  const onRequest = (request: { url(): string; method(): string }) => {
    if (methods.includes(request.method()) && request.url().includes(part)) count += 1;
  };
  page.on('request', onRequest);
  await page.waitForTimeout(ms);
  page.off('request', onRequest);
  return count;
}
