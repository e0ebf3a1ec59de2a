/**
 * The terminal's charts in a real browser on a real venue: their content as picture and as table.
 */

// @process terminal-layouts
// @seconds 42

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Candle } from '@venue/protocol';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../e2e/launched.ts';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  comesToHold,
  openPage,
  sendOrder,
  signInOnPaper,
  WAIT_MS,
  type WatchedPage,
} from './browser.ts';
import { sharedStage } from './stage.ts';

const missing = chromiumMissing();

/** Too narrow for charts beside the chain. */
const IN_THE_DOCK = { viewport: { width: 1_280, height: 900 } };

const KEEP_CANVAS_TEXTS = `{
  globalThis.canvasTexts = new Set();
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    canvasTexts.add(text);
    return fillText.call(this, text, ...place);
  };
}`;

describe("the terminal's charts", { skip: missing ?? false }, () => {
  const stage = sharedStage();
  /** A page with made-up candles. */
  let past: WatchedPage;

  it('draws history, depth, smile and payoff, each also as a sentence and as a table', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url, IN_THE_DOCK);
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await signInOnPaper(page);
    // At whatever price it is by now: one that rests is no position.
    await page.getByRole('radio', { name: 'Market' }).check();
    await sendOrder(page, /^PAPER Buy 1 /, page.getByRole('tab', { name: 'Positions 1' }));
    await page.getByRole('tab', { name: 'Charts' }).click();

    const spot = await chosen(page, 'Spot');
    await spot.locator('canvas').first().waitFor();
    await says(spot, PRICES_SAID);
    await showsAsTable(
      spot,
      /^TimeOpen, \$High, \$Low, \$Close, \$((\d+ \w+ )?\d\d:\d\d([\d,]+\.\d\d){4})+$/,
    );

    const contract = await chosen(page, 'Contract');
    await says(contract, PRICES_SAID);
    await contract.getByRole('button', { name: 'Trades', exact: true }).click();
    await says(contract, PRICES_SAID);
    await showsAsTable(contract, /^TimeOpen, \$High, \$Low, \$Close, \$Contracts.*[\d,.]+$/);
    await contract.getByRole('button', { name: 'IV', exact: true }).click();
    await says(contract, /^[\d.]+% now, between [\d.]+% and [\d.]+% in the last (minute|\d+ minutes)\.$/);
    await showsAsTable(contract, /^TimeVolatility, % a year/);

    const equity = await chosen(page, 'Equity');
    await says(
      equity,
      /^\$[\d,.]+ now; as this page has seen it, between \$[\d,.]+ and \$[\d,.]+ since \d\d:\d\d\.$/,
    );
    await showsAsTable(equity, /^TimeEquity, \$(\d+ \w+ )?\d\d:\d\d\$[\d,.]+/);
    await equity.getByRole('button', { name: 'By the hour' }).click();
    await says(
      equity,
      /^\$[\d,.]+ now(\. No hour before has been sampled|; of the points, one an hour since .*)\.$/,
    );
    await showsAsTable(equity, /^TimeEquity, \$(\d+ \w+ )?\d\d:00\$[\d,.]+/);

    const depth = await chosen(page, 'Depth');
    await says(depth, /^[\d.]+ bid from [\d,.]+ to [\d,.]+; [\d.]+ offered from [\d,.]+ to [\d,.]+\.$/);
    await depth
      .locator('svg')
      .filter({ hasText: /contracts up to a priceBidsAsks/ })
      .waitFor();
    await showsAsTable(depth, /Ask.*Bid/);

    const smile = await chosen(page, 'Smile');
    await says(smile, /^At the money: ([\d.]+% for \d+ \w+( \d\d)?(, )?){4,5}, a year\.$/);
    const dashes = await smile
      .locator('svg.Charts_plot polyline')
      .evaluateAll((lines) =>
        lines.map((line) => line.ownerDocument.defaultView!.getComputedStyle(line).strokeDasharray),
      );
    assert.ok(dashes.length >= 4 && new Set(dashes).size === dashes.length, dashes.join(' | '));
    await showsAsTable(smile, /%/);

    const payoff = await chosen(page, 'Payoff');
    await says(
      payoff,
      /^1 position of [\d.]+ contracts?, at the expiry of .*: Makes money above \$[\d,.]+; loses at most \$[\d,.]+\.$/,
    );
    await showsAsTable(payoff, /At expiry, \$Today, \$.*−[\d,.]+.*\+[\d,.]+/);
    assertNoFaults(faults);
    await page.context().close();
  });

  it('is full on the first paint, in each time frame, and goes on with the stream alone (HIS-2)', async () => {
    past = await openPage(stage.browser, stage.venue.url, IN_THE_DOCK);
    const { page, faults } = past;
    await chainStands(page);
    const asked: string[] = [];
    await page.route('**/v1/candles*', (route) => {
      const { searchParams } = new URL(route.request().url());
      // Of a chart; the day of each underlying is read from a moment on.
      if (!searchParams.has('from')) asked.push(`${searchParams.get('of')} ${searchParams.get('interval')}`);
      return route.fulfill({ json: { candles: pastCandles(MINUTES[searchParams.get('interval')!]!) } });
    });
    await page.getByRole('tab', { name: 'Charts' }).click();
    const spot = await chosen(page, 'Spot');
    await says(spot, /^[\d,.]+ now, between [\d,.]+ and [\d,.]+ in the last (59|6\d) minutes\.$/);
    await spot.getByRole('button', { name: '7d', exact: true }).click();
    await says(spot, /in the last 7 days\.$/);
    await spot.getByRole('button', { name: '1h', exact: true }).click();
    await says(spot, /in the last (59|6\d) minutes\.$/);
    assert.deepEqual(asked, ['spot:BTC 1m', 'spot:BTC 1h', 'spot:BTC 1m']);
    const words = spot.locator('.Charts_barWords');
    const first = await words.textContent();
    await eventually('a newer price', async () => (await words.textContent()) !== first, WAIT_MS);
    const toggle = spot.getByRole('button', { name: 'As a table' });
    await toggle.click();
    assert.equal(await spot.getByRole('table').getAttribute('aria-rowcount'), '121');
    await toggle.click();
    assert.equal(asked.length, 3);
    assertNoFaults(faults);
  });

  it('has a crosshair for pointer and keys, whose values are read out', async () => {
    const { page, faults } = past;
    const spot = await chosen(page, 'Spot');
    const [picture, words] = [spot.locator('.Charts_history'), spot.locator('.Charts_barWords')];
    await words.filter({ hasText: /O\s[\d,.]+\s+H\s[\d,.]+\s+L\s[\d,.]+\s+C\s[\d,.]+/ }).waitFor();
    await picture.focus();
    await picture.press('Home');
    await words.and(page.locator('[data-is-pointed="true"]')).filter({ hasText: 'O 90,000.00' }).waitFor();
    await picture.press('ArrowRight');
    await words.filter({ hasText: 'O 90,001.00' }).waitFor();
    await page
      .getByText(/O\s90,001\.00\s+H\s90,011\.00\s+L\s89,991\.00\s+C\s90,002\.00/)
      .nth(1)
      .waitFor({ state: 'attached' });
    await picture.press('Escape');
    await words.and(page.locator('[data-is-pointed="false"]')).waitFor();
    const { x, y, width, height } = (await picture.boundingBox())!;
    await page.mouse.move(x + (2 * width) / 3, y + height / 2);
    await words.and(page.locator('[data-is-pointed="true"]')).waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });

  it('says what is missing: no trade yet, no session, and a venue without its history', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url, IN_THE_DOCK);
    await chainStands(page);
    await page.getByRole('tab', { name: 'Charts' }).click();
    const pane = page.getByRole('region', { name: 'Chart', exact: true });
    await pane.getByRole('tab', { name: 'Equity' }).click();
    await pane.getByText('Sign in to see how your equity has moved.').waitFor();
    await page.route('**/v1/candles*', (route) => route.fulfill({ json: { candles: [] } }));
    const contract = await chosen(page, 'Contract');
    await contract.getByRole('button', { name: 'Trades', exact: true }).click();
    await contract.locator('.Charts_noFigure', { hasText: 'No trades yet.' }).waitFor();
    await page.unroute('**/v1/candles*');
    await page.route('**/v1/candles*', (route) =>
      route.fulfill({ status: 500, json: { error: 'history unavailable' } }),
    );
    const spot = await chosen(page, 'Spot');
    await says(
      spot,
      /^This venue keeps no history at present: these are prices that the page has seen\. [\d,.]+ now/,
    );
    await spot.locator('canvas').first().waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });

  it('labels prices alike, and follows the window size and the colour scheme, beside the chain on wide screens', async () => {
    const { page, faults } = await openPage(stage.browser, 'about:blank', {
      viewport: { width: 1920, height: 1080 },
    });
    await page.addInitScript(KEEP_CANVAS_TEXTS);
    await page.goto(stage.venue.url);
    await chainStands(page);
    // Times have colons, days letters; a label that is left out is empty.
    const prices = () =>
      page.evaluate<string[]>('[...canvasTexts].filter((text) => text !== "" && !/[:a-z]/i.test(text))');
    await eventually('an axis of prices', async () => (await prices()).length > 3);
    for (const price of await prices()) assert.match(price, /^\d{1,3}(,\d{3})*\.\d\d$/);
    const panes = page.getByRole('complementary', { name: 'Charts' }).getByRole('region');
    await panes.nth(1).waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Charts' }).count(), 0);
    assert.equal(await panes.count(), 2);
    const canvas = panes.first().locator('canvas').first();
    await canvas.waitFor();
    const width = () => canvas.evaluate((element) => element.getBoundingClientRect().width);
    const wide = await eventually('a wide chart', async () => (await width()) > 100 && width());
    const ink = () =>
      canvas.evaluate((element) => [...element.getContext('2d').getImageData(2, 2, 1, 1).data]);
    const dark = await ink();
    await page.emulateMedia({ colorScheme: dark[0]! > 128 ? 'dark' : 'light' });
    await eventually(
      'the other scheme on the canvas',
      async () => Math.abs((await ink())[0]! - dark[0]!) > 128,
    );
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('tab', { name: 'Charts' }).click();
    const inDock = page.getByRole('region', { name: 'Chart', exact: true }).locator('canvas').first();
    await inDock.waitFor();
    await comesToHold('a chart in the dock', async () => {
      const box = (await inDock.boundingBox())!;
      assert.ok(wide > 100 && box.width > 100 && box.x + box.width <= 1280, JSON.stringify({ wide, box }));
    });
    assertNoFaults(faults);
    await page.context().close();
  });
});

const PRICES_SAID = /^[\d,.]+ now, between [\d,.]+ and [\d,.]+ in the last (minute|\d+ minutes)\.$/;
const MINUTES: Readonly<Record<string, number>> = { '1m': 1, '1h': 60 };
const PAST_CANDLES = 300;

/** Candles up to the interval before this one, each opening a dollar above the one before. */
function pastCandles(minutes: number): Candle[] {
  const ms = minutes * 60_000;
  const now = Math.floor(Date.now() / ms) * ms;
  return Array.from({ length: PAST_CANDLES }, (_, i) => {
    const o = 90_000 + i;
    return { t: now - (PAST_CANDLES - i) * ms, o, h: o + 10, l: o - 10, c: o + 1 };
  });
}

/** Selects a chart by name in the first pane. */
async function chosen(page: Page, name: string): Promise<Locator> {
  const pane = page.getByRole('region', { name: 'Chart', exact: true });
  await pane.getByRole('tab', { name, exact: true }).click();
  const figure = pane.getByRole('figure');
  await figure.waitFor();
  return figure;
}

async function says(figure: Locator, pattern: RegExp): Promise<void> {
  const sentence = figure.locator('.Charts_sentence');
  await eventually(
    `${pattern}`,
    async () => pattern.test((await sentence.textContent()) ?? ''),
    WAIT_MS,
  ).catch(async (error) => assert.match((await sentence.textContent())!, pattern, String(error)));
  // A screen reader gets the same description of the picture.
  const picture = figure.getByRole('img').first();
  assert.ok((await picture.getAttribute('aria-label'))!.length > 0);
}

/** Switches to its table, until that reads so, and back to the picture. */
async function showsAsTable(figure: Locator, pattern: RegExp): Promise<void> {
  const toggle = figure.getByRole('button', { name: 'As a table' });
  await toggle.click();
  await comesToHold('the table', async () =>
    assert.match((await figure.getByRole('table').textContent())!, pattern),
  );
  await toggle.click();
  await figure.getByRole('img').first().waitFor();
}
