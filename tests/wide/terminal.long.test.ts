/** The terminal in a real browser on a real paper venue: its content, and a first trade. */

// @process terminal-accounts
// @seconds 5

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  openPage,
  sendOrder,
  signInOnPaper,
} from './browser.ts';
import { sharedStage } from './stage.ts';

const missing = chromiumMissing();

describe('the terminal on paper', { skip: missing ?? false }, () => {
  const stage = sharedStage();

  it('shows a market, signs in, and buys at the market', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    // FEED-1: its prices come from no market, and the page says so.
    await page.getByText('SIMULATED PRICES', { exact: true }).waitFor();
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await signInOnPaper(page);
    const row = page.getByRole('tabpanel', { name: 'Positions' }).getByRole('row', { name: /call/ });
    // Less than the maker quotes at the best price, at whatever price that is by now: it fills whole.
    await page.getByLabel('Quantity').fill('0.1');
    await page.getByRole('radio', { name: 'Market' }).check();
    await sendOrder(page, /^PAPER Buy 0\.1 /, row);
    assert.match((await row.textContent())!, /call\+0\.1 long/);
    assertNoFaults(faults);
    await page.context().close();
  });
});
