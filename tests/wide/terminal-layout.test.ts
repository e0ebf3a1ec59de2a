/** Where things stand, from a phone to a wide monitor, and that nothing of it jumps. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  type LocalTerminal,
  openPage,
  startBrowser,
  startTerminal,
} from './browser.ts';

const missing = chromiumMissing();

describe('the layout of the terminal', { skip: missing ?? false }, () => {
  let venue: LocalTerminal;
  let browser: Browser;
  before(async () => {
    [venue, browser] = await Promise.all([startTerminal(), startBrowser()]);
  });
  after(async () => {
    await browser?.close();
    venue?.end();
  });

  it('has the columns that there is room for, and never scrolls sideways', async () => {
    const { page, faults } = await openPage(browser, venue.url);
    await chainStands(page);
    const wanted: readonly (readonly [number, readonly string[]])[] = [
      [2560, ['Call open interest', 'Call implied volatility', 'Call delta', 'Call bid', 'Put bid']],
      [1440, ['Call open interest', 'Call implied volatility', 'Call delta', 'Call bid', 'Put bid']],
      [1280, ['Call implied volatility', 'Call delta', 'Call bid', 'Put bid']],
      [1024, ['Call delta', 'Call bid', 'Put bid']],
      [390, ['Call delta', 'Call bid']],
      [320, ['Call bid']],
    ];
    const asked = [...new Set(wanted.flatMap(([, names]) => names))];
    for (const [width, names] of wanted) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(100);
      assert.equal(await overflowPx(page), 0, `${width} px wide`);
      const shown: string[] = [];
      for (const name of asked)
        if (await page.getByRole('columnheader', { name, exact: true }).isVisible()) shown.push(name);
      assert.deepEqual(
        shown,
        asked.filter((name) => names.includes(name)),
        `${width} px wide`,
      );
      assert.deepEqual(await cutOffPrices(page), [], `${width} px wide`);
    }
    assertNoFaults(faults);
    await page.context().close();
  });

  it('keeps bid left of ask, own beside the strike, and every row as high as the next', async () => {
    const { page } = await openPage(browser, venue.url, { viewport: { width: 1_920, height: 1_080 } });
    await chainStands(page);
    const row: string[] = await page.evaluate(`
      [...document.querySelectorAll('tr[data-at-the-money] > *')].map((cell) => cell.className)`);
    const strike = row.indexOf('strike');
    assert.deepEqual([row[strike - 1], row[strike + 1]], ['own', 'own']);
    assert.ok(row.indexOf('call bid') < row.indexOf('call ask'));
    assert.ok(row.indexOf('put bid') < row.indexOf('put ask'));
    const heights = await rowHeights(page);
    assert.equal(heights.length, 1, `heights ${heights}`);
    assert.equal(await page.locator('tr[data-money-line]').count(), 1);
    await page.context().close();
  });

  it('on a phone: one side as a list, rows for fingers, five tabs, and a ticket whose button is in view', async () => {
    const { page, faults } = await openPage(browser, venue.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await chainStands(page);
    assert.ok((await rowHeights(page))[0]! >= 44);
    const tabs = page.getByRole('navigation', { name: 'Parts of the page' }).getByRole('button');
    assert.equal(await tabs.count(), 5);
    for (const box of await Promise.all((await tabs.all()).map((tab) => tab.boundingBox())))
      assert.ok(box!.height >= 56);
    await page.getByRole('button', { name: 'Puts' }).tap();
    await page.locator('tr[data-at-the-money] td.put.ask', { hasText: /\d/ }).tap();
    const send = page.getByRole('button', { name: /^PAPER Buy/ });
    await send.waitFor();
    const box = (await send.boundingBox())!;
    assert.ok(box.y >= 0 && box.y + box.height <= 844 - 56, `the button at ${box.y}`);
    const sizes: number[] = await page.evaluate(`
      [...document.querySelectorAll('.ticket input:not([type=radio])')].map((one) => parseFloat(getComputedStyle(one).fontSize))`);
    assert.ok(
      sizes.length >= 2 && sizes.every((size) => size >= 16),
      `inputs of ${sizes} px make a phone zoom`,
    );
    await page.getByRole('button', { name: 'Close the ticket' }).tap();
    await page.getByRole('button', { name: /^Orders/ }).tap();
    await page.getByRole('tabpanel', { name: 'Orders' }).waitFor();
    assert.ok(!(await page.getByTestId('chain').isVisible()));
    assert.ok(await page.getByTestId('link').isVisible(), 'the link is always in sight');
    assertNoFaults(faults);
    await page.context().close();
  });

  it('keeps the colours that were chosen', async () => {
    const { page } = await openPage(browser, venue.url, { colorScheme: 'dark' });
    await chainStands(page);
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    assert.equal(await ground(), 'rgb(14, 17, 22)');
    await page.getByRole('button', { name: /^Colours: Auto/ }).click();
    await page.getByRole('button', { name: /^Colours: Dark/ }).click();
    assert.equal(await ground(), 'rgb(255, 255, 255)');
    await page.reload();
    await chainStands(page);
    assert.equal(await ground(), 'rgb(255, 255, 255)');
    await page.getByRole('button', { name: /^Colours: Light/ }).click();
    assert.equal(await ground(), 'rgb(14, 17, 22)');
    await page.context().close();
  });

  it('says paper everywhere that money could be meant', async () => {
    const { page } = await openPage(browser, venue.url);
    await chainStands(page);
    assert.match(await page.title(), /PAPER/);
    assert.ok(await page.getByText('PAPER', { exact: true }).isVisible());
    await page.context().close();
  });
});

function overflowPx(page: Page): Promise<number> {
  return page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
}

/** Prices of which a digit is not seen. */
function cutOffPrices(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll('.chain td:is(.bid, .ask, .mark)')]
      .filter((cell) => cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.textContent)`);
}

/** Each height that some row has, once. */
function rowHeights(page: Page): Promise<number[]> {
  return page.evaluate(`
    [...new Set([...document.querySelectorAll('.chain tbody tr')].map((row) => row.getBoundingClientRect().height))]`);
}
