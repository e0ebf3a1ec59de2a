/** Shows what-ifs, chosen columns and net greeks, in a real browser on a real venue. */

// @process own-market
// @seconds 13

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VenueClient } from '@venue/sdk';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible } from './axe.ts';
import {
  assertNoFaults,
  chromiumMissing,
  comesToHold,
  openPage,
  signInWithKey,
  type WatchedPage,
} from './browser.ts';
import { sharedMarket } from './own-market.ts';

const WIDE = { viewport: { width: 1_900, height: 1_060 } };
const MID = 1_700;

describe('the what-if and its greeks', { skip: chromiumMissing() ?? false }, () => {
  const stage = sharedMarket();
  /** The page of an account that is short of calls, for two tests. */
  let wide: WatchedPage;
  const address = () => stage.venue.chainOf(stage.venue.calls[1]);

  /** An account that is short of two calls, and has bought one of a higher strike. */
  async function shortCalls() {
    const { key, client } = await stage.venue.trader();
    await client.orders.setMargin(true);
    const [, first] = stage.venue.calls;
    const second = await fourAbove(client, first);
    for (const seriesId of [first, second]) await stage.venue.quote(seriesId, MID - 10, MID + 10, 3);
    await client.orders.place({ seriesId: first, side: 'sell', qty: 2, price: MID - 10 });
    await client.orders.place({ seriesId: second, side: 'buy', qty: 1, price: MID + 10 });
    return { key, client };
  }

  it('CMB-4: the middle is the account to the cent, and a move what the venue says of it', async () => {
    const { key, client } = await shortCalls();
    wide = await openPage(stage.browser, address(), WIDE);
    const { page, faults } = wide;
    await page.locator('td.call.ask', { hasText: '1,710.00' }).first().waitFor();
    const scripts = await scriptsOf(page);
    assert.ok(!scripts.some((name) => /WhatIf/.test(name)), 'loaded before its use');
    await signInWithKey(page, key);
    await page.getByRole('button', { name: 'What-if', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'What-if' });
    const { account } = await client.account.simulate({});
    await panelShows(panel, {
      Change: '0.00',
      Equity: usd(account.equity),
      Maintenance: usd(account.maintenanceMargin),
    });
    await page.locator('.Header_sums', { hasText: usd(account.equity) }).waitFor();
    await comesToHold('the table of moves', async () => {
      assert.equal(await panel.locator('.WhatIf_heat tbody tr').count(), 9);
      assert.equal(await panel.locator('.WhatIf_heat tbody td').count(), 54);
    });

    await panel.getByRole('slider', { name: 'Spot' }).fill('20');
    await panel.getByRole('slider', { name: 'Volatility' }).fill('15');
    const told = await client.account.simulate({ spotShift: 0.2, volShift: 0.15 });
    await panelShows(panel, {
      Locked: usd(told.account.locked),
      Maintenance: usd(told.account.maintenanceMargin),
    });
    await equityIsNear(panel, told.account.equity);
    await defineRisk(client);
    const covered = await client.account.simulate({ spotShift: 0.2, volShift: 0.15 });
    assert.ok(covered.account.locked < told.account.locked - 1_000);
    await panelShows(panel, { Locked: usd(covered.account.locked) });

    // By keys: from 20 % a step is half a percent.
    const spot = panel.getByRole('slider', { name: 'Spot' });
    await spot.focus();
    await page.keyboard.press('ArrowRight');
    await spot.and(page.locator('[aria-valuetext^="+20.50%"]')).waitFor();
    await assertAccessible(page, '.what-if-beside');
    await panel.getByRole('button', { name: 'Back to the present' }).click();
    await panelShows(panel, { Change: '0.00' });
    await page.getByRole('button', { name: 'Close the what-if' }).click();
    await panel.waitFor({ state: 'detached' });
    assertNoFaults(faults);
  });

  it('TERM-13: columns are chosen and come back, with greeks that cost no channel; positions have totals', async () => {
    const { page, faults } = wide;
    await page.getByRole('button', { name: 'Columns of the chain' }).click();
    const choice = page.getByRole('dialog', { name: 'Columns of the chain' });
    for (const name of ['gamma', 'ask volatility']) await choice.getByRole('checkbox', { name }).check();
    await choice.getByText('no room at this width').first().waitFor();
    for (const name of ['mark', 'sizes', 'volume', 'open interest', 'implied volatility'])
      await choice.getByRole('checkbox', { name, exact: true }).uncheck();
    await choice.getByText('no room at this width').first().waitFor({ state: 'detached' });
    await choice.getByRole('button', { name: 'Move gamma up' }).click();
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    const row = page.locator('tr[data-at-the-money]').first();
    const quoted = page.locator('tr', { has: page.locator('td.call.ask', { hasText: '1,710.00' }) }).first();
    await quoted.locator('td.call.gamma', { hasText: /^0\.0000\d\d$/ }).waitFor();
    await quoted.locator('td.call.askIv', { hasText: /^\d+\.\d%$/ }).waitFor();
    const order = () =>
      row.locator('td.put').evaluateAll((cells) => cells.map((cell) => cell.className.split(' ')[1]));
    const chosen = await order();
    const asked: string[] = [];
    page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => asked.push(`${payload}`)));
    await page.reload();
    await quoted.locator('td.call.gamma', { hasText: /^0\.0000\d\d$/ }).waitFor();
    assert.deepEqual(await order(), chosen);

    const positions = page.getByRole('tabpanel', { name: 'Positions' });
    await positions.getByRole('button', { name: 'By expiry' }).click();
    const total = positions.locator('tr[data-kind="total"]');
    await total.locator('td[data-head="Delta"]', { hasText: /^−0\.\d\d$/ }).waitFor();
    await positions.getByRole('columnheader', { name: 'Delta' }).getByRole('button').click();
    await positions.locator('th[aria-sort="descending"]', { hasText: 'Delta' }).waitFor();
    const first = positions.locator('tbody tr').first();
    assert.match((await first.locator('td[data-head="Position"]').textContent()) ?? '', /^\+1 long$/);
    assert.match(asked.join(), /"chain:BTC:/);
    assert.doesNotMatch(asked.join(), /"ticker:/);
    assertNoFaults(faults);
    const odd = '{"state":{"chain":[null,"rho"],"positions":7},"version":1}';
    await page.evaluate((kept) => localStorage.setItem('venue-columns', kept), odd);
    await page.reload();
    await page.getByTestId('chain').waitFor();
    await page.locator('th.call.delta').first().waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });

  it('MAR-3: says where it would be called and liquidated, and days pass until all is paid out', async () => {
    const { key, client } = await stage.venue.trader();
    await client.orders.setMargin(true);
    const [, seriesId] = stage.venue.calls;
    await stage.venue.quote(seriesId, MID - 10, MID + 10, 4);
    await client.orders.place({ seriesId, side: 'sell', qty: 4, price: MID - 10 });
    const { page, faults } = await openPage(stage.browser, address());
    await page.getByTestId('chain').waitFor();
    await signInWithKey(page, key);
    await page.getByRole('tab', { name: 'What-if' }).click();
    const panel = page.getByRole('tabpanel', { name: 'What-if' });
    await panel.getByText(/^No margin call here\. Liquidated from \+\d+\.\d\d% up\.$/).waitFor();
    await panel.getByRole('slider', { name: 'Spot' }).fill('30');
    await panel.getByText(/^Margin call here: .*Liquidated from/).waitFor();
    await panel.locator('.WhatIf_heat td[data-called]', { hasText: 'margin call' }).first().waitFor();
    await panel.locator('.WhatIf_stops button').first().click();
    await panel.getByText('Everything has expired').waitFor();
    await panelShows(panel, { Locked: '0.00', Maintenance: '0.00' });
    assertNoFaults(faults);
    await page.context().close();
  });
});

async function defineRisk(client: VenueClient): Promise<void> {
  await client.orders.batch([{ type: 'margin-mode', mode: 'defined-risk' }]);
}

/** The call four strikes higher. */
async function fourAbove(client: VenueClient, seriesId: string): Promise<string> {
  const series = await client.market.series('BTC');
  const { expiryTs } = series.find((one) => one.seriesId === seriesId)!;
  const calls = series
    .filter((one) => one.expiryTs === expiryTs && one.right === 'C')
    .sort((a, b) => a.strike - b.strike);
  return calls[calls.findIndex((one) => one.seriesId === seriesId) + 4]!.seriesId;
}

function usd(amount: number): string {
  return amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** Waits for figures by their names. */
async function panelShows(panel: Locator, figures: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(figures))
    await panel.locator('dl > div', { hasText: name }).filter({ hasText: text }).waitFor();
}

/** Minutes pass between the answers of two moments, and the model goes by them. */
async function equityIsNear(panel: Locator, equity: number): Promise<void> {
  await comesToHold('the equity of the venue', async () => {
    const text = (await panel.locator('dl > div', { hasText: 'Equity' }).locator('dd').textContent()) ?? '';
    const shown = Number(text.replace('−', '-').replace(/[^\d.-]/g, ''));
    assert.ok(Math.abs(shown - equity) < 25, `${shown}, not ${equity}`);
  });
}

async function scriptsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
}
