/** The strategy tray, in a real browser on a real venue. */

// @process rich-market
// @seconds 30

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
import { placed, sharedMarket, type Trader } from './own-market.ts';

const missing = chromiumMissing();
/** Middles of the calls of a condor, the lowest strike first: it costs 20 to buy, and 20 to sell again. */
const MIDS = [2_600, 2_300, 1_700, 1_400];
/** Its legs from the money on, with the middles of their books: it brings in 580 and costs 620 to close. */
const IRON_CONDOR = [
  [-2, 'P', 1_400],
  [-1, 'P', 1_700],
  [1, 'C', 1_700],
  [2, 'C', 1_400],
] as const;

describe('the strategy tray', { skip: missing ?? false }, () => {
  const stage = sharedMarket(1_000_000);
  /** Shared by a test and the one after it. */
  let trader: Trader;
  let watched: WatchedPage;
  const address = () => stage.venue.chainOf(stage.venue.calls[1]);

  it('CMB-1: a condor in three presses, and its close as one order', async () => {
    trader = await stage.venue.trader();
    const { key, client } = trader;
    await client.orders.setMargin(true);
    const [, expiry] = stage.venue.calls[1].split('-');
    const series = await client.market.series('BTC');
    const calls = series
      .filter(({ expiryTs, right }) => expiryTs === Number(expiry) && right === 'C')
      .sort((a, b) => a.strike - b.strike);
    const atm = calls.findIndex(({ seriesId }) => seriesId === stage.venue.calls[1]);
    for (const [i, offset] of [-2, -1, 1, 2].entries())
      await stage.venue.quote(calls[atm + offset]!.seriesId, MIDS[i]! - 5, MIDS[i]! + 5, 5);
    watched = await openPage(stage.browser, address());
    const { page, faults } = watched;
    await page.locator('td.call.ask', { hasText: '2,605.00' }).waitFor();
    await signInWithKey(page, key);
    const tray = page.getByRole('region', { name: 'Strategy tray' });
    await page.getByRole('button', { name: 'Strategies' }).click();
    await tray.getByRole('button', { name: 'Condor', exact: true }).click();
    await tray.getByText('Trades all 1 at once, at 20.00 a unit.').waitFor();
    const send = tray.locator('.send');
    assert.match((await send.textContent()) ?? '', /^PAPER Buy 1 call condor at 20\.00 · cost \$\d+\.\d\d$/);
    await page.locator('.leg-chip').nth(3).waitFor();
    // The slider goes from the natural price over the middle to the far side.
    await tray.getByLabel('Net price between natural and far side').fill('25');
    await send.getByText('Nothing would trade at 10.00').waitFor();
    await tray.getByText(/^Nothing would trade at 10\.00: the books are at 20\.00\./).waitFor();
    // One more press would still send it.
    await send.click();
    await send.getByText(/Send anyway Buy 1 call condor at 10\.00 ·/).waitFor();
    await tray.getByRole('button', { name: /^Natural/ }).click();
    await tray.getByText('Trades all 1 at once, at 20.00 a unit.').waitFor();
    await send.click();
    await card(page, /1 filled at 20\.00\./).waitFor();
    const positions = await tab(page, 'Positions');
    await placed(client, { seriesId: calls[atm + 2]!.seriesId, side: 'sell', qty: 0.5, price: 9_000 });
    await positions.getByRole('button', { name: 'Close 4 BTC positions as one order…' }).click();
    await tray.getByText(/^Trades all 1 at once/).waitFor();
    const note = tray.getByText(/^1 resting order on these contracts stays, and would open a position/);
    await note.getByRole('button', { name: 'Cancel it' }).click();
    await note.waitFor({ state: 'detached' });
    assert.deepEqual((await client.orders.list({ status: 'open' })).orders, []);
    await send.getByText(/Close 1 call condor at 20\.00 · cost/).waitFor();
    await send.click();
    await card(page, /1 filled at a cost of 20\.00\./).waitFor();
    await positions.getByText('No open positions').waitFor();
    const { orders } = await client.orders.list({ status: 'closed' });
    assert.deepEqual(
      orders.map((order) => 'legs' in order && order.legs.length),
      [4, false, 4],
    );
    assertNoFaults(faults);
  });

  it('CMB-1: a position rolls to the next expiry as one order', async () => {
    const [, held, next] = stage.venue.calls;
    await stage.venue.quote(held, 1_990, 2_010, 5);
    await stage.venue.quote(next, 2_890, 2_910, 5);
    const { client } = trader;
    await placed(client, { seriesId: held, side: 'buy', qty: 2, price: 2_010 });
    const { page, faults } = watched;
    const positions = await tab(page, 'Positions');
    await positions.getByRole('button', { name: /^Roll / }).click();
    const tray = page.getByRole('region', { name: 'Strategy tray' });
    await tray.getByText('Trades all 2 at once, at 920.00 a unit.').waitFor();
    await tray.locator('.send').click();
    await card(page, /2 filled at 920\.00\./).waitFor();
    const account = await client.account.me();
    assert.deepEqual(
      account.positions.map(({ seriesId, qty }) => [seriesId, qty]),
      [[next, 2]],
    );
    assertNoFaults(faults);
    await page.context().close();
  });

  it('DRM-1, TERM-20: a newcomer’s iron condor locks its width, is one line, and the way back is refused in the venue’s words', async () => {
    trader = await stage.venue.trader();
    const { key, client } = trader;
    const [, expiry] = stage.venue.calls[1].split('-');
    const series = (await client.market.series('BTC')).filter(({ expiryTs }) => expiryTs === Number(expiry));
    const strikes = [...new Set(series.map(({ strike }) => strike))].sort((a, b) => a - b);
    const atm = strikes.indexOf(Number(stage.venue.calls[1].split('-')[3]));
    for (const [offset, right, mid] of IRON_CONDOR)
      await stage.venue.quote(`BTC-${expiry}-${right}-${strikes[atm + offset]}`, mid - 5, mid + 5, 31);
    watched = await openPage(stage.browser, address());
    const { page, faults } = watched;
    await page.locator('td.call.ask', { hasText: '1,705.00' }).waitFor();
    await signInWithKey(page, key);
    const tray = page.getByRole('region', { name: 'Strategy tray' });
    await page.getByRole('button', { name: 'Strategies' }).click();
    await tray.getByRole('button', { name: 'Iron condor', exact: true }).click();
    await tray.getByLabel('Quantity').fill('30');
    const offer = tray.locator('.ticket-foot').locator('.margin-offer');
    await offer.getByText(/would lock \$[\d,.]+; leg by leg it would be \$1,[\d,.]+\./).waitFor();
    await tray.getByText('The venue would reject it.').waitFor();
    assert.equal(await tray.getByText(/margin is off/i).count(), 1, 'the reason is said once');
    await tray.locator('.send').click();
    await card(page, /margin is off — enable margin to sell short/).waitFor();
    await offer.getByText('Margin is off: turn it on to sell.').waitFor();
    await offer.getByRole('button', { name: 'Turn on defined-risk margin' }).click();
    await tray.getByText(/^Trades all 30 at once/).waitFor();
    const before = await client.account.me();
    await tray.locator('.send').click();
    await card(page, /30 filled at 580\.00\./).waitFor();
    const { marginMode, locked, cash } = await client.account.margin();
    const width = strikes[atm + 2]! - strikes[atm + 1]!;
    assert.deepEqual([marginMode, locked.toFixed(2)], ['defined-risk', (30 * width).toFixed(2)]);
    assert.ok(cash > before.cash + 30 * 540, String(cash));
    const panel = await tab(page, 'Account');
    await panel.getByRole('radio', { name: /^Leg by leg/ }).click();
    await panel.getByText(/require more than there is/).waitFor();
    assert.ok(await panel.getByRole('radio', { name: /^Defined risk/ }).isChecked());
    await closesAsOneLine(page);
    await tab(page, 'Account');
    await panel.getByRole('radio', { name: /^Leg by leg/ }).click();
    await card(page, /Margin leg by leg/).waitFor();
    await panel.getByRole('radio', { name: /^Leg by leg/, checked: true }).waitFor();
    assertNoFaults(faults);
  });

  it('TERM-20: two spreads that were two orders are two lines, and not the condor they add up to', async () => {
    const { client } = trader;
    const [, expiry] = stage.venue.calls[1].split('-');
    const series = (await client.market.series('BTC')).filter(({ expiryTs }) => expiryTs === Number(expiry));
    const strikes = [...new Set(series.map(({ strike }) => strike))].sort((a, b) => a - b);
    const atm = strikes.indexOf(Number(stage.venue.calls[1].split('-')[3]));
    const ids: string[] = [];
    for (const [offset, right, mid] of IRON_CONDOR) {
      ids.push(`BTC-${expiry}-${right}-${strikes[atm + offset]}`);
      await stage.venue.quote(ids.at(-1)!, mid - 5, mid + 5, 31);
    }
    const sellSpread = (near: string, far: string) =>
      client.orders.combo({
        legs: [
          { seriesId: near, side: 'sell', ratio: 1 },
          { seriesId: far, side: 'buy', ratio: 1 },
        ],
        ...{ qty: 1, net: 0, tif: 'fok' },
      });
    await sellSpread(ids[1]!, ids[0]!);
    const { page, faults } = watched;
    const positions = await tab(page, 'Positions');
    const names = positions.locator('tr[data-kind="strategy"] .Positions_strategyName');
    await names.filter({ hasText: /put spread$/ }).waitFor();
    await sellSpread(ids[2]!, ids[3]!);
    await names.filter({ hasText: /call spread$/ }).waitFor();
    assert.equal(await names.count(), 2);
    await page.reload();
    await names.nth(1).waitFor();
    assert.match((await names.allTextContents()).join(), /put spread,.*call spread$/);
    await positions.getByRole('button', { name: 'One by one' }).click();
    await positions.locator('tr[data-kind="position"]').nth(3).waitFor();
    assert.equal(await names.count(), 0);
    assertNoFaults(faults);
    await page.context().close();
  });

  it('TERM-11: on a phone a held price becomes a leg, a tap fills the ticket, and a finger that scrolls does neither', async () => {
    await stage.venue.quote(stage.venue.calls[1], 1_990, 2_010, 5);
    const { page, faults } = await openPage(stage.browser, address(), {
      ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    });
    const price = page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ });
    await price.waitFor();
    const tray = page.getByRole('region', { name: 'Strategy tray' });
    const ticket = page.getByRole('region', { name: 'Order ticket' });
    await touch(page, price, { ms: 700, movePx: 40 });
    assert.deepEqual([await tray.count(), await ticket.count()], [0, 0]);
    await touch(page, price, { until: tray.getByText('1 leg · hold another price') });
    await page.waitForTimeout(300);
    assert.equal(await ticket.count(), 0);
    // The chain keeps its place, with the leg marked in it and the next price within reach.
    await page.locator('.leg-chip').waitFor();
    await comesToHold('a low bar', async () => {
      const bar = (await tray.boundingBox())!;
      assert.ok(bar.height <= 66, JSON.stringify(bar));
    });
    await touch(page, page.locator('tr[data-at-the-money] + tr td.call.ask'), {
      until: tray.getByText(/^2 legs · /),
    });
    await tray.getByRole('button', { name: /Open$/ }).click();
    await tray.getByRole('list', { name: 'Legs' }).waitFor();
    await comesToHold('a tray within the window', async () => {
      const box = (await tray.boundingBox())!;
      assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844, JSON.stringify(box));
    });
    await tray.getByRole('button', { name: 'Close the tray' }).click();
    await touch(page, price);
    await ticket.waitFor();
    assert.equal(await tray.count(), 0);
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
    // Without a session it sends nothing, and opens no ticket in place of the legs either.
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Escape');
    await tray.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('region', { name: 'Order ticket' }).count(), 0);
    await page.getByRole('button', { name: 'Strategies' }).click();
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
    await comesToHold('another strike', async () =>
      assert.notEqual(await tray.getByRole('heading').textContent(), heading),
    );
    const named = page.url();
    assert.match(named, /#buy1\.BTC-\d+-C-\d+,buy1\.BTC-\d+-P-\d+$/);
    await openLink(page, named);
    await tray.getByRole('heading', { name: /strangle/ }).waitFor();
    assert.equal(page.url(), named);
    await openLink(page, named.replace(/-C-\d+/, '-C-7'));
    await card(page, /One of its legs is not listed here/).waitFor();
    await openLink(page, named.replace(/BTC-\d+-C/, 'BTC-1700000000-C'));
    await card(page, /That expiry is not listed here/).waitFor();
    const [, leg] = named.split('#buy1.')[1]!.split(',buy1.');
    await openLink(page, `${stage.venue.url}#buy1.${leg},sell2.${leg}`);
    await card(page, /It names a contract twice/).waitFor();
    await openLink(page, `${stage.venue.url}#buy1.${leg},sell2.nonsense`);
    await page.getByTestId('chain').waitFor();
    assert.equal(await tray.count(), 0);
    assertNoFaults(faults);
    await page.context().close();
  });
});

/** A finger on a price, for so long or until something is there; it moves by so much on the way. */
async function touch(
  page: Page,
  what: Locator,
  { ms = 0, until, movePx = 0 }: { ms?: number; until?: Locator; movePx?: number } = {},
): Promise<void> {
  const { x, y, width, height } = (await what.boundingBox())!;
  const at = (dy: number) => [{ x: x + width / 2, y: y + height / 2 + dy }];
  const session = await page.context().newCDPSession(page);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  if (movePx !== 0)
    for (const share of [0.25, 0.5, 1])
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(share * movePx) });
  if (ms > 0) await page.waitForTimeout(ms);
  await until?.waitFor();
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}

/** The four legs of 30 iron condors are a line that opens, and that one order closes, at 620 a unit. */
async function closesAsOneLine(page: Page): Promise<void> {
  const positions = await tab(page, 'Positions');
  const lines = positions.locator('tbody tr');
  const name = lines.getByRole('button', { name: /^BTC .+ iron condor$/, expanded: false });
  await name.waitFor();
  assert.equal(await lines.count(), 1);
  await lines.locator('td[data-head="Position"]', { hasText: /^−30 short$/ }).waitFor();
  await lines.locator('td[data-head="Avg price"]', { hasText: /^580\.00$/ }).waitFor();
  await name.press('Enter');
  await positions.locator('tr[data-kind="leg"]').nth(3).waitFor();
  await assertAccessible(page, '.dock');
  await positions.getByRole('button', { name: /^Close BTC .+ iron condor$/ }).click();
  const tray = page.getByRole('region', { name: 'Strategy tray' });
  await tray.getByText(/^Trades all 30 at once/).waitFor();
  assert.equal(await tray.getByRole('list', { name: 'Legs' }).getByRole('listitem').count(), 4);
  await tray.locator('.send').click();
  await card(page, /30 filled at 620\.00\./).waitFor();
  await positions.getByText('No open positions').waitFor();
}

/** A page of its own at an address, as a link opens it. */
async function openLink(page: Page, address: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address);
}

function card(page: Page, text: RegExp): Locator {
  return page.locator('.Notices_notice', { hasText: text }).first();
}

async function tab(page: Page, name: string): Promise<Locator> {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  return page.getByRole('tabpanel', { name });
}
