/** How the terminal announces fills of resting orders, in two tabs of a real browser, visible and hidden. */

// @process own-market
// @seconds 8

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually } from '../e2e/launched.ts';
import { assertAccessible } from './axe.ts';
import {
  assertNoFaults,
  chromiumMissing,
  keepNotices,
  openPage,
  signInWithKey,
  WAIT_MS,
  watchFaults,
} from './browser.ts';
import { placed, sharedMarket } from './own-market.ts';

const missing = chromiumMissing();

async function otherTab(context: BrowserContext, url: string): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  const faults = watchFaults(page);
  await page.goto(url);
  await page.locator('.Header_sums').getByText('Buying power').waitFor();
  return { page, faults };
}

/** Sets a page's visibility, as the page sees it. */
async function look(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${isShown ? 'visible' : 'hidden'}' });
    document.dispatchEvent(new Event('visibilitychange'));`);
}

async function linesOver(pages: readonly Page[], text: RegExp): Promise<number> {
  const counts = await Promise.all(
    pages.map((page) => page.locator('.Log_log li', { hasText: text }).count()),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('fills of resting orders in the terminal', { skip: missing ?? false }, () => {
  const stage = sharedMarket();

  it('appear as one card per order in one of two tabs, in the title while hidden, and as a summary after an absence', async () => {
    const [call] = stage.venue.calls;
    const { key, client } = await stage.venue.trader();
    const { client: other } = await stage.venue.trader();
    await other.orders.setMargin(true);
    const sell = (qty: number) => placed(other, { seriesId: call, side: 'sell', qty, price: 100 });
    await placed(client, { seriesId: call, side: 'buy', qty: 3, price: 100 });
    const first = await openPage(stage.browser, stage.venue.url);
    await signInWithKey(first.page, key);
    const context = first.page.context();
    const second = await otherTab(context, stage.venue.url);
    const tabs = [first.page, second.page];
    await first.page.getByRole('tab', { name: 'Orders 1' }).waitFor();
    await second.page.getByRole('tab', { name: 'Orders 1' }).waitFor();
    for (const page of tabs) await page.getByRole('tab', { name: 'Log' }).click();

    await sell(0.5);
    await eventually(
      'a line',
      async () => (await linesOver(tabs, /Filled 0\.5 of 3: buy BTC .* call/)) === 1,
      WAIT_MS,
    );
    await sell(0.5);
    await eventually(
      'the same order again',
      async () => (await linesOver(tabs, /Filled 1 of 3/)) === 1,
      WAIT_MS,
    );

    for (const page of tabs) await look(page, false);
    await sell(0.5);
    const titles = () => Promise.all(tabs.map((page) => page.title()));
    await eventually(
      'a title',
      async () => (await titles()).filter((title) => /^\(1\) filled · /.test(title)).length === 1,
      WAIT_MS,
    );
    const teller = tabs[(await titles()).findIndex((title) => title.startsWith('(1)'))]!;
    await keepNotices(teller);
    await look(teller, true);
    await eventually('a plain title', async () => !(await teller.title()).includes('filled'));
    await teller.locator('.Notices_notice', { hasText: /Filled 1\.5 of 3/ }).waitFor();
    assert.equal(
      await teller.locator('.Log_log li', { hasText: /Filled .* buy BTC/ }).count(),
      1,
      'a line an order',
    );
    await teller.getByLabel('Play a sound').check();
    await assertAccessible(teller, '.dock');

    for (const page of tabs) await page.goto('about:blank');
    await sell(1);
    const back = await otherTab(context, stage.venue.url);
    const sheet = back.page.locator('.Notices_notice', { hasText: 'While you were away' });
    await sheet.getByText('1 order filled. Cash −$100.00.').waitFor();
    await sheet.getByText(/^Bought 1 BTC .* call at 100\.00$/).waitFor();
    await assertAccessible(back.page, '.Notices_notices');
    await back.page.reload();
    await back.page.getByRole('tab', { name: 'Orders 1' }).waitFor();
    await back.page.waitForTimeout(1_500);
    assert.equal(await back.page.locator('.Notices_notice').count(), 0, 'told once');
    assertNoFaults([...first.faults, ...second.faults, ...back.faults]);
    await context.close();
  });
});
