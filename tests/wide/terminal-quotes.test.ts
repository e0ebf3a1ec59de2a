/** The terminal without quotes or fresh prints: unknown values are shown as unknown. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible } from './axe.ts';
import { assertNoFaults, chromiumMissing, openPage, signInWithKey, stageOf } from './browser.ts';
import { OwnMarket, placed } from './own-market.ts';
import { faketimeMissing, ShiftedClock } from './shifted-clock.ts';

const missing = chromiumMissing() ?? faketimeMissing();
const TICK_MS = 60_000;
/** More than the minute for which a print is fresh. */
const LATER_MS = 70_000;

/** The cells of the only position in these columns. */
function positionCells(page: Page, heads: readonly string[]): Promise<string[]> {
  const row = page.getByRole('table', { name: 'Positions', exact: true }).locator('tbody tr');
  return Promise.all(
    heads.map(async (head) => (await row.locator(`td[data-head="${head}"]`).textContent()) ?? ''),
  );
}

describe('the terminal without quotes', { skip: missing ?? false }, () => {
  const stage = stageOf(() => OwnMarket.start(TICK_MS, {}));

  it('MARK-1: shows no mark, value or result for an unquoted contract, and says that nobody quotes it', async () => {
    const [call] = stage.venue.calls;
    const { key, client } = await stage.venue.trader();
    await stage.venue.quote(call, 100, 120, 2);
    await placed(client, { seriesId: call, side: 'buy', qty: 2, price: 120 });
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    const quiet = page.getByTestId('quiet');
    await quiet.getByText(/only 1 of \d+ contracts is quoted/).waitFor();
    await signInWithKey(page, key);
    await page
      .getByRole('row', { name: /BTC .* 100,000 call/ })
      .getByText('100.00')
      .first()
      .waitFor();
    assert.deepEqual(await positionCells(page, ['Mark', 'Value', 'Unrealised P&L']), [
      '100.00',
      '+200.00',
      '−40.00',
    ]);
    assert.match((await page.locator('.sums dd').first().textContent())!, /^paper \$/);

    await stage.venue.clear('');
    await quiet.getByText('No quotes for BTC').waitFor();
    await quiet.getByText('No market maker is active.').waitFor();
    await page.locator('.sums dd', { hasText: /^≥ paper \$/ }).waitFor();
    assert.deepEqual(await positionCells(page, ['Avg price', 'Mark', 'Value', 'Unrealised P&L']), [
      '120.00',
      '–',
      '–',
      '–',
    ]);
    await page.getByRole('tab', { name: 'Account' }).click();
    const account = page.getByRole('tabpanel', { name: 'Account' });
    await account
      .getByText('The venue counts 1 position that nobody quotes as 0.00 in equity and margin.')
      .waitFor();
    assert.equal(await account.getByText('−240').count(), 0, 'the price that was paid is no loss');
    const line = account.getByRole('row', { name: /^BTC/ });
    assert.equal(await line.locator('td[data-head="Positions"]').textContent(), '1 (1 unquoted)');
    assert.equal(await line.locator('td[data-head="Unrealised"]').textContent(), '–');
    await assertAccessible(page, '.dock');

    await stage.venue.quote(call, 130, 150, 1);
    await quiet.getByText(/only 1 of/).waitFor();
    await page.getByRole('tab', { name: /^Positions/ }).click();
    await page.getByRole('table', { name: 'Positions', exact: true }).getByText('140.00').waitFor();
    assert.deepEqual(await positionCells(page, ['Mark', 'Value', 'Unrealised P&L']), [
      '140.00',
      '+280.00',
      '+40.00',
    ]);
    assertNoFaults(faults);
    await page.context().close();
  });

  it('FEED-2: distinguishes an unchanged price from one without prints', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    const sign = page.getByTestId('link');
    await sign.getByText(/no move for 1\d s/).waitFor({ timeout: 15_000 });
    assert.equal(await sign.getAttribute('data-state'), 'live', 'sources print, the same price');
    await page.context().close();

    await stage.venue.restartWithoutFeed(new ShiftedClock(Date.now() + LATER_MS).env);
    const later = await openPage(stage.browser, stage.venue.url);
    const old = later.page.getByTestId('link');
    await old.getByText('Spot is stale').waitFor();
    await old.getByText(/no move for 6\d s/).waitFor();
    await later.page
      .getByTestId('quiet')
      .getByText('No source has printed a BTC price for a minute')
      .waitFor();
    await assertAccessible(later.page);
    assertNoFaults([...faults, ...later.faults]);
    await later.page.context().close();
  });
});
