/** The terminal without quotes or fresh prints: unknown values are shown as unknown. */

// @seconds 35

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarginReport } from '@venue/protocol';
import type { VenueClient } from '@venue/sdk';
import type { Page } from 'playwright-core';
import { assertAccessible } from './axe.ts';
import { assertNoFaults, chromiumMissing, comesToHold, openPage, signInWithKey } from './browser.ts';
import { OwnMarket, placed } from './own-market.ts';
import { faketimeMissing, ShiftedClock } from './shifted-clock.ts';
import { stageOf } from './stage.ts';

const missing = chromiumMissing() ?? faketimeMissing();
const TICK_MS = 60_000;
const MAKER_TOKEN = 'maker-token-of-the-test';
/** More than the minute for which a print is fresh. */
const LATER_MS = 70_000;

/** A browser that takes a while to open its storage. */
const SLOW_STORAGE = `Object.defineProperty(IDBOpenDBRequest.prototype, 'onsuccess', {
  set(act) {
    this.addEventListener('success', (event) => setTimeout(() => act.call(this, event), 1_500));
  },
})`;

/** Waits for the texts of the only position in these columns: prices and account are read one after the other. */
async function positionShows(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  const row = page.getByRole('table', { name: 'Positions', exact: true }).locator('tbody tr');
  await comesToHold('the position', async () => {
    const shown: Record<string, string> = {};
    for (const head of Object.keys(texts))
      shown[head] = (await row.locator(`td[data-head="${head}"]`).textContent()) ?? '';
    assert.deepEqual(shown, texts);
  });
}

/** The pixels by which the account's panel is too wide. */
function sidewaysPx(page: Page): Promise<number> {
  return page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
    document.querySelector('.dock .panel'))`);
}

/** Annotates a series as the market maker, without quotes. */
async function annotate(client: VenueClient, seriesId: string, iv: number): Promise<void> {
  const series = await client.market.series('BTC');
  const { sid } = series.find((one) => one.seriesId === seriesId)!;
  const maker = client.maker(MAKER_TOKEN);
  const { session } = await maker.session('annotate');
  await maker.quotes(session, [[sid, null, null, iv]]);
}

describe('the terminal without quotes', { skip: missing ?? false }, () => {
  const stage = stageOf(() => OwnMarket.start(TICK_MS, { VENUE_MAKER_TOKEN: MAKER_TOKEN }));

  it('MARK-1: shows no mark, value or result for an unquoted contract, and says that nobody quotes it', async () => {
    const [call] = stage.venue.calls;
    const { key, client } = await stage.venue.trader();
    await stage.venue.quote(call, 100, 120, 2);
    await placed(client, { seriesId: call, side: 'buy', qty: 2, price: 120 });
    const { page, faults } = await openPage(stage.browser, stage.venue.chainOf(call));
    const quiet = page.getByTestId('quiet');
    await quiet.getByText(/only 1 of \d+ contracts is quoted/).waitFor();
    await signInWithKey(page, key);
    await positionShows(page, { Mark: '100.00', Value: '+200.00', 'Unrealised P&L': '−40.00' });
    await page.locator('.Header_sums dd').filter({ hasText: /^\$/ }).first().waitFor();

    await stage.venue.clear('');
    await quiet.getByText('No quotes for BTC').waitFor();
    await quiet.getByText('No market maker is active.').waitFor();
    await page.locator('.Header_sums dd', { hasText: /^≥ \$/ }).waitFor();
    await positionShows(page, { 'Avg price': '120.00', Mark: '–', Value: '–', 'Unrealised P&L': '–' });
    await page.getByRole('tab', { name: 'Account' }).click();
    const account = page.getByRole('tabpanel', { name: 'Account' });
    await account
      .getByText('The venue counts 1 position that nobody quotes as 0.00 in equity and margin.')
      .waitFor();
    assert.equal(await account.getByText('−240').count(), 0, 'the price that was paid is no loss');
    const line = account.getByRole('row', { name: /^BTC/ });
    await comesToHold('the line of the underlying', async () => {
      assert.equal(await line.locator('td[data-head="Positions"]').textContent(), '1 (1 unquoted)');
      assert.equal(await line.locator('td[data-head="Unrealised"]').textContent(), '–');
      // What closed contracts realised is in none of the lines by underlying.
      assert.equal(await line.locator('td[data-head="Realised of open positions"]').textContent(), '0.00');
    });
    await assertAccessible(page, '.dock');

    await stage.venue.quote(call, 130, 150, 1);
    await quiet.getByText(/only 1 of/).waitFor();
    await page.getByRole('tab', { name: /^Positions/ }).click();
    await positionShows(page, { Mark: '140.00', Value: '+280.00', 'Unrealised P&L': '+40.00' });
    assertNoFaults(faults);
    await page.context().close();
  });

  it('RSK-1, RSK-2, QTS-4: shows what marks are made of, and what quote sets reserve', async () => {
    const [, call] = stage.venue.calls;
    const { key, client } = await stage.venue.trader();
    await annotate(client, call, 0.5);
    await stage.venue.quote(call, 3_000, 3_200, 2);
    await placed(client, { seriesId: call, side: 'buy', qty: 1, price: 3_200 });
    await client.quotes.protect({ set: 1, symbol: 'BTC', windowMs: 1_000, qty: 10, frozenMs: 0 });
    await client.quotes.push(1, [{ seriesId: call, bids: [[10, 2]], asks: [] }]);
    const { page, faults } = await openPage(stage.browser, stage.venue.chainOf(call));
    await signInWithKey(page, key);
    await page.getByRole('tab', { name: /^Positions/ }).click();
    await page.getByRole('button', { name: 'About marks and greeks' }).click();
    await page.getByRole('button', { name: 'How they come about' }).click();
    const account = page.getByRole('tabpanel', { name: 'Account' });
    await account.getByRole('row', { name: 'Quote sets Reserve – – 20.00' }).waitFor();
    await account.getByText('This venue marks by the book').waitFor();
    const row = account.getByRole('table', { name: 'Marks' }).locator('tbody tr');
    assert.equal(await row.locator('td[data-head="Mark, by the book"]').textContent(), '3,100.00');
    assert.match(
      (await row.locator('td[data-head="Model, for information"]').textContent()) ?? '',
      /\d\.\d\d$/,
    );
    assert.equal(await row.locator('td[data-head="IV"]').textContent(), '50.0%');

    // The report as a venue gives it that marks by the model.
    await page.route('**/v1/margin', async (route) => {
      const response = await route.fetch();
      const report: MarginReport = await response.json();
      const marks = report.marks.map((one) => ({
        ...one,
        model: 2_950,
        ask: 3_250,
        bid: 3_000,
        risk: 3_000,
      }));
      await route.fulfill({ response, json: { ...report, riskMark: 'model', marks } });
    });
    await account.getByText('This venue marks by a model').waitFor();
    for (const width of [1_024, 1_366, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      await comesToHold(`${width} px wide`, async () => assert.equal(await sidewaysPx(page), 0));
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await account.getByText('This venue marks by a model').scrollIntoViewIfNeeded();
    const texts = await row.locator('td').allTextContents();
    assert.deepEqual(texts, ['50.0%', '2,950.00', '3,000.00', '3,250.00', '3,000.00', 'impact bid']);
    await comesToHold('a page as wide as the phone', async () =>
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0),
    );
    await assertAccessible(page, '.dock');
    assertNoFaults(faults);
    // A report may be pending in the route above.
    await page.unrouteAll({ behavior: 'wait' });
    await page.context().close();
  });

  it('FEED-2: distinguishes an unchanged price from one without prints', async () => {
    const { page, faults } = await openPage(stage.browser, 'about:blank');
    // The only message with the price comes before the storage has opened.
    await page.addInitScript(SLOW_STORAGE);
    await page.goto(stage.venue.url);
    const sign = page.getByTestId('link');
    await sign.getByText(/no move for [1-9]\d s/).waitFor();
    assert.equal(await sign.getAttribute('data-state'), 'live', 'sources print, the same price');
    await page.context().close();

    await stage.venue.restartWithoutFeed(new ShiftedClock(Date.now() + LATER_MS).env);
    const later = await openPage(stage.browser, stage.venue.url);
    const old = later.page.getByTestId('link');
    await old.getByText('Spot is stale').waitFor();
    // A minute or more: a busy machine opens the page late.
    await old.getByText(/no move for (?:[6-9]\d s|1[01]\d s|\d+ min)/).waitFor();
    await later.page
      .getByTestId('quiet')
      .getByText('No source has printed a BTC price for a minute')
      .waitFor();
    await assertAccessible(later.page);
    assertNoFaults([...faults, ...later.faults]);
    await later.page.context().close();
  });
});
