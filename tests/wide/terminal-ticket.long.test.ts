/** The order ticket in a real browser: that it stands still, sends one order, and the sign-in inside it. */

// @process terminal-layouts
// @seconds 25

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import type { Locator, Page } from 'playwright-core';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  openPage,
  signInOnPaper,
  type WatchedPage,
} from './browser.ts';
import { sharedStage } from './stage.ts';

const missing = chromiumMissing();

/** Where the ticket lies over the page, and where it stands beside the chain. */
const SIZES: readonly (readonly [width: number, height: number])[] = [
  [320, 568],
  [1_366, 768],
];

describe('the ticket of the terminal', { skip: missing ?? false }, () => {
  const stage = sharedStage();
  /** With a ticket open, for two tests. */
  let trader: WatchedPage;

  it('does not move while prices do', async () => {
    trader = await openPage(stage.browser, stage.venue.url);
    const { page } = trader;
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await signInOnPaper(page);
    await page.locator('.ticket figcaption').waitFor();
    await page.locator('.consequences dd', { hasText: '→' }).first().waitFor();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const [first, ...later] = await boxesWhilePricesMove(page);
      for (const boxes of later)
        assert.deepEqual(
          boxes.filter((box, i) => box !== first![i]),
          [],
          `${width} x ${height}`,
        );
      assert.deepEqual(await page.evaluate<unknown[]>('globalThis.shifts'), [], `${width} x ${height}`);
    }
  });

  it('sends one order while Enter is held, and presses nothing that comes to have the focus', async () => {
    const { page, faults } = trader;
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/batch') && request.method() === 'POST') sent += 1;
    });
    await page.getByLabel('Quantity').fill('0.01');
    await page.getByLabel('Limit price').fill('1');
    await page.getByLabel('Limit price').focus();
    await page.keyboard.down('Enter');
    const focused = () => page.evaluate<boolean>("document.activeElement?.closest('.chain-scroll') != null");
    for (let i = 0; i < 40 || !(await focused()); i++) {
      await page.keyboard.down('Enter');
      await page.waitForTimeout(30);
    }
    for (let i = 0; i < 10; i++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    assert.equal(sent, 1);
    await page.keyboard.press('Enter');
    await page.locator('.ticket .send').waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });

  it('takes the typed key of a paper account, and bases its advice on that, no matter who changed it', async () => {
    const key = randomPrivateKey();
    const wallet = walletFromPrivateKey(key);
    const { address } = wallet;
    const program = new VenueClient({ url: stage.venue.url });
    await program.auth.approveSession(wallet);
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.bid', { hasText: /\d/ }).click();
    const ticket = page.getByRole('region', { name: 'Order ticket' });
    await useKey(ticket, '0x12');
    await ticket.getByText('64 hexadecimal digits').waitFor();
    await useKey(ticket, key);
    await ticket.getByText('Buying power').waitFor();
    const shown = await page.locator('.session-button .SessionMenu_address').textContent();
    assert.equal(shown?.slice(0, 6).toLowerCase(), address.slice(0, 6).toLowerCase());
    assert.ok(await ticket.getByRole('radio', { name: 'Sell' }).isChecked(), 'the ticket is kept');
    const isOff = ticket.getByText('Turn on margin to sell short');
    // Refused twice: by the preview, and as an order.
    await isOff.waitFor();
    await sendRefused(page);
    await ticket.getByRole('button', { name: 'Turn on margin' }).click();
    await page.locator('.Notices_notice', { hasText: 'Margin on' }).waitFor();
    await isOff.waitFor({ state: 'detached' });
    await program.orders.setMargin(false);
    await isOff.waitFor();
    await sendRefused(page);
    const tab = await page.context().newPage();
    await tab.goto(stage.venue.url);
    await tab.getByRole('tab', { name: 'Account' }).click();
    await tab.getByRole('switch').click();
    await isOff.waitFor({ state: 'detached' });
    assertNoFaults(faults);
    await page.context().close();
  });
});

async function useKey(ticket: Locator, key: string): Promise<void> {
  const field = ticket.getByLabel('Key');
  if (!(await field.isVisible())) await ticket.getByText('I have the key').click();
  await field.clear();
  await field.pressSequentially(key);
  await ticket.getByRole('button', { name: 'Use it', exact: true }).click();
}

/** Sends the ticket's order, until its refusal is there: whatever is pressed before could overtake the order. */
async function sendRefused(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/batch'));
  await page.locator('.ticket .send').click();
  await answered;
  await page.locator('.ticket:not([data-is-sent]) .send').waitFor();
}

/**
 * Collects the layout shifts reported by the browser, except of a number that only got longer, and counts the prices
 * that change.
 */
const WATCH_SHIFTS = `
  globalThis.observers?.forEach((observer) => observer.disconnect());
  globalThis.shifts = [];
  globalThis.ticks = 0;
  const shifts = new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries())
      for (const { node, previousRect, currentRect } of sources)
        if (previousRect.top !== currentRect.top || Math.abs(previousRect.right - currentRect.right) > 1)
          globalThis.shifts.push([(node?.outerHTML ?? '').slice(0, 80), previousRect, currentRect]);
  });
  shifts.observe({ type: 'layout-shift' });
  const ticks = new MutationObserver((records) => { globalThis.ticks += records.length; });
  ticks.observe(document.querySelector('.main'), { characterData: true, subtree: true });
  globalThis.turns = 0;
  const turns = new MutationObserver((records) => { globalThis.turns += records.length; });
  turns.observe(document.querySelector('[data-testid="link"]'), { attributes: true, attributeFilter: ['data-state'] });
  globalThis.observers = [shifts, ticks, turns];`;

/** Waits until nothing has moved for a second: a busy machine lays a new size out late. */
async function standsStill(page: Page): Promise<void> {
  let before = '';
  for (let looks = 0; looks < 10; ) {
    const now = (await page.evaluate<string[]>(BOXES)).join('\n');
    looks = now === before ? looks + 1 : 0;
    before = now;
    await page.waitForTimeout(100);
  }
}

const LOOKS = 30;
const TICKS = 2;
const LOOKS_MAX = 1_800;

const ADVICE = `document.querySelector('.verdict').textContent`;

/**
 * Looks again where advice came or went meanwhile, or the link turned late or stale, as on a machine too busy for fresh
 * prices: these take room of their own.
 */
async function boxesWhilePricesMove(page: Page): Promise<string[][]> {
  for (;;) {
    await standsStill(page);
    await page.evaluate(WATCH_SHIFTS);
    const looks = await boxesOverTime(page);
    const isSame = new Set(looks.map(({ advice }) => advice)).size === 1;
    const hasMoved =
      new Set(looks.map(({ boxes }) => boxes.join())).size > 1 ||
      (await page.evaluate<number>('globalThis.shifts.length')) > 0;
    const hasTurned = (await page.evaluate<number>('globalThis.turns')) > 0;
    if (isSame && !(hasMoved && hasTurned)) return looks.map(({ boxes }) => boxes);
  }
}

interface Look {
  readonly advice: string;
  readonly boxes: string[];
}

/**
 * Samples the positions of everything in ticket, header and tabs every tenth of a second: thirty times, and further
 * until prices have moved. The left edge of a right-aligned number does not matter.
 */
async function boxesOverTime(page: Page): Promise<Look[]> {
  const looks: Look[] = [];
  const ticks = () => page.evaluate<number>('globalThis.ticks');
  while (looks.length < LOOKS || (await ticks()) < TICKS) {
    assert.ok(looks.length < LOOKS_MAX, 'prices do not move');
    looks.push(await page.evaluate<Look>(`({ advice: ${ADVICE}, boxes: ${BOXES} })`));
    await page.waitForTimeout(100);
  }
  return looks;
}

const BOXES = `[...document.querySelectorAll('.ticket *, .header > *, .ExpiryTabs_expiries > *, .dock > *')]
    .filter((element) => !element.closest('svg, details'))
    .map((element) => {
      const { x, y, height } = element.getBoundingClientRect();
      const left = element.matches('.ticket dd') ? 0 : x;
      return element.tagName + '.' + element.className + ' ' + [left, y, height].map(Math.round).join(' ');
    })`;
