/** The terminal when the venue is late, gone, back, or empty, when the network is down, and when the page is hidden. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { turnTo } from '../../bench/terminal/page.ts';
import { eventually, freePort } from '../e2e/launched.ts';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  openPage,
  signInOnPaper,
  stageOf,
  startTerminal,
  WAIT_MS,
  watchFaults,
} from './browser.ts';

const missing = chromiumMissing();
const COUNT_MS = 6_000;
/** Logged by the browser about requests while nothing answers them. */
const ABOUT_THE_NETWORK = /ERR_|WebSocket connection/;

describe('the link of the terminal', { skip: missing ?? false }, () => {
  const folders: string[] = [];
  let env: Record<string, string>;
  const newLog = () => {
    const folder = mkdtempSync(join(tmpdir(), 'venue-link-'));
    folders.push(folder);
    return `sqlite:${folder}/venue.db`;
  };
  const stage = stageOf(async () => {
    // The same address after a restart.
    env = { VENUE_PORT: `${await freePort()}`, VENUE_LOG: newLog() };
    return startTerminal('up', env);
  });
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it("shows the strikes before the prices, and then the prices' age", async () => {
    const context = await stage.browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const faults = watchFaults(page);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/chain*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(stage.venue.url);
    const loading = page.getByTestId('chain-loading');
    await loading
      .getByRole('rowheader', { name: /^[\d,]+$/ })
      .first()
      .waitFor();
    assert.ok((await loading.getByRole('rowheader').count()) >= 20);
    answer();
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
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.ask').click();
    await page.evaluate(COLLECT_STATES);
    const release = await holdChain(page);
    await linkIs(page, 'stale');
    const states = await page.evaluate<string[]>('globalThis.states');
    assert.match(states.join(' '), /late stale/);
    await page.locator('.old-prices', { hasText: 'Market orders wait until prices are fresh.' }).waitFor();
    await page.getByTestId('link').filter({ hasText: /\d s/ }).waitFor();
    release();
    await linkIs(page, 'live');
    await page.getByText('Market orders wait').first().waitFor({ state: 'hidden' });
    assertNoFaults(faults);
    await page.context().close();
  });

  it('goes offline and recovers by itself with the network', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await page.context().setOffline(true);
    await linkIs(page, 'offline');
    await page
      .getByTestId('link')
      .filter({ hasText: /retrying in \d+ s|retrying now/ })
      .waitFor();
    await page.context().setOffline(false);
    await linkIs(page, 'live');
    assertNoFaults(faults.filter((fault) => !ABOUT_THE_NETWORK.test(fault)));
    await page.context().close();
  });

  it('does not read the chain while hidden, and immediately when shown', async () => {
    const { page } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await setShown(page, false);
    await page.waitForTimeout(500);
    assert.equal(await chainReads(page, 2_000), 0);
    const read = page.waitForRequest((request) => request.url().includes('/v1/chain'));
    await setShown(page, true);
    await read;
    await linkIs(page, 'live');
    await page.context().close();
  });

  it('shares the read limit of an address between two tabs', async () => {
    const { page } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    const other = await page.context().newPage();
    await other.goto(stage.venue.url);
    await chainStands(other);
    // A tab that could not read for a while, as while it opens or on a busy machine, reads more often for a moment.
    let said = '';
    const isShared = async () => {
      const fromMs = performance.now();
      const reads = await Promise.all([page, other].map((one) => allReads(one, COUNT_MS)));
      const perSecond = (1_000 * (reads[0]! + reads[1]!)) / (performance.now() - fromMs);
      said = `${reads} reads, ${perSecond} a second of the 5 that the edge allows`;
      return perSecond <= 5 && Math.min(...reads) > Math.max(...reads) / 2;
    };
    await eventually('two tabs that share', isShared, WAIT_MS).catch(() => assert.fail(said));
    await page.context().close();
  });

  it('reads rarely while every read fails, including charts and ticket, and at the usual rate after the first answer', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url, {
      viewport: { width: 1_920, height: 1_080 },
    });
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.ask').click();
    await signInOnPaper(page);
    const charts = page.getByRole('complementary', { name: 'Charts' });
    await charts.getByRole('tab', { name: 'Depth' }).first().click();
    await charts.getByRole('tab', { name: 'Contract' }).last().click();
    let before = 0;
    const readsAsUsual = async () => {
      before = await allRequests(page, COUNT_MS);
      return before > (3 * COUNT_MS) / 1_000;
    };
    await eventually('the usual rate', readsAsUsual, WAIT_MS);
    await page.route('**/v1/**', (route) => route.fulfill({ status: 500, body: '{"error":"out of touch"}' }));
    await linkIs(page, 'offline');
    const during = await allRequests(page, COUNT_MS);
    assert.ok(during <= COUNT_MS / 1_000 && during < before / 3, `${during} requests, ${before} before`);
    await page.unroute('**/v1/**');
    await linkIs(page, 'live');
    await eventually(
      'the usual rate again',
      async () => (await allRequests(page, COUNT_MS)) > before / 2,
      WAIT_MS,
    );
    assertNoFaults(faults);
    await page.context().close();
  });

  it('survives a venue that is killed and restarted, with its log and with an empty one', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await page.evaluate('globalThis.isTheSamePage = true');
    for (const log of [env.VENUE_LOG!, newLog()]) {
      // Kills all its processes, with SIGKILL.
      stage.venue.end();
      await linkIs(page, 'offline');
      stage.venue = await startTerminal('up', { ...env, VENUE_LOG: log });
      await linkIs(page, 'live');
      await chainStands(page);
    }
    assert.equal(await page.evaluate('globalThis.isTheSamePage'), true, 'without a reload');
    assertNoFaults(faults.filter((fault) => !ABOUT_THE_NETWORK.test(fault)));
    await page.context().close();
  });
});

/** Every state that the link turns to: a busy machine may look too seldom to see one that lasts for seconds. */
const COLLECT_STATES = `
  const sign = document.querySelector('[data-testid="link"]');
  globalThis.states = [];
  new MutationObserver(() => globalThis.states.push(sign.dataset.state)).observe(sign, { attributeFilter: ['data-state'] });
`;

async function linkIs(page: Page, state: string): Promise<void> {
  await page.locator(`[data-testid="link"][data-state="${state}"]`).waitFor({ timeout: WAIT_MS });
}

/** Withholds the chain's answers until the returned function is called. */
async function holdChain(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/v1/chain*', async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  return release;
}

/** Like a browser for a background tab. */
async function setShown(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${isShown ? 'visible' : 'hidden'}' });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

function chainReads(page: Page, ms: number): Promise<number> {
  return countReads(page, ms, '/v1/chain');
}

function allReads(page: Page, ms: number): Promise<number> {
  return countReads(page, ms, '/v1/');
}

/** Includes previews, which are POST requests. */
function allRequests(page: Page, ms: number): Promise<number> {
  return countReads(page, ms, '/v1/', ['GET', 'POST']);
}

async function countReads(page: Page, ms: number, part: string, methods = ['GET']): Promise<number> {
  let count = 0;
  const onRequest = (request: { url(): string; method(): string }) => {
    if (methods.includes(request.method()) && request.url().includes(part)) count += 1;
  };
  page.on('request', onRequest);
  await page.waitForTimeout(ms);
  page.off('request', onRequest);
  return count;
}
