/**
 * The terminal's charts in a real browser on a real venue: their content as picture and as table, and their memory
 * after closing.
 */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../e2e/launched.ts';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  comesToHold,
  openPage,
  sendOrder,
  sharedStage,
  signInOnPaper,
  WAIT_MS,
  watchFaults,
} from './browser.ts';

const missing = chromiumMissing();

const OPENINGS = 20;
const LOOKS = 10;
/** Allowed growth of the heap in bytes, of nodes and of event listeners. */
const LEFT = { heap: 1_500_000, nodes: 60, listeners: 20 };

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

  it('draws history, depth, smile and payoff, each also as a sentence and as a table', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await signInOnPaper(page);
    // At whatever price it is by now: one that rests is no position.
    await page.getByRole('radio', { name: 'Market' }).check();
    await sendOrder(page, /^PAPER Buy 1 /, page.getByRole('tab', { name: 'Positions 1' }));
    await page.getByRole('tab', { name: 'Charts' }).click();

    const spot = await chosen(page, 'Underlying');
    await spot.locator('canvas').first().waitFor();
    await says(spot, /^[\d,.]+ now, between [\d,.]+ and [\d,.]+ in the last minute\.$/);
    await showsAsTable(spot, /^TimePrice, \$(\d\d:\d\d:\d\d[\d,]+\.\d\d)+$/);

    const contract = await chosen(page, 'Contract');
    await says(contract, /^Mark [\d,.]+ now, .* Last trade at [\d,.]+, \d\d:\d\d:\d\d\.$/);
    await showsAsTable(contract, /^TimeMark, \$Trade, \$/);

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
      .locator('svg.plot polyline')
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
    await showsAsTable(payoff, /At expiry, paper \$Today, paper \$.*−[\d,.]+.*\+[\d,.]+/);
    assertNoFaults(faults);
    await page.context().close();
  });

  it('labels the prices of an axis alike', async () => {
    const context = await stage.browser.newContext({ viewport: { width: 1920, height: 1080 } });
    await context.addInitScript({ content: KEEP_CANVAS_TEXTS });
    const page = await context.newPage();
    const faults = watchFaults(page);
    await page.goto(stage.venue.url);
    await chainStands(page);
    // Times have colons.
    const prices = () => page.evaluate<string[]>("[...canvasTexts].filter((text) => !text.includes(':'))");
    await eventually('an axis of prices', async () => (await prices()).length > 3);
    for (const price of await prices()) assert.match(price, /^\d{1,3}(,\d{3})*\.\d\d$/);
    assertNoFaults(faults);
    await context.close();
  });

  it('follows the window size and the colour scheme, beside the chain on wide screens', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url, {
      viewport: { width: 1920, height: 1080 },
    });
    await chainStands(page);
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

  it('leaks nothing when closed', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await openAndClose(page, 5);
    const before = await leastUsed(page);
    await openAndClose(page, OPENINGS);
    // Each pending answer has its own listeners until it is read: on a busy machine more of them than these limits.
    let after = before;
    const isAsBefore = async () => {
      after = await used(page);
      return Object.entries(LEFT).every(
        ([what, most]) => after[what as keyof typeof LEFT] - before[what as keyof typeof LEFT] < most,
      );
    };
    await eventually('as little as before the charts', isAsBefore, WAIT_MS).catch(() =>
      assert.fail(JSON.stringify({ before, after })),
    );
    assertNoFaults(faults);
    await page.context().close();
  });
});

/** Selects a chart by name in the first pane. */
async function chosen(page: Page, name: string): Promise<Locator> {
  const pane = page.getByRole('region', { name: 'Chart', exact: true });
  await pane.getByRole('tab', { name, exact: true }).click();
  const figure = pane.getByRole('figure');
  await figure.waitFor();
  return figure;
}

async function says(figure: Locator, pattern: RegExp): Promise<void> {
  const sentence = figure.locator('.sentence');
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

async function openAndClose(page: Page, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await page.getByRole('tab', { name: 'Charts' }).click();
    await page.locator('.history canvas').first().waitFor();
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.locator('.charts').waitFor({ state: 'detached' });
  }
}

/** Measures at a moment without a pending answer. */
async function leastUsed(page: Page): Promise<Used> {
  const looks: Used[] = [];
  for (let i = 0; i < LOOKS; i++) looks.push(await used(page));
  const least = (what: keyof Used) => Math.min(...looks.map((look) => look[what]));
  return { heap: least('heap'), nodes: least('nodes'), listeners: least('listeners') };
}

type Used = Record<keyof typeof LEFT, number>;

/** The page's memory after garbage collection. */
async function used(page: Page): Promise<Used> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return { heap: usedSize, nodes, listeners: jsEventListeners };
}
