/** The strategy tray, in a real browser on a real venue. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  openPage,
  signInOnPaper,
  stageOf,
  startTerminal,
} from './browser.ts';

const missing = chromiumMissing();

describe('the strategy tray', { skip: missing ?? false }, () => {
  const stage = stageOf(() => startTerminal('up', { VENUE_PAPER_CASH: '1000000' }));

  it('CMB-1: a condor in three presses, and its close as one order', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.ask').first().click();
    await signInOnPaper(page);
    await page.keyboard.press('Escape');
    await tab(page, 'Account');
    await page.getByRole('switch', { name: /^Margin is/ }).click();
    await card(page, /You can sell short now/).waitFor();
    const tray = page.getByRole('region', { name: 'Strategy tray' });
    await page.getByRole('button', { name: 'Strategies' }).click();
    await tray.getByRole('button', { name: 'Condor', exact: true }).click();
    await tray.getByText(/^Trades all 1 at once/).waitFor();
    assert.match(
      await tray.locator('.send').innerText(),
      /^PAPER Buy 1 BTC .+ call condor at [\d,.]+ · paper \$/,
    );
    assert.equal(await page.locator('.leg-chip').count(), 4);
    await tray.locator('.send').click();
    const told = card(page, /1 filled at|Nothing traded/).or(tray.getByText('Send anyway'));
    await told.first().waitFor();
    if (await tray.getByText('Send anyway').isVisible()) await tray.locator('.send').click();
    await card(page, /1 filled at [\d,.]+\./).waitFor();
    const positions = await tab(page, 'Positions');
    await positions.getByRole('button', { name: 'Close 4 BTC positions as one order…' }).click();
    await tray.getByText(/^Trades all 1 at once/).waitFor();
    assert.match(await tray.locator('.send').innerText(), /Sell 1 BTC .+ call condor/);
    await tray.locator('.send').click();
    await positions.getByText('No open positions').waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });

  it('TERM-10: legs by Shift and keys, chips that move, and an address that names them', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    const row = page.locator('tr[data-at-the-money]').first();
    await row.locator('td.call.ask').click({ modifiers: ['Shift'] });
    await row.locator('td.put.ask').focus();
    await page.keyboard.press('+');
    const tray = page.getByRole('region', { name: 'Strategy tray' });
    await tray.getByRole('heading', { name: /straddle/ }).waitFor();
    const [chip] = [page.locator('.leg-chip').first()];
    await chip.focus();
    await page.keyboard.press('ArrowDown');
    await tray.getByRole('heading', { name: /strangle/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    const heading = await tray.getByRole('heading').innerText();
    const target = await page.locator('tr[data-at-the-money] + tr + tr + tr + tr').first().boundingBox();
    const from = await chip.boundingBox();
    await page.mouse.move(from!.x + 5, from!.y + 5);
    await page.mouse.down();
    await page.mouse.move(from!.x + 5, target!.y + 5, { steps: 4 });
    await page.mouse.up();
    assert.notEqual(await tray.getByRole('heading').innerText(), heading);
    const address = page.url();
    assert.match(address, /#buy1\.BTC-\d+-C-\d+,buy1\.BTC-\d+-P-\d+$/);
    await openLink(page, address);
    await tray.getByRole('heading', { name: /strangle/ }).waitFor();
    assert.equal(page.url(), address);
    await openLink(page, address.replace(/-C-\d+/, '-C-7'));
    await card(page, /One of its legs is not listed here/).waitFor();
    const [, leg] = address.split('#buy1.')[1]!.split(',buy1.');
    await openLink(page, `${address.split('#')[0]}#buy1.${leg},sell2.${leg}`);
    await tray.getByText('Another leg is that contract already.').waitFor();
    await openLink(page, `${address.split('#')[0]}#buy1.${leg},sell2.nonsense`);
    await chainStands(page);
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
