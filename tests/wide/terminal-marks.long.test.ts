/** Marks that come from a model, explained in the account tab. */

// @seconds 10

import { describe, it } from 'node:test';
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
  WAIT_MS,
} from './browser.ts';
import { stageOf } from './stage.ts';

describe('marks of a model', { skip: chromiumMissing() ?? false }, () => {
  const stage = stageOf(() => startTerminal('up', { ...SMALL_MARKET, VENUE_RISK_MARK: 'model' }));

  it('RSK-2: the account shows model, book and the mark that came of them', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await signInOnPaper(page);
    await page.getByText('Market', { exact: true }).click();
    const positions = page.getByRole('tabpanel', { name: 'Positions' });
    await sendOrder(page, /^PAPER Buy 1 /, positions.getByRole('row', { name: /call/ }));
    await page.getByRole('tab', { name: 'Account' }).click();
    const marks = page.getByRole('table', { name: 'Marks' });
    // Volatility, model, book and mark are known at once.
    await marks.locator('tbody td', { hasText: /^\d+\.\d%$/ }).waitFor({ timeout: WAIT_MS });
    await marks.getByRole('columnheader', { name: 'Model' }).waitFor({ timeout: WAIT_MS });
    await assertAccessible(page, '.dock');
    assertNoFaults(faults);
    await page.context().close();
  });
});
