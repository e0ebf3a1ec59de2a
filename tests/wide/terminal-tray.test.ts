/** The strategy tray, in a real browser on a real venue. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertNoFaults, chromiumMissing, openPage, signInWithKey, stageOf } from './browser.ts';
import { OwnMarket } from './own-market.ts';

const missing = chromiumMissing();
/** Middles of the calls of a condor, the lowest strike first: it costs 20 to buy, and 20 to sell again. */
const MIDS = [2_600, 2_300, 1_700, 1_400];

describe('the strategy tray', { skip: missing ?? false }, () => {
  const stage = stageOf(() => OwnMarket.start(20_000, { VENUE_PAPER_CASH: '1000000' }));
  /** The second expiry: the first may be about to end. */
  const address = () => `${stage.venue.url}#${stage.venue.calls[1].split('-', 2).join('-')}`;

  it('CMB-1: a condor in three presses, and its close as one order', async () => {
    const { key, client } = await stage.venue.trader();
    await client.orders.setMargin(true);
    const [, expiry] = stage.venue.calls[1].split('-');
    const series = await client.market.series('BTC');
    const calls = series
      .filter(({ expiryTs, right }) => expiryTs === Number(expiry) && right === 'C')
      .sort((a, b) => a.strike - b.strike);
    const atm = calls.findIndex(({ seriesId }) => seriesId === stage.venue.calls[1]);
    for (const [i, offset] of [-2, -1, 1, 2].entries())
      await stage.venue.quote(calls[atm + offset]!.seriesId, MIDS[i]! - 5, MIDS[i]! + 5, 5);
    const { page, faults } = await openPage(stage.browser, address());
    await page.locator('td.call.ask', { hasText: '2,605.00' }).waitFor();
    await signInWithKey(page, key);
    const tray = page.getByRole('region', { name: 'Strategy tray' });
    await page.getByRole('button', { name: 'Strategies' }).click();
    await tray.getByRole('button', { name: 'Condor', exact: true }).click();
    await tray.getByText('Trades all 1 at once, at 20.00 a unit.').waitFor();
    const send = tray.locator('.send');
    assert.match(
      (await send.textContent()) ?? '',
      /^PAPER Buy 1 BTC \d+ \w+( \d+)? [\d./]+ call condor at 20\.00 · paper \$\d+\.\d\d$/,
    );
    await page.locator('.leg-chip').nth(3).waitFor();
    await send.click();
    await card(page, /1 filled at 20\.00\./).waitFor();
    const positions = await tab(page, 'Positions');
    await positions.getByRole('button', { name: 'Close 4 BTC positions as one order…' }).click();
    await tray.getByText(/^Trades all 1 at once/).waitFor();
    assert.match((await send.textContent()) ?? '', /Sell 1 BTC .+ call condor at a cost of 20\.00/);
    await send.click();
    await card(page, /1 filled at a cost of 20\.00\./).waitFor();
    await positions.getByText('No open positions').waitFor();
    const { orders } = await client.orders.list({ status: 'closed' });
    assert.deepEqual(
      orders.map((order) => 'legs' in order && order.legs.length),
      [4, 4],
    );
    assertNoFaults(faults);
    await page.context().close();
  });

  it('TERM-11: legs by Shift and keys, chips that move, and an address that names them', async () => {
    const { page, faults } = await openPage(stage.browser, address());
    await page.getByTestId('chain').waitFor();
    const row = page.locator('tr[data-at-the-money]').first();
    await row.locator('td.call.ask').click({ modifiers: ['Shift'] });
    await row.locator('td.put.ask').focus();
    await page.keyboard.press('+');
    const tray = page.getByRole('region', { name: 'Strategy tray' });
    await tray.getByRole('heading', { name: /straddle/ }).waitFor();
    const chip = page.locator('.leg-chip').first();
    await chip.focus();
    await page.keyboard.press('ArrowDown');
    await tray.getByRole('heading', { name: /strangle/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    const heading = await tray.getByRole('heading').textContent();
    const target = await page.locator('tr[data-at-the-money] + tr + tr + tr + tr').first().boundingBox();
    const from = await chip.boundingBox();
    await page.mouse.move(from!.x + 5, from!.y + 5);
    await page.mouse.down();
    await page.mouse.move(from!.x + 5, target!.y + 5, { steps: 4 });
    await page.mouse.up();
    assert.notEqual(await tray.getByRole('heading').textContent(), heading);
    const named = page.url();
    assert.match(named, /#buy1\.BTC-\d+-C-\d+,buy1\.BTC-\d+-P-\d+$/);
    await openLink(page, named);
    await tray.getByRole('heading', { name: /strangle/ }).waitFor();
    assert.equal(page.url(), named);
    await openLink(page, named.replace(/-C-\d+/, '-C-7'));
    await card(page, /One of its legs is not listed here/).waitFor();
    const [, leg] = named.split('#buy1.')[1]!.split(',buy1.');
    await openLink(page, `${stage.venue.url}#buy1.${leg},sell2.${leg}`);
    await tray.getByText('Another leg is that contract already.').waitFor();
    await openLink(page, `${stage.venue.url}#buy1.${leg},sell2.nonsense`);
    await page.getByTestId('chain').waitFor();
    assert.equal(await tray.count(), 0);
    assertNoFaults(faults);
    await page.context().close();
  });
});

/** A page of its own at an address, as a link opens it. */
async function openLink(page: Page, address: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address);
}

function card(page: Page, text: RegExp): Locator {
  return page.locator('.notice', { hasText: text }).first();
}

async function tab(page: Page, name: string): Promise<Locator> {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  return page.getByRole('tabpanel', { name });
}
