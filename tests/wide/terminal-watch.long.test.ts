/** Links, shared payoffs, watch list and alerts, in a real browser on a real venue. */

// @process rich-market
// @seconds 22

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../e2e/launched.ts';
import { assertAccessible } from './axe.ts';
import {
  assertNoFaults,
  chromiumMissing,
  comesToHold,
  openPage,
  WAIT_MS,
  type WatchedPage,
  watchFaults,
} from './browser.ts';
import { expiryOf, sharedMarket } from './own-market.ts';

const missing = chromiumMissing();

describe('a place one returns to', { skip: missing ?? false }, () => {
  const stage = sharedMarket(1_000_000);
  /** The page of the first test; the second goes on with it. */
  let watched: WatchedPage;

  it('waits for a part that the network withholds, asks for it now and then, and shows it once it comes', async () => {
    watched = await openPage(stage.browser, 'about:blank');
    const { page } = watched;
    const askedMs: number[] = [];
    const part = '**/assets/open-watch-*.js';
    await page.route(part, (route) => {
      askedMs.push(performance.now());
      return route.abort();
    });
    await page.goto(stage.venue.url);
    await page.getByRole('tab', { name: 'Watch' }).click();
    await eventually('another attempt', () => askedMs.length > 1, WAIT_MS);
    const pauses = askedMs.slice(1).map((ms, i) => ms - askedMs[i]!);
    assert.ok(Math.min(...pauses) > 1_000, `asked after ${pauses.map(Math.round)} ms`);
    await page.unroute(part);
    await page.getByText('Nothing is watched.').waitFor();
  });

  it('TERM-17: back and forward go through contract, tray and expiry; an odd link changes nothing', async () => {
    const [, second, third] = stage.venue.calls;
    const { page } = watched;
    // From here on: a part that was withheld is in the console.
    const faults = watchFaults(page);
    const at = (hash: string) =>
      eventually(hash, async () => (await page.evaluate<string>('location.hash')) === `#${hash}`, WAIT_MS);
    const [ticket, tray] = ['Order ticket', 'Strategy tray'].map((name) =>
      page.getByRole('region', { name }),
    );
    const row = page.locator('tr[data-at-the-money]').first();
    // Until the chain has turned, its rows are of the expiry before.
    const chosen = page.getByRole('tablist', { name: 'Expiries' }).locator('[aria-selected="true"]');
    const dayChosen = async () => /^\d+ \w+/.exec((await chosen.textContent()) ?? '')?.[0];
    const before = await dayChosen();
    await page.evaluate(`location.hash = '${expiryOf(second)}'`);
    const turns = async () => {
      const day = await dayChosen();
      return day !== before && (await page.getByText(`BTC ${day} ends in`).isVisible());
    };
    await eventually('the chain turns', turns, WAIT_MS);
    await row.locator('td.call.ask').click();
    await at(second);
    await row.locator('td.call.ask').click({ modifiers: ['Shift'] });
    await at(`buy1.${second}`);
    await row.locator('td.put.ask').click({ modifiers: ['Shift'] });
    const legs = `buy1.${second},buy1.${second.replace('-C-', '-P-')}`;
    await at(legs);
    await page.goBack();
    await at(second);
    await ticket!.waitFor();
    await page.goBack();
    await at(expiryOf(second));
    await page.goForward();
    await page.goForward();
    await at(legs);
    await tray!.getByRole('heading', { name: /straddle/ }).waitFor();
    await page.evaluate(`location.hash = 'buy1.${third},<img src=x onerror=alert(1)>'`);
    await card(page, /One of its legs is no contract/).waitFor();
    // The legs stay as they are, and so does the address that names them.
    await at(legs);
    await tray!.getByRole('heading', { name: /straddle/ }).waitFor();
    await page.evaluate(`location.hash = 'buy1.${second},sell1.${second}'`);
    await card(page, /It names a contract twice/).waitFor();
    await at(legs);
    assertNoFaults(faults);
    await page.context().close();
  });

  it('TERM-17: a payoff is shared as a picture and a link, by keys, and where the clipboard is refused', async () => {
    const [, second] = stage.venue.calls;
    await stage.venue.quote(second, 1_990, 2_010, 5);
    const legs = `sell1.${second},buy1.${second.replace('-C-', '-P-')}`;
    const { page, faults } = await openPage(stage.browser, `${stage.venue.url}#${legs}`);
    const tray = page.getByRole('region', { name: 'Strategy tray' });
    await tray.getByLabel(/^(Pay at most|Receive at least)$/).fill('20');
    await tray.getByRole('button', { name: 'Share…' }).focus();
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Share this payoff' });
    await sheet.getByRole('img', { name: /^Paper: BTC .*Max loss .*BTC at 100,000\.00/ }).waitFor();
    assert.equal(await sheet.getByLabel('Link').inputValue(), `${stage.venue.url}/#${inTrayOrder(legs)}`);
    const download = page.waitForEvent('download');
    await sheet.getByRole('button', { name: 'Save picture' }).click();
    const picture = await download;
    assert.match(picture.suggestedFilename(), /^BTC-[A-Za-z0-9-]+\.png$/);
    assert.deepEqual([...readFileSync(await picture.path()).subarray(1, 4)], [...Buffer.from('PNG')]);
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await sheet.getByRole('button', { name: 'Copy link' }).click();
    await sheet.getByText('The link is selected: copy it with Ctrl+C.').waitFor();
    assert.match(await page.evaluate<string>('String(getSelection())'), /^http/);
    await sheet.getByRole('button', { name: 'Copy picture' }).click();
    await sheet.getByText('Save it instead').waitFor();
    await assertAccessible(page, '.ShareSheet_share');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await tray.waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });

  it('TERM-18: a row’s menu watches its contract, whose day is of its marks, in the tab of the last visit', async () => {
    const [, second] = stage.venue.calls;
    await stage.venue.quote(second, 1_990, 2_010, 5);
    const { page, faults } = await openPage(stage.browser, 'about:blank');
    const asked: string[] = [];
    await page.route('**/v1/candles?of=mark**', (route) => {
      const { searchParams } = new URL(route.request().url());
      asked.push(searchParams.get('of')!);
      const t = Number(searchParams.get('from')) + 60_000;
      return route.fulfill({ json: { candles: [{ t, o: 1_600, h: 1_700, l: 1_500, c: 1_650 }] } });
    });
    await page.goto(stage.venue.chainOf(second));
    const price = page.locator('tr[data-at-the-money] td.call.ask', { hasText: '2,010' });
    await price.focus();
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu', { name: 'Contract' });
    await menu.getByRole('menuitem', { name: /^☆ Watch BTC .* 100,000 call$/ }).waitFor();
    assert.equal(await menu.getByRole('menuitem').count(), 7, 'of the call alone');
    await assertAccessible(page, '.RowMenu_rowMenu');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'New price alert' });
    await eventually(
      'the form of the contract',
      async () => (await form.getByLabel('Of').inputValue()) === second,
    );
    await page.locator('tr[data-at-the-money] th').click({ button: 'right' });
    await comesToHold('a menu of call and put', async () =>
      assert.equal(await menu.getByRole('menuitem').count(), 14),
    );
    await menu.getByRole('menuitem', { name: /^☆ Watch BTC .* 100,000 call$/ }).click();
    const ticket = page.getByRole('region', { name: 'Order ticket' });
    await price.click({ button: 'right' });
    await menu.getByRole('menuitem', { name: /^Sell BTC .* 100,000 call…$/ }).click();
    assert.ok(await ticket.getByRole('radio', { name: 'Sell' }).isChecked());
    assert.equal(await ticket.getByLabel('Limit price').inputValue(), '1,990.00');
    const list = page.getByRole('table', { name: 'Watch list' });
    await list.getByText('+25.00%').waitFor();
    await page.reload();
    await list.getByText('+25.00%').waitFor();
    assert.deepEqual([...new Set(asked)], [`mark:${second}`]);
    // A price of the list trades a contract that is not on the chain.
    await page.getByRole('tablist', { name: 'Expiries' }).getByRole('tab').first().click();
    for (const [act, amount] of [
      ['Buy', '2,010.00'],
      ['Sell', '1,990.00'],
    ] as const) {
      await list
        .getByRole('button', { name: new RegExp(`^${act} BTC .* 100,000 call at ${amount}$`) })
        .click();
      await ticket
        .getByText(/^BTC .* 100,000 call$/)
        .first()
        .waitFor();
      assert.ok(await ticket.getByRole('radio', { name: act }).isChecked());
      assert.equal(await ticket.getByLabel('Limit price').inputValue(), amount);
    }
    await assertAccessible(page, '.Watch_watch');
    await page.evaluate(`location.hash = '${expiryOf(second)}'`);
    await price.click({ button: 'right' });
    await menu.getByRole('menuitem', { name: /^★ Stop watching BTC / }).click();
    await list.waitFor({ state: 'detached' });
    assertNoFaults(faults);
    await page.context().close();
  });

  it('TERM-18: an alert is a line on the chart, moved by keys and by the pointer, and removed there', async () => {
    const { page, faults } = await openPage(stage.browser, 'about:blank');
    const alert = { id: 'one', of: 'BTC', measure: 'spot', side: 'above', level: 100_050 };
    const kept = JSON.stringify({ state: { names: [], alerts: [alert] }, version: 1 });
    await page.addInitScript(`localStorage.setItem('venue-watched', '${kept}')`);
    await page.goto(stage.venue.url);
    const line = (words: string) =>
      page.getByRole('spinbutton', { name: `Level of the alert: BTC ${words}` });
    await line('above 100,050.00').press('ArrowUp');
    await page.keyboard.press('Escape');
    await line('above 100,050.00').press('ArrowUp');
    await line('above 100,150.00').press('Enter');
    await assertAccessible(page, '.charts-beside');
    // Past the price it waits from the other side.
    // It waits until the line stands still: the scale follows the level.
    await line('above 100,150.00').hover({ position: { x: 20, y: 10 } });
    const from = (await line('above 100,150.00').boundingBox())!;
    const picture = (await page.locator('.charts-beside .Charts_history').boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(from.x + 20, picture.y + picture.height - 40, { steps: 4 });
    await page.mouse.up();
    const moved = page.getByRole('spinbutton', { name: /^Level of the alert: BTC below 99,/ });
    await moved.waitFor();
    const inStorage = () => page.evaluate<string>(`localStorage.getItem('venue-watched')`);
    await eventually(
      'the alert as it was dropped',
      async () => (await inStorage()).includes('"below"'),
      WAIT_MS,
    );
    await page
      .getByRole('button', { name: /^Remove alert: BTC below 99,/ })
      .first()
      .click();
    await moved.waitFor({ state: 'detached' });
    await comesToHold('an empty list', async () =>
      assert.deepEqual(JSON.parse(await inStorage()).state, { names: [], alerts: [] }),
    );
    assertNoFaults(faults);
    await page.context().close();
  });

  it('TERM-12: an alert that is dropped far from its level asks, and stays until it is answered', async () => {
    const { page, faults } = await openPage(stage.browser, 'about:blank');
    const alert = { id: 'one', of: 'BTC', measure: 'spot', side: 'above', level: 140_000 };
    const kept = JSON.stringify({ state: { names: [], alerts: [alert] }, version: 1 });
    await page.addInitScript(`localStorage.setItem('venue-watched', '${kept}')`);
    await page.goto(stage.venue.url);
    const tag = page.getByRole('spinbutton', { name: 'Level of the alert: BTC above 140,000.00' });
    // Out of the scale, the first press brings it into sight.
    await tag.click();
    const picture = (await page.locator('.charts-beside .Charts_history').boundingBox())!;
    const drag = async () => {
      await tag.hover({ position: { x: 20, y: 10 } });
      const from = (await tag.boundingBox())!;
      await page.mouse.down();
      await page.mouse.move(from.x + 20, picture.y + picture.height - 40, { steps: 4 });
      await page.mouse.up();
    };
    await drag();
    const asked = page.locator('.OrderLines_edit').getByText(/^It moves from 140,000\.00 to [\d,.]+\.$/);
    await asked.waitFor();
    await page.getByRole('button', { name: /^Leave it: BTC/ }).click();
    await tag.waitFor();
    await drag();
    await page.getByRole('button', { name: /^Move anyway: BTC/ }).click();
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('spinbutton', { name: /^Level of the alert: BTC (above|below) (9|10)/ }).waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });

  it('TERM-18: a starred contract is on the list of every tab; its alert fires once and is gone', async () => {
    const [, second] = stage.venue.calls;
    await stage.venue.quote(second, 1_990, 2_010, 5);
    const { page, faults } = await openPage(stage.browser, `${stage.venue.url}#${second}`);
    const ticket = page.getByRole('region', { name: 'Order ticket' });
    await ticket.getByRole('button', { name: /^Watch BTC/ }).click();
    await ticket.getByRole('button', { name: 'Set an alert…' }).click();
    const form = page.getByRole('form', { name: 'New price alert' });
    const set = form.getByRole('button', { name: 'Set alert' });
    const level = form.getByLabel('Level');
    await page.getByRole('table', { name: 'Watch list' }).getByText('2,000.00').waitFor();
    await form.getByLabel('What').selectOption('bid');
    await level.fill('1,234');
    await set.click();
    await form.locator('.fault', { hasText: /\S/ }).waitFor();
    await level.fill('1 900,50');
    await set.click();
    await form.getByText(/^Already so: BTC .* bid is above 1,900\.50, at 1,990\.00\.$/).waitFor();
    await level.fill('2.000,00');
    await set.click();
    const alerts = page.getByRole('table', { name: 'Price alerts' });
    await alerts.getByText(/bid above 2,000\.00$/).waitFor();
    await form.getByText(/^Set: BTC .* bid above 2,000\.00\.$/).waitFor();
    await page.setViewportSize({ width: 1_366, height: 768 });
    await page.getByRole('button', { name: /^Alert on BTC/ }).click();
    await comesToHold('the form in sight, with the words under it', async () => {
      assert.equal(await form.locator('input:focus').count(), 1);
      const [whole, part] = [await page.locator('.dock .panel').boundingBox(), await form.boundingBox()];
      // It is scrolled by whole pixels.
      assert.ok(whole!.y <= part!.y + 1 && part!.y + part!.height <= whole!.y + whole!.height + 1);
    });
    await assertAccessible(page, '.Watch_watch');
    const other = await page.context().newPage();
    await other.goto(stage.venue.url);
    await (await tab(other, 'Watch')).getByRole('table', { name: 'Price alerts' }).waitFor();
    await stage.venue.quote(second, 2_100, 2_200, 5);
    await alerts.waitFor({ state: 'detached' });
    await other.getByRole('table', { name: 'Price alerts' }).waitFor({ state: 'detached' });
    const fired = /bid is above 2,000\.00, at 2,100\.00\./;
    const count = async () => (await card(page, fired).count()) + (await card(other, fired).count());
    await eventually('one card in all tabs', async () => (await count()) === 1, WAIT_MS);
    await page.getByRole('button', { name: /^Stop watching/ }).click();
    await other.getByText('Nothing is watched.').waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });
});

async function tab(page: Page, name: string): Promise<Locator> {
  await page.getByRole('tab', { name }).click();
  return page.getByRole('tabpanel', { name });
}

/** Bought legs come first. */
function inTrayOrder(legs: string): string {
  return legs.split(',').reverse().join(',');
}

function card(page: Page, text: RegExp): Locator {
  return page.locator('.Notices_notice', { hasText: text }).first();
}
