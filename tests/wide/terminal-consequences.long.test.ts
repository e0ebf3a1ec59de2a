/**
 * An order's consequences in the ticket, in a real browser: how much of it fills, and the whole book's payoff after it.
 */

// @process own-market
// @seconds 15

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VenueClient } from '@venue/sdk';
import type { Page } from 'playwright-core';
import { assertAccessible } from './axe.ts';
import { assertNoFaults, chromiumMissing, openPage, signInWithKey, type WatchedPage } from './browser.ts';
import { placed, sharedMarket } from './own-market.ts';

const missing = chromiumMissing();

/** A contract of the same expiry as the at-the-money call, with another strike or right. */
function beside(call: string, right: 'C' | 'P', strike: number): string {
  return call.replace(/-C-\d+$/, `-${right}-${strike}`);
}

async function openTicket(page: Page, strike: number, column: string): Promise<void> {
  const row = page.locator(`tr[data-strike="${strike}"]`);
  await row.locator(`td.${column}`, { hasText: /\d/ }).click();
}

/** Counts how often the picture of the payoff is taken away. */
const COUNT_GAPS = `{
  globalThis.gaps = 0;
  new MutationObserver(() => {
    if (document.querySelector('.payoff-room') !== null) globalThis.gaps += 1;
  }).observe(document, { childList: true, subtree: true });
}`;

interface SignedIn extends WatchedPage {
  readonly client: VenueClient;
}

describe('the consequences of an order', { skip: missing ?? false }, () => {
  const stage = sharedMarket();
  /** Has no position after the first test; the second goes on with it. */
  let trader: SignedIn;

  async function signedIn(): Promise<SignedIn> {
    const trader = await stage.venue.trader();
    await trader.client.orders.setMargin(true);
    const { page, faults } = await openPage(stage.browser, stage.venue.chainOf(stage.venue.calls[0]));
    await signInWithKey(page, trader.key);
    return { client: trader.client, page, faults };
  }

  it('starts with how much of a market order fills, at which average and how far from the mark', async () => {
    const [call] = stage.venue.calls;
    await stage.venue.quote(call, 10, 12, 1.5);
    const { client: other } = await stage.venue.trader();
    await other.orders.setMargin(true);
    await placed(other, { seriesId: call, side: 'sell', qty: 2, price: 12.7 });
    trader = await signedIn();
    const { page, faults } = trader;
    await openTicket(page, 100_000, 'call.ask');
    await page.getByRole('radio', { name: 'Market' }).check();
    await page.getByLabel('Quantity').fill('50');
    const foreseen = page.locator('.foreseen');
    await foreseen
      .getByText('Fills 3.5 of 50 at 12.40 average, 12.7% above the mark; the rest is cancelled.')
      .waitFor();
    await page.locator('.consequences').getByText('$43.40').waitFor();
    await page.locator('.payoff figcaption').getByText('loses at most $43.62.').waitFor();
    await page.getByRole('button', { name: /Buy 50 .* at market · cost \$43\.62/ }).waitFor();

    await page.getByRole('radio', { name: 'Limit' }).check();
    await page.getByLabel('Quantity').fill('5');
    await foreseen.getByText('Fills 1.5 of 5 at 12.00, 9.1% above the mark; 3.5 rest at 12.00.').waitFor();
    const caption = page.locator('.payoff figcaption');
    await caption.getByText('Counts the 3.5 that rest as filled.').waitFor();
    // The picture stays while the book comes to fill all of it.
    await page.evaluate(COUNT_GAPS);
    await other.orders.cancel();
    await placed(other, { seriesId: call, side: 'sell', qty: 4, price: 12 });
    await foreseen.getByText('Fills all 5 at 12.00').waitFor();
    await caption.getByText('loses at most $60.30.').waitFor();
    assert.equal(await page.evaluate('globalThis.gaps'), 0);
    await assertAccessible(page, '.side');
    await other.orders.cancel();
    assertNoFaults(faults);
  });

  it('asks to confirm a sale of calls only where the whole book then has unlimited loss', async () => {
    const [call] = stage.venue.calls;
    const higher = beside(call, 'C', 101_000);
    await stage.venue.quote(call, 1_400, 1_473, 2);
    await stage.venue.quote(higher, 1_000, 1_100, 2);
    const { client, page, faults } = trader;
    await placed(client, { seriesId: call, side: 'buy', qty: 1, price: 1_473 });
    await page.getByRole('tab', { name: 'Positions 1' }).waitFor();
    await openTicket(page, 101_000, 'call.bid');
    const caption = page.locator('.payoff figcaption');
    // 473 of premium, and the fees of both: 7.365 and 5.
    await caption.getByText('loses at most $485.37.').waitFor();
    await page.getByRole('button', { name: 'This order alone' }).click();
    await caption.getByText('losses are unlimited.').waitFor();
    await page.locator('.ticket .send').click();
    await page.getByRole('tab', { name: 'Positions 2' }).waitFor();

    // The covering call is sold next: now the loss is unlimited, and needs confirmation.
    await openTicket(page, 100_000, 'call.bid');
    await caption.getByText('losses are unlimited.').waitFor();
    await page.locator('.ticket .send').click();
    await page.locator('.verdict').getByText('Net short 1 call of this expiry').waitFor();
    assert.match((await page.locator('.ticket .send').textContent())!, /Send anyway/);
    assertNoFaults(faults);
    await page.context().close();
  });

  it('adds a call to the short put beside it: the maximum loss is that of the book', async () => {
    const [call] = stage.venue.calls;
    const put = beside(call, 'P', 95_000);
    await stage.venue.quote(put, 400, 420, 2);
    await stage.venue.quote(call, 1_500, 1_589, 2);
    const { client, page, faults } = await signedIn();
    await placed(client, { seriesId: put, side: 'sell', qty: 1, price: 400 });
    await page.getByRole('tab', { name: 'Positions 1' }).waitFor();
    await openTicket(page, 100_000, 'call.ask');
    const caption = page.locator('.payoff figcaption');
    // A strike of 95,000 less the premium of 400 and its fee of 2, and the call with its fee of 7.945.
    await caption.getByText('loses at most $96,198.95.').waitFor();
    await page.getByRole('button', { name: 'This order alone' }).click();
    await caption.getByText('loses at most $1,596.95.').waitFor();
    await assertAccessible(page, '.side');
    assertNoFaults(faults);
    await page.context().close();
  });
});
