/** Details that a person notices only when they are wrong: the first sight, the focus, notices, colours, the address, words. */

// @process terminal-layouts
// @seconds 6

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../e2e/launched.ts';
import {
  assertCoversNothing,
  assertNoFaults,
  chainStands,
  chromiumMissing,
  comesToHold,
  keepNotices,
  NO_WORKER,
  openPage,
  signInOnPaper,
  WAIT_MS,
  type WatchedPage,
} from './browser.ts';
import { sharedStage } from './stage.ts';

const missing = chromiumMissing();

describe('the manners of the terminal', { skip: missing ?? false }, () => {
  const stage = sharedStage();
  /** Each for two tests. */
  let ofEth: WatchedPage;
  let trader: WatchedPage;

  it('has something to see before any style sheet or script has come', async () => {
    const page = await stage.browser.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const held: (() => void)[] = [];
    let isHeld = true;
    await page.route('**/assets/**', async (route) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.goto(stage.venue.url, { waitUntil: 'commit' });
    await page.getByRole('img', { name: 'Venue is loading' }).waitFor();
    const paints = () =>
      page.evaluate<number>("performance.getEntriesByName('first-contentful-paint').length");
    await eventually('a first paint', async () => (await paints()) > 0);
    await eventually('something that is held back', () => held.length > 0);
    isHeld = false;
    for (const go of held) go();
    await chainStands(page);
    await page.close();
  });

  it('shows the skeleton within 300 ms of the first byte at fast 3G', async () => {
    // Without it nothing is painted before scripts of over 100 kB have come, at 200 kB a second. A loaded machine paints
    // anything late: a line of plain text beside it says how late, and the best of twenty counts.
    const waits: number[] = [];
    while (waits.length < 20 && !waits.some((ms) => ms <= 300)) {
      const plain = await firstPaintMs(stage.browser, `${stage.venue.url}/livez`);
      const skeleton = await firstPaintMs(stage.browser, stage.venue.url);
      waits.push(skeleton - plain);
    }
    assert.ok(Math.min(...waits) <= 300, `${waits.map(Math.round).join(', ')} ms`);
  });

  it('draws the payoff of a contract around the spot of its own underlying, whatever is on the chain', async () => {
    ofEth = await openPage(stage.browser, `${stage.venue.url}/#ETH`);
    const { page, faults } = ofEth;
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.ask').focus();
    await page.keyboard.press('w');
    await page.getByRole('tab', { name: 'Watch' }).click();
    const list = page.getByRole('table', { name: 'Watch list' });
    await list.getByRole('button', { name: /^Buy ETH / }).waitFor();
    await page.evaluate("location.hash = 'BTC'");
    await page.locator('.market-spot', { hasText: /\d\d,\d{3}/ }).waitFor();
    await chainStands(page);
    await list.getByRole('button', { name: /^Buy ETH / }).click();
    const prices = page.locator('.ticket .payoff-tick');
    await comesToHold('prices about that of ETH', async () => {
      const shown = (await prices.allTextContents()).map((text) => Number(text.replaceAll(',', '')));
      assert.ok(shown.length > 0 && shown.every((price) => price > 1_000 && price < 10_000), shown.join(' '));
    });
    assertNoFaults(faults);
    await page.keyboard.press('Escape');
    await page.locator('.ticket.empty').waitFor();
  });

  it('keeps symbol, expiry and contract in the address, and comes back to them', async () => {
    const { page, faults } = ofEth;
    await page.evaluate("location.hash = 'ETH'");
    await page.locator('.Header_symbols [aria-current="true"]', { hasText: /^ETH/ }).waitFor();
    await chainStands(page);
    const before = await hashOf(page);
    await page.getByRole('tablist', { name: 'Expiries' }).getByRole('tab').nth(2).click();
    const expiry = await eventually('another expiry in the address', async () => {
      const hash = await hashOf(page);
      return hash !== before && /^ETH-(\d+)$/.exec(hash)?.[1];
    });
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.put.ask', { hasText: /\d/ }).click();
    const contract = await eventually('a contract in the address', async () => {
      const hash = await hashOf(page);
      return hash.startsWith(`ETH-${expiry}-P-`) && hash;
    });
    const title = await page.locator('.ticket h2').textContent();
    await page.reload();
    await page.locator('.ticket h2', { hasText: title! }).waitFor();
    await chainStands(page);
    assert.equal(await hashOf(page), contract);
    let told = 0;
    for (const gone of ['NOPE', 'BTC-1000000000', `ETH-${expiry}-P-1.5`]) {
      await page.evaluate(`location.hash = '${gone}'`);
      await page.getByRole('tab', { name: 'Log' }).click();
      await eventually(
        `a word about ${gone}`,
        async () => (await page.locator('.Log_log li', { hasText: 'Link not found' }).count()) > told,
        WAIT_MS,
      );
      told += 1;
      await chainStands(page);
      await eventually('another address', async () => (await hashOf(page)) !== gone);
    }
    assertNoFaults(faults);
    await page.context().close();
  });

  it('leaves the focus where a person signed in, and no notice over anything', async () => {
    trader = await openPage(stage.browser, stage.venue.url);
    const { page, faults } = trader;
    await chainStands(page);
    await page.locator('.session-button').click();
    await page.getByRole('dialog', { name: 'Session' }).getByText('Start with a paper account').click();
    await page.locator('.Header_sums').getByText('Buying power').waitFor();
    await hasFocus(page, '.session-button');
    await page.locator('.session-button').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('tr[data-at-the-money] td.call.bid', { hasText: /\d/ }).click();
    await signInOnPaper(page);
    await hasFocus(page, '.ticket input[name="qty"]');
    await keepNotices(page);
    await page.getByRole('button', { name: 'Turn on margin' }).click();
    const notice = page.locator('.Notices_notice', { hasText: 'Margin on' }).first();
    await notice.waitFor();
    for (const [width, height] of [
      [1_440, 900],
      [390, 844],
      [800, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await comesToHold(`${width} px wide`, () => assertCoversNothing(page, notice));
    }
    assertNoFaults(faults);
  });

  it('tints what is in the money from the edge to the strike, on either side', async () => {
    // Without flashes, which would be another ground.
    const { page } = trader;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1_920, height: 1_080 });
    const grounds = (moneyness: string, side: 'preceding' | 'following') =>
      page.evaluate<string[]>(`(() => {
        const row = document.querySelector('tr[data-moneyness="${moneyness}"]');
        const cells = [...row.children];
        const strike = cells.findIndex((cell) => cell.classList.contains('strike'));
        const half = '${side}' === 'preceding' ? cells.slice(0, strike) : cells.slice(strike + 1);
        return [...new Set(half.map((cell) => getComputedStyle(cell).backgroundColor))];
      })()`);
    for (const [moneyness, side] of [
      ['call-in', 'preceding'],
      ['put-in', 'following'],
    ] as const) {
      await comesToHold(`the ground of ${moneyness}`, async () => {
        const found = await grounds(moneyness, side);
        assert.equal(found.length, 1, found.join(' and '));
        assert.notEqual(found[0], 'rgba(0, 0, 0, 0)');
      });
    }
    await page.context().close();
  });
});

/** From the first byte to the first paint of text at fast 3G, by the browser's own clock, with nothing cached. */
async function firstPaintMs(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ ...NO_WORKER, viewport: { width: 1_440, height: 900 } });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', FAST_3G);
  await page.goto(url, { waitUntil: 'commit' });
  const look = () =>
    page.evaluate<number | null>(`(() => {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      const [{ responseStart }] = performance.getEntriesByType('navigation');
      return paint === undefined ? null : paint.startTime - responseStart;
    })()`);
  const paint = await eventually('a first paint', look, WAIT_MS);
  await context.close();
  return paint;
}

const FAST_3G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };

async function hashOf(page: Page): Promise<string> {
  return page.evaluate<string>('location.hash.slice(1)');
}

async function hasFocus(page: Page, selector: string): Promise<void> {
  const isThere = () =>
    page.evaluate<boolean>(`document.activeElement.matches('${selector.replaceAll("'", '"')}')`);
  await eventually(`the focus on ${selector}`, isThere, WAIT_MS);
}
