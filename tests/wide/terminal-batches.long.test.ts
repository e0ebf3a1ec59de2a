/** Orders with terms, edits in place, closes and lost answers, in a real browser on a real venue. */

// @process modest-market
// @seconds 10

import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  assertNoFaults,
  chromiumMissing,
  openPage,
  showPanel,
  signInWithKey,
  type WatchedPage,
} from './browser.ts';
import { placed, sharedMarket, type Trader } from './own-market.ts';

const missing = chromiumMissing();

describe('orders of the terminal', { skip: missing ?? false }, () => {
  const stage = sharedMarket(25_000);
  /** One account and one page for all tests: each leaves neither positions nor orders. */
  let trader: Trader;
  let watched: WatchedPage;
  before(async () => {
    trader = await stage.venue.trader();
  });
  beforeEach(() => stage.venue.clear(stage.venue.calls[2]));

  it('AMD-1, CID-2: edits a resting order in its row, cancels it, and lists why it closed', async () => {
    const [call] = stage.venue.calls;
    await stage.venue.quote(call, 90, 110, 1);
    const { key, client } = trader;
    await placed(client, { seriesId: call, side: 'buy', qty: 2, price: 50 });
    watched = await openPage(stage.browser, stage.venue.chainOf(call));
    const { page, faults } = watched;
    await price(page, 'ask').waitFor();
    await signInWithKey(page, key);
    const orders = await showPanel(page, 'Orders');
    const edit = orders.getByRole('button', { name: /^Edit order/ });
    await edit.waitFor();
    const cells = () => boxesOf(orders.locator(':is(thead, tbody) tr:first-child > *'));
    const before = await cells();
    await edit.click();
    const limit = orders.getByLabel('New limit price');
    await limit.fill('1234567.89');
    assert.deepEqual(await cells(), before, 'an edit moves no cell');
    await limit.fill('0');
    await orders.getByText('Limit price: Must be more than zero.').waitFor();
    await limit.fill('60.333');
    await orders.getByText('2 would rest at 60.333, behind all others at that price.').waitFor();
    assert.deepEqual(await cells(), before, 'nor do its words');
    await limit.press('Enter');
    await card(page, /Now 2 resting at 60\.333/).waitFor();
    await orders.getByRole('cell', { name: '60.333' }).waitFor();
    const guard = orders.getByRole('group', { name: 'Cancel on disconnect' });
    const guarded = await guard.boundingBox();
    await orders.getByRole('button', { name: /^Cancel order/ }).click();
    await card(page, /Cancelled\./).waitFor();
    await orders.getByText('No open orders.').waitFor();
    assert.deepEqual(await guard.boundingBox(), guarded, 'the guard keeps its place without orders');
    const closed = await showPanel(page, 'Closed');
    await closed.getByText('You cancelled it').waitFor();
    // What the page said outlasts it.
    await page.reload();
    await (await showPanel(page, 'Log')).getByRole('listitem').filter({ hasText: 'Cancelled.' }).waitFor();
    assertNoFaults(faults);
  });

  it('TIF-3: closes a position at once, and only that much of it', async () => {
    const [call] = stage.venue.calls;
    await stage.venue.quote(call, 98, 102, 1);
    const { client } = trader;
    const { page, faults } = watched;
    await placed(client, { seriesId: call, side: 'buy', qty: 1, price: 102 });
    const positions = await showPanel(page, 'Positions');
    await positions.getByRole('button', { name: /^Close / }).click();
    assert.equal(await page.getByLabel('Worst price').inputValue(), '93.10');
    assert.equal(await page.getByRole('radio', { name: 'Market' }).isChecked(), true);
    await page.getByLabel('Quantity').fill('3');
    const send = page.getByRole('button', { name: /at market, not under \$93\.10/ });
    await send.click();
    await card(page, /1 filled at 98\.00, cut from 3 to what there was to reduce/).waitFor();
    await positions.getByText('No open positions').waitFor();
    assertNoFaults(faults);
  });

  it('TIF-2, CID-1: declines a post-only order that would trade, and finds one whose answer was lost', async () => {
    const [call] = stage.venue.calls;
    await stage.venue.quote(call, 90, 110, 1);
    const { page, faults } = watched;
    await price(page, 'ask').click();
    await page.locator('.more summary').click();
    await page.getByRole('radio', { name: 'Post-only' }).check();
    await page.locator('.verdict').getByText('post-only would trade').waitFor();
    await page.getByRole('radio', { name: 'No flag' }).check();
    let posts = 0;
    await page.route('**/v1/batch', async (route) => {
      posts += 1;
      if (posts > 1) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByLabel('Quantity').fill('0.5');
    await page.locator('.ticket .send').click();
    await card(
      page,
      /confirmation was lost, and the order was found at the venue: 0\.5 filled at 110\.00/,
    ).waitFor();
    assert.equal(posts, 2);
    const { positions } = await trader.client.account.me();
    assert.deepEqual(
      positions.map(({ qty }) => qty),
      [0.5],
    );
    assertNoFaults(faults.filter((fault) => !/ERR_CONNECTION_RESET/.test(fault)));
    await page.context().close();
  });
});

function price(page: Page, column: 'bid' | 'ask'): Locator {
  return page.locator('tr[data-at-the-money] td.call', { hasText: /\d/ }).and(page.locator(`.${column}`));
}

function card(page: Page, text: RegExp): Locator {
  return page.locator('.Notices_notice', { hasText: text }).first();
}

/** In their table, which may scroll. */
function boxesOf(cells: Locator): Promise<readonly unknown[]> {
  return cells.evaluateAll((all) =>
    all.map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return { x, y: y - one.closest('table')!.getBoundingClientRect().y, width, height };
    }),
  );
}
