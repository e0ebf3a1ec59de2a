/**
 * The terminal's account in a real browser on a real venue: the ticket's refusals, lost answers, the dock, margin
 * calls.
 */

// @process modest-market
// @seconds 40

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, it } from 'node:test';
import type { Locator, Page, Route } from 'playwright-core';
import {
  assertNoFaults,
  chromiumMissing,
  comesToHold,
  openPage,
  showPanel,
  signInWithKey,
  WAIT_MS,
  type WatchedPage,
} from './browser.ts';
import { placed, sharedMarket } from './own-market.ts';

const missing = chromiumMissing();

function price(page: Page, column: 'bid' | 'ask'): Locator {
  return page.locator(`tr[data-at-the-money] td.call.${column}`, { hasText: /\d/ });
}

function card(page: Page, text: RegExp): Locator {
  return page.locator('.Notices_notice', { hasText: text }).first();
}

function sendButton(page: Page): Locator {
  return page.locator('.ticket .send');
}

/** Waits until neither of two elements covers the other. */
async function assertApart(one: Locator, other: Locator): Promise<void> {
  await comesToHold('two elements apart', async () => {
    const [a, b] = [(await one.boundingBox())!, (await other.boundingBox())!];
    assert.ok(a.height > 0 && b.height > 0);
    assert.ok(
      a.y + a.height <= b.y || b.y + b.height <= a.y,
      `${JSON.stringify(a)} covers ${JSON.stringify(b)}`,
    );
  });
}

/** Withholds requests from the venue until the returned function is called. */
async function hold(page: Page, url: string): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

describe('the account of the terminal', { skip: missing ?? false }, () => {
  const stage = sharedMarket(25_000);
  let called: WatchedPage;
  /** For three tests, of which the first counts its fills. */
  let trader: WatchedPage;
  beforeEach(() => stage.venue.clear(stage.venue.calls[2]));

  // First, because the shorts it leaves are liquidated while the others run, and checked in the last.
  it('warns of a margin call, and clears one in one press, of a contract that is not on the screen', async () => {
    const [call, , later] = stage.venue.calls;
    const { key, client } = await stage.venue.trader();
    await stage.venue.quote(later, 1_000, null, 2);
    await client.orders.setMargin(true);
    await placed(client, { seriesId: later, side: 'sell', qty: 1.1, price: 1_000 });
    await stage.venue.quote(call, 90, 110);
    called = await openPage(stage.browser, stage.venue.chainOf(call));
    const { page } = called;
    await price(page, 'ask').waitFor();
    await signInWithKey(page, key);
    const banner = (level: string) => page.locator(`.MarginBanner_marginBanner[data-level="${level}"]`);
    await stage.venue.quote(later, 3_200, 3_400);
    await banner('yellow').getByText('maintenance margin is 7').waitFor();
    await stage.venue.quote(later, 4_850, 5_000);
    await banner('orange').waitFor();
    await stage.venue.quote(later, 5_950, 6_050);
    await banner('red')
      .getByText(/Margin call: \$30\d\.\d\d short\./)
      .waitFor();
    await banner('red').getByText('buys back your shorts at market').waitFor();
    await page.getByRole('button', { name: 'Buy back 0.02 at 6,050.00' }).click();
    await card(page, /0\.02 filled at 6,050\.00/).waitFor();
    await banner('orange').waitFor();
    const account = await showPanel(page, 'Account');
    await account.getByRole('row', { name: /Short 1\.08/ }).waitFor();
    await stage.venue.quote(later, 19_000, 19_500, 0.1);
    await banner('red').waitFor();
  });

  it('does what each refusal of an order asks for', async () => {
    const [call] = stage.venue.calls;
    await stage.venue.quote(call, 990, null, 1);
    const { key } = await stage.venue.trader();
    const { page, faults } = await openPage(stage.browser, stage.venue.chainOf(call));
    await price(page, 'bid').waitFor();
    await signInWithKey(page, key);

    // Margin is off, which the preview already says, then on; the ticket stays.
    await price(page, 'bid').click();
    await page.getByRole('button', { name: 'Turn on margin' }).click();
    await card(page, /Margin on/).waitFor();
    assert.equal(await page.getByLabel('Limit price').inputValue(), '990.00');

    // The sale opens a short, so it needs confirmation.
    await page.locator('.verdict').getByText('Turn on margin').waitFor({ state: 'detached' });
    await sendButton(page).click();
    await page
      .locator('.verdict')
      .getByText(/unlimited loss/)
      .waitFor();

    // No ask: a market order becomes a limit order at the mark.
    await page.getByRole('radio', { name: 'Buy' }).check();
    await page.getByRole('radio', { name: 'Market' }).check();
    await sendButton(page).click();
    await page.getByRole('button', { name: 'Limit at 990.00' }).click();
    assert.equal(await page.getByLabel('Limit price').inputValue(), '990.00');

    // Too much: takes the largest possible quantity, which then needs confirmation.
    await page.getByLabel('Quantity').fill('1000');
    const take = page.getByRole('button', { name: /^Take \d/ });
    await take.waitFor();
    const answer = Promise.withResolvers<void>();
    const holdAnswer = async (route: Route) => {
      await answer.promise;
      await route.continue();
    };
    await page.route('**/v1/batch', holdAnswer, { times: 1 });
    await sendButton(page).click();
    // An order on its way cannot be changed.
    await take.and(page.locator(':disabled')).waitFor();
    answer.resolve();
    await page
      .getByText(/insufficient buying power/)
      .first()
      .waitFor();
    await take.click();
    const most = Number(await page.getByLabel('Quantity').inputValue());
    assert.ok(most > 20 && most < 26, String(most));
    await page.locator('.foreseen').getByText('all of it rests at').waitFor();
    await sendButton(page).click();
    await page
      .locator('.verdict')
      .getByText(/of your buying power/)
      .waitFor();
    await page.getByRole('button', { name: /Send anyway/ }).click();
    await card(page, /resting/).waitFor();

    // The rate limit is exceeded: the page counts down and sends nothing by itself.
    await page.getByRole('tab', { name: /^Orders/ }).click();
    await page.getByRole('button', { name: /^Cancel 1 BTC order/ }).click();
    await card(page, /1 order cancelled/).waitFor();
    let sent = 0;
    await page.route('**/v1/batch', (route) => {
      sent += 1;
      return route.fulfill({ status: 429, headers: { 'retry-after': '5' }, body: '{"error":"too many"}' });
    });
    await price(page, 'bid').click();
    await page.getByRole('radio', { name: 'Buy' }).check();
    await page.getByLabel('Quantity').fill('1');
    await sendButton(page).click();
    await page.getByText(/Try again in [1-5] s/).waitFor();
    await page.getByText('You can try again now.').waitFor();
    assert.equal(sent, 1);
    assertNoFaults(faults);
    await page.context().close();
  });

  it('steps with arrow keys, keeps the clicked price, and closes positions off the chain', async () => {
    const [call, later] = stage.venue.calls;
    const { key, client } = await stage.venue.trader();
    await stage.venue.quote(later, 300, 320);
    await placed(client, { seriesId: later, side: 'buy', qty: 1, price: 320 });
    await stage.venue.quote(call, 90, 110, 1);
    trader = await openPage(stage.browser, stage.venue.chainOf(call));
    const { page, faults } = trader;
    await price(page, 'ask').waitFor();
    await signInWithKey(page, key);
    await price(page, 'ask').click();
    const [qty, limit] = [page.getByLabel('Quantity'), page.getByLabel('Limit price')];
    await qty.press('ArrowUp');
    await qty.press('Shift+ArrowUp');
    await qty.press('Alt+ArrowDown');
    assert.equal(await qty.inputValue(), '11.9');
    await limit.press('ArrowDown');
    assert.equal(await limit.inputValue(), '109.90');
    await limit.press('U');
    assert.equal(await limit.inputValue(), '110.00');
    await stage.venue.quote(call, 91, 112, 1);
    await page.getByRole('button', { name: 'Update to 112.00' }).waitFor();
    assert.equal(await limit.inputValue(), '110.00', 'the clicked price stays');
    await limit.press('Escape');
    await sendButton(page).waitFor({ state: 'detached' });

    await stage.venue.quote(later, 310, null);
    const positions = await showPanel(page, 'Positions');
    await positions.getByRole('button', { name: /^Close / }).click();
    await page.getByRole('button', { name: /^PAPER Sell 1 .* at market, not under \$294\.50/ }).waitFor();
    await page.getByRole('button', { name: 'BTC positions after', pressed: true }).waitFor();
    await page
      .locator('.payoff figcaption')
      .getByText(/^Loses \$/)
      .waitFor();
    await qty.press('Control+Enter');
    await card(page, /1 filled at 310\.00/).waitFor();
    await positions.getByText('No open positions').waitFor();
    await page.locator('table.chain :focus').waitFor({ state: 'attached' });

    const fills = await showPanel(page, 'Fills');
    await fills.locator('tbody tr').nth(1).waitFor();
    const download = page.waitForEvent('download');
    await fills.getByRole('button', { name: 'Download CSV' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    assert.deepEqual(
      csv
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(',').find((cell) => /^(kind|funding|trade)$/.test(cell))),
      ['kind', 'funding', 'trade', 'trade'],
    );

    // The row of a position that is closed elsewhere goes while its button holds the focus.
    await stage.venue.quote(later, 310, 320);
    await placed(client, { seriesId: later, side: 'buy', qty: 1, price: 320 });
    await showPanel(page, 'Positions');
    await positions.getByRole('button', { name: /^Close / }).focus();
    await placed(client, { seriesId: later, side: 'sell', qty: 1, price: 310 });
    await positions.getByText('No open positions').waitFor();
    await page.locator('table.chain :focus').waitFor({ state: 'attached' });
    assertNoFaults(faults);
  });

  it('finds an order whose answer was lost, and one that was never sent', async () => {
    const [call] = stage.venue.calls;
    await stage.venue.quote(call, 90, 110, 1);
    const { page, faults } = trader;
    await page.route('**/v1/batch', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await price(page, 'ask').click();
    await page.getByLabel('Quantity').fill('1.5');
    await sendButton(page).click();
    await card(page, /confirmation was lost.*: 1 filled at 110\.00, 0\.5 resting at 110\.00/).waitFor();
    // The ticket is done with.
    await sendButton(page).waitFor({ state: 'detached' });
    await page.unroute('**/v1/batch');

    await page.route('**/v1/batch', (route) => route.abort('connectionreset'));
    await price(page, 'bid').click();
    await page.getByRole('radio', { name: 'Buy' }).check();
    await sendButton(page).click();
    await card(page, /Not placed/).waitFor();
    await page.unroute('**/v1/batch');
    await sendButton(page).click();
    // All of it, unlike the first order, whose card may still be there.
    await card(page, /call *1(\.5)? resting at/).waitFor();
    assertNoFaults(faults.filter((fault) => !/ERR_CONNECTION_RESET/.test(fault)));
  });

  it('keeps a late answer away from the next ticket, and confirms an order without a preview', async () => {
    const [call] = stage.venue.calls;
    await stage.venue.quote(call, 90, 110, 1);
    const { page, faults } = trader;
    const release = await hold(page, '**/v1/batch');
    const [qty, limit] = [page.getByLabel('Quantity'), page.getByLabel('Limit price')];
    await price(page, 'ask').focus();
    await page.keyboard.press('Enter');
    await qty.fill('1');
    await qty.press('Control+Enter');
    await page.getByText('Sending…').waitFor();
    assert.equal(await qty.getAttribute('readonly'), '');
    await limit.press('ArrowUp');
    assert.equal(await limit.inputValue(), '110.00', 'what is on its way stays as it was sent');
    await price(page, 'bid').click();
    await qty.fill('0.4');
    release();
    // Not the one whose answer was lost, whose card may still be there.
    await card(page, /1 filled at 110\.00(?!,)/).waitFor();
    assert.equal(await qty.inputValue(), '0.4', 'the other ticket stays open');
    await page.unroute('**/v1/batch');

    // Sent right after the last key: no preview covers this quantity.
    await page.getByRole('radio', { name: 'Buy' }).check();
    await page.locator('.foreseen').getByText('rest').waitFor();
    const releasePreviews = await hold(page, '**/v1/order/preview');
    await qty.fill('200');
    assert.equal(await page.locator('.foreseen').textContent(), '…');
    await qty.press('Control+Enter');
    await page
      .locator('.verdict')
      .getByText(/may take \d+% of your buying power/)
      .waitFor();
    releasePreviews();
    await qty.fill('0');
    await page.getByText('Must be more than zero.').waitFor();
    assert.match((await sendButton(page).textContent()) ?? '', /Buy … .* at \$90\.00/);
    assertNoFaults(faults.filter((fault) => !/ERR_CONNECTION_RESET/.test(fault)));
    await page.context().close();
  });

  it('shows a liquidation until it is dismissed', async () => {
    const { page, faults } = called;
    // Two ticks after the margin call.
    const liquidated = card(page, /Liquidated: BTC .* bought .* of your short back at .*Cash −\$/);
    await liquidated.waitFor({ timeout: 2 * WAIT_MS });
    const fills = await showPanel(page, 'Fills');
    await fills.getByText('Liquidated').first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const notices = page.locator('.Notices_notices');
    await assertApart(notices, page.getByRole('navigation', { name: 'Parts of the page' }));
    await stage.venue.quote(stage.venue.calls[0], 90, 110);
    await page.getByRole('button', { name: /^Chain/ }).click();
    await price(page, 'ask').click();
    await sendButton(page).waitFor();
    await assertApart(notices, sendButton(page));
    await assertApart(notices, page.getByRole('navigation', { name: 'Parts of the page' }));
    await assertApart(notices, page.getByRole('tablist', { name: 'Expiries' }));
    await page
      .getByRole('button', { name: /^Put away: Liquidated/ })
      .first()
      .click();
    assertNoFaults(faults);
    await page.context().close();
  });
});
