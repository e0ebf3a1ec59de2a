/** Every state of the terminal by axe; what only an expiry shows is in terminal-expiry. */

// @seconds 93

import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { SMALL_MARKET } from '../e2e/launched.ts';
import { assertAccessible } from './axe.ts';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  openPage,
  sendOrder,
  signInOnPaper,
  startTerminal,
  type WatchedPage,
} from './browser.ts';
import { stageOf } from './stage.ts';

describe('the terminal by axe', { skip: chromiumMissing() ?? false }, () => {
  const stage = stageOf(() =>
    startTerminal('up', { ...SMALL_MARKET, VENUE_STRIKES_PER_SIDE: '2', VENUE_RISK_MARK: 'model' }),
  );
  /** Holds a position; the charts go on with it. */
  let trader: WatchedPage;

  it('has nothing that axe would change, in either scheme, with marks of a model (RSK-2)', async () => {
    trader = await openPage(stage.browser, stage.venue.url);
    const { page, faults } = trader;
    await chainStands(page);
    await assertAccessible(page);
    await page.locator('.MarketHead_marketHead').getByRole('button', { name: '30-day vol' }).click();
    await assertAccessible(page, '.MarketHead_marketHead');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Symbols' }).waitFor();
    await assertAccessible(page, '.SymbolSwitcher_switcher');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'How it settles' }).click();
    await assertAccessible(page, '.Expiry_explanation');
    await page.keyboard.press('Escape');
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await assertAccessible(page, '.side');
    await signInOnPaper(page);
    await page.locator('.ticket').getByText('As a table').click();
    await page.getByText('Market', { exact: true }).click();
    await assertAccessible(page, '.side');
    const positions = page.getByRole('tabpanel', { name: 'Positions' });
    await sendOrder(page, /^PAPER Buy 1 /, positions.getByRole('row', { name: /call/ }));
    await assertAccessible(page, '.Notices_notices');
    for (const name of ['Positions', 'Orders', 'Closed', 'Fills', 'Account', 'Log']) {
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
      if (name === 'Account') await marksCome(page);
      await assertAccessible(page, '.dock');
    }
    await page.getByRole('button', { name: 'Strategies' }).click();
    await page.getByRole('button', { name: 'Iron condor', exact: true }).click();
    await page.locator('.leg-chip').nth(3).waitFor();
    await assertAccessible(page, '.side');
    await assertAccessible(page, '.leg-chip');
    await page.getByRole('button', { name: 'Close the tray' }).click();
    await page.locator('.session-button').click();
    await page.getByRole('button', { name: /show its key/ }).click();
    await assertAccessible(page, '.session-menu');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Shortcuts and about' }).click();
    await assertAccessible(page, '.Help_help');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await assertAccessible(page);
    await page.getByRole('button', { name: /^Positions/ }).click();
    await assertAccessible(page, '.dock');
    assertNoFaults(faults);
  });

  it('has charts that axe would not change, as pictures and as tables', async () => {
    const { page, faults } = trader;
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await page.getByLabel('Limit price').fill('100');
    await sendOrder(page, /^PAPER Buy 1 /, page.getByRole('tab', { name: 'Orders 1' }));
    await page.getByRole('tab', { name: 'Charts' }).click();
    const pane = page.getByRole('region', { name: 'Chart', exact: true });
    for (const name of ['Spot', 'Contract', 'Depth', 'Smile', 'Payoff']) {
      await pane.getByRole('tab', { name }).click();
      await pane.getByRole('img').first().waitFor();
      if (name === 'Contract') await pane.getByRole('spinbutton', { name: /^Limit price/ }).press('ArrowUp');
      await assertAccessible(page, '.Charts_charts');
    }
    await pane.getByRole('button', { name: 'As a table' }).click();
    await assertAccessible(page, '.Charts_charts');
    assertNoFaults(faults);
    await page.context().close();
  });
});

/** Volatility, model, book and the mark that came of them are known at once. */
async function marksCome(page: Page): Promise<void> {
  const marks = page.getByRole('table', { name: 'Marks' });
  await marks.locator('tbody td', { hasText: /^\d+\.\d%$/ }).waitFor();
  await marks.getByRole('columnheader', { name: 'Model' }).waitFor();
}
