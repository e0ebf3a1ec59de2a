/** Resting orders in the terminal: moved on the chart and by keys, guarded, with their terms; and positions closed at once. */

// @process rich-market
// @seconds 21

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../e2e/launched.ts';
import {
  assertNoFaults,
  chromiumMissing,
  openPage,
  signInWithKey,
  WAIT_MS,
  type WatchedPage,
} from './browser.ts';
import { placed, sharedMarket, type Trader } from './own-market.ts';

const MINUTE_MS = 60_000;

describe('orders in the terminal', { skip: chromiumMissing() ?? false }, () => {
  const stage = sharedMarket(1_000_000);
  /** One account for all tests, and the page of the last. */
  let trader: Trader;
  let watched: WatchedPage;
  const address = () => stage.venue.chainOf(stage.venue.calls[1]);
  const opened = async ({ key }: Trader) => {
    const { page, faults } = await openPage(stage.browser, address());
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).waitFor();
    await signInWithKey(page, key);
    return { page, faults };
  };
  before(() => stage.venue.quote(stage.venue.calls[1], 1_900, 2_100, 5));

  it('AMD-1, TERM-12: an order moves with its line on the chart, by pointer and by keys, and its row names its terms', async () => {
    trader = await stage.venue.trader();
    const [, seriesId] = stage.venue.calls;
    const expiresAt = Date.now() + 60 * MINUTE_MS;
    await placed(trader.client, {
      ...{ seriesId, side: 'buy', qty: 1, price: 1_800 },
      ...{ tif: 'gtd', expiresAt, postOnly: true },
    });
    const price = async () => (await trader.client.account.me()).openOrders[0]!.price;
    watched = await opened(trader);
    const { page, faults } = watched;
    // Its name brings its chart, which stays when the ticket has gone.
    await (await tab(page, 'Orders'))
      .getByRole('button', { name: / call$/ })
      .first()
      .click();
    const ticket = page.getByRole('region', { name: 'Order ticket' });
    await ticket.waitFor();
    const tag = page.getByRole('spinbutton', { name: /^Limit price of order \d+, buy 1$/ });
    await tag.filter({ hasText: 'Buy 1 1,800.00' }).waitFor();
    await ticket.getByLabel('Quantity').press('Escape');
    await ticket.waitFor({ state: 'detached' });
    await tag.filter({ hasText: 'Buy 1 1,800.00' }).waitFor();

    // Given up in the middle, it stays where it was.
    await drag(page, tag, 30);
    await page.getByText(/1 would rest at 1,\d\d\d\.00, behind all others at that price\./).waitFor();
    await page.keyboard.press('Escape');
    const { x, y } = (await tag.boundingBox())!;
    await page.mouse.move(x + 10, y - 50);
    await page.mouse.up();
    await tag.filter({ hasText: 'Buy 1 1,800.00' }).waitFor();
    assert.equal(await price(), 1_800);

    // Nor is it moved by what is dropped off the picture.
    await drag(page, tag, 30);
    await page.mouse.move(x + 10, 5_000);
    await page.mouse.up();
    await tag.filter({ hasText: 'Buy 1 1,800.00' }).waitFor();
    assert.equal(await price(), 1_800);

    await drag(page, tag, 30);
    await page.mouse.up();
    await card(page, /Now 1 resting at 1,\d\d\d\.00\./).waitFor();
    const dropped = await price();
    assert.ok(dropped > 1_800 && dropped < 1_900, `${dropped}`);

    await tag.press('ArrowUp');
    await tag.press('ArrowUp');
    await page.getByText(/1 would rest at/).waitFor();
    await tag.press('Enter');
    await eventually('two steps more', async () => (await price()) === dropped + 2, WAIT_MS);

    const orders = await tab(page, 'Orders');
    await orders.getByText(/^Post-only, until /).waitFor();
    await orders.getByRole('button', { name: /^Edit order/ }).click();
    await orders.getByLabel('New limit price').press('ArrowDown');
    await orders.getByLabel('New limit price').press('Enter');
    await eventually('a step less', async () => (await price()) === dropped + 1, WAIT_MS);

    // Out of the scale, a press with a slip brings it into sight and moves nothing; a drop from there asks.
    await orders.getByRole('button', { name: /^Edit order/ }).click();
    await orders.getByLabel('New limit price').fill('500');
    await orders.getByLabel('New limit price').press('Enter');
    await tag.filter({ hasText: '↓ Buy 1 500.00' }).waitFor();
    await drag(page, tag, 5);
    await page.mouse.up();
    await tag.filter({ hasText: /^Buy 1 500\.00/ }).waitFor();
    await drag(page, tag, 40);
    await page.mouse.up();
    await page
      .getByText(/^It moves from 500\.00 to [\d,.]+\./)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await tag.filter({ hasText: /^Buy 1 500\.00/ }).waitFor();
    assert.equal(await price(), 500);
    assertNoFaults(faults);
    await trader.client.orders.cancel();
  });

  it('GRD-1: a guard that the page renews, one that it does not, and the cause of the close', async () => {
    const [, seriesId] = stage.venue.calls;
    const { client } = trader;
    const guardAt = async () => (await client.account.me()).guardAt;
    await placed(client, { seriesId, side: 'buy', qty: 1, price: 1_800 });
    const { page, faults } = watched;
    const orders = await tab(page, 'Orders');
    await orders.getByRole('button', { name: 'Cancel on disconnect, after 2 minutes' }).click();
    const words = await orders
      .getByText(/^Renewed while this page is open; .+ within 0[12]:\d\d\.$/)
      .textContent();
    assert.ok((await guardAt())! <= Date.now() + 2 * MINUTE_MS);
    await eventually('a countdown', async () => !(await orders.getByText(words!).isVisible()), WAIT_MS);
    await page.context().close();

    // The page is gone: its guard stands, and another page says so.
    watched = await opened(trader);
    const { page: next, faults: nextFaults } = watched;
    const again = await tab(next, 'Orders');
    await again
      .getByText(/^One that this page does not renew takes all resting orders in 0\d:\d\d\./)
      .waitFor();
    await again
      .getByRole('group', { name: 'Cancel on disconnect' })
      .getByRole('button', { name: 'Off' })
      .click();
    await eventually('no guard', async () => (await guardAt()) === null, WAIT_MS);
    await client.orders.batch([{ type: 'guard', ms: 5_000 }]);
    await again.getByText('No open orders.').waitFor();
    const closed = await tab(next, 'Closed');
    await closed.getByText('Cancelled on disconnect').waitFor();
    assertNoFaults([...faults, ...nextFaults]);
  });

  it('TERM-12, TIF-3: every position is closed with two presses, whatever rests to close it, but for one that nobody quotes', async () => {
    const [, call, later] = stage.venue.calls;
    const put = call.replace('-C-', '-P-');
    const { client } = trader;
    await client.orders.setMargin(true);
    await stage.venue.quote(put, 1_400, 1_500, 5);
    await stage.venue.quote(later, 2_900, 3_000, 5);
    await placed(client, { seriesId: call, side: 'buy', qty: 1, price: 2_100 });
    await placed(client, { seriesId: put, side: 'sell', qty: 2, price: 1_400 });
    await placed(client, { seriesId: later, side: 'buy', qty: 1, price: 3_000 });
    await placed(client, { seriesId: put, side: 'buy', qty: 1.5, price: 100 });
    await stage.venue.quote(later, null, 3_000, 1);
    const { page, faults } = watched;
    const positions = await tab(page, 'Positions 3', 'Positions');
    await positions.getByRole('button', { name: 'Close all 3 at market…' }).click();
    const asked = positions.getByRole('region', { name: 'Close all positions' });
    await asked.getByText(/Nobody takes the other side of 1 BTC \d+ \w+( \d\d)? 100,000 call\./).waitFor();
    const lines = await asked.getByRole('listitem').allTextContents();
    assert.match(
      lines.join('; '),
      /^Buy 2 BTC .+ put at 1,575\.00 or less; first cancels 1 resting order; Sell 1 BTC .+ call at 1,805\.00 or more$/,
    );
    await asked.getByRole('button', { name: 'Close all 2 now' }).click();
    await card(page, /2 of 3 closed whole.* 1 resting order cancelled\./).waitFor();
    await page.getByRole('tab', { name: 'Positions 1' }).waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });
});

/** Drags upwards, and does not let go. */
async function drag(page: Page, what: Locator, px: number): Promise<void> {
  const { x, y, width, height } = (await what.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2 - px, { steps: 4 });
}

function card(page: Page, text: RegExp): Locator {
  return page.locator('.Notices_notice', { hasText: text }).first();
}

async function tab(page: Page, name: string, panel = name): Promise<Locator> {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  return page.getByRole('tabpanel', { name: panel });
}
