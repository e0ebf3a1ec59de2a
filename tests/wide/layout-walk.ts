/**
 * A walk through the states of the trading view, in each of which the page takes several sizes: what one presses is in
 * sight, whole and under nothing else, every part is in the window and beside the others, and nothing shifts.
 */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  comesToHold,
  openPage,
  sendOrder,
  signInOnPaper,
} from './browser.ts';
import { sharedStage } from './stage.ts';

export type Size = readonly [width: number, height: number];

/** From a small phone to a large monitor, in px. */
export const SIZES: readonly Size[] = [
  [320, 568],
  [360, 740],
  [390, 844],
  [768, 1_024],
  [1_024, 768],
  [1_366, 768],
  [1_440, 900],
  [1_920, 1_080],
  [2_560, 1_440],
];

/** The tightest with a list, and the tightest with the chain beside the ticket. */
export const TIGHTEST: readonly Size[] = [
  [320, 568],
  [1_366, 768],
];

/** The size at which a state is entered, where all of the page is in sight. */
const WORKPLACE = { width: 1_440, height: 900 };
/** As browsers count a shift: the part of the page that moved, times how far. One line more of a sentence is allowed. */
const SHIFT_MAX = 0.02;
const PREVIEW = '**/v1/order/preview';

interface State {
  readonly name: string;
  enter(page: Page): Promise<void>;
  /** Parts that have to be in sight at every size, as a whole. */
  readonly stays?: readonly string[];
  /** A sheet lies over other parts on purpose. */
  readonly isSheet?: true;
  /** Looked at by night alone, because the ones after it do without and others are as tight. */
  readonly isRare?: true;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).click();
const turnTo = (name: string) => (page: Page) =>
  page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();

const TICKET = ['.ticket h2', '.ticket .close', '.ticket .send'];

const STATES: readonly State[] = [
  { name: 'a first visit', enter: chainStands },
  { name: 'a ticket without an account', enter: openTicket, stays: TICKET },
  {
    name: 'a ticket that asks for a key',
    enter: (page) => page.locator('.ticket').getByText('I have the key').click(),
    stays: TICKET,
    isRare: true,
  },
  { name: 'a limit order', enter: signInOnPaper, stays: TICKET },
  { name: 'a sale without margin', enter: sellShort, stays: TICKET },
  { name: 'a payoff as a table', enter: openTable, stays: TICKET },
  { name: 'a refused order', enter: buyTooMuch, stays: TICKET },
  { name: 'an order that is asked about', enter: payTooMuch, stays: TICKET, isRare: true },
  {
    name: 'a field that cannot be read',
    enter: (page) => page.getByLabel('Quantity').fill('nothing'),
    stays: TICKET,
    isRare: true,
  },
  { name: 'a long refusal', enter: refuseAtLength, stays: TICKET },
  {
    name: 'a market order',
    enter: orderAtMarket,
    stays: TICKET,
  },
  { name: 'a position', enter: buyOne },
  { name: 'a resting order that is edited', enter: editResting },
  { name: 'a strategy', enter: openCondor, stays: ['.tray .send'] },
  { name: 'a what-if', enter: openWhatIf },
  { name: 'the account', enter: turnTo('Account') },
  { name: 'the log', enter: turnTo('Log'), isRare: true },
  { name: 'the book folded away', enter: press('Fold away the account'), isRare: true },
  { name: 'the charts folded away too', enter: press('Fold the charts away'), isRare: true },
  { name: 'the charts folded away', enter: press('Fold away the account'), isRare: true },
  { name: 'the choice of columns', enter: openColumns, isSheet: true },
  { name: 'all symbols', enter: openSymbols, isSheet: true },
  { name: 'no network', enter: goOffline },
];

/** Defines the test of a file of its own process group, by day without the rare states. */
export function describeWalk(sizes: readonly Size[], half: 'long' | 'nightly'): void {
  describe('the states of the trading view (TERM-10)', { skip: chromiumMissing() ?? false }, () => {
    const stage = sharedStage();

    it('has every part whole, in sight and under nothing, in every state, and nothing shifts', async () => {
      const { page, faults } = await openPage(stage.browser, stage.venue.url, { viewport: WORKPLACE });
      await page.evaluate(WATCH_SHIFTS);
      for (const state of STATES.filter(({ isRare }) => half === 'nightly' || isRare !== true)) {
        await page.setViewportSize(WORKPLACE);
        await state.enter(page);
        // A chain gives way to a notice that comes or goes; then all stands still, though prices move.
        await comesToHold(`${state.name} at rest`, async () => assert.deepEqual(await shiftsOf(page), []));
        for (const [width, height] of sizes) {
          await page.setViewportSize({ width, height });
          const parts = state.isSheet ? '[]' : FAULTS;
          const look = `[...(${LOOK})(${JSON.stringify(state.stays ?? [])}), ...${parts}]`;
          await comesToHold(`${state.name} at ${width} x ${height}`, async () =>
            assert.deepEqual(await page.evaluate(look), []),
          );
        }
      }
      assertNoFaults(faults.filter((fault) => !/ERR_|WebSocket connection/.test(fault)));
      await page.context().close();
    });
  });
}

async function openTicket(page: Page): Promise<void> {
  await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).first().click();
  await page.getByRole('region', { name: 'Order ticket' }).waitFor();
}

async function sellShort(page: Page): Promise<void> {
  await page.locator('.ticket').getByText('Sell', { exact: true }).click();
  await page.getByRole('button', { name: 'Turn on margin' }).waitFor();
}

/** More than paper cash buys even in an expiry's last hour, when a contract costs little. */
async function buyTooMuch(page: Page): Promise<void> {
  await page.getByLabel('Quantity').fill('5000');
  await page.getByText(/insufficient buying power/).waitFor();
}

async function payTooMuch(page: Page): Promise<void> {
  await page.getByLabel('Limit price').fill('9000');
  await page.getByLabel('Quantity').fill('0.1');
  await page.locator('.ticket .send').click();
  await page
    .locator('.verdict')
    .getByText(/above the mark/)
    .waitFor();
}

/** Longer than any text the venue sends today. */
async function refuseAtLength(page: Page): Promise<void> {
  await page.route(PREVIEW, async (route) => {
    const answer = await route.fetch();
    const body = { ...(await answer.json()), status: 'rejected', reason: 'A long reason. '.repeat(30) };
    await route.fulfill({ response: answer, json: body });
  });
  await page.getByLabel('Quantity').fill('1');
  await page.getByText(/A long reason/).waitFor();
}

async function orderAtMarket(page: Page): Promise<void> {
  // An answer may still be on its way through the handler.
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('radio', { name: 'Market' }).check();
}

async function buyOne(page: Page): Promise<void> {
  await sendOrder(page, /^PAPER Buy /, page.getByRole('tab', { name: 'Positions 1' }));
  await page.getByRole('tab', { name: 'Positions 1' }).click();
}

async function editResting(page: Page): Promise<void> {
  await openTicket(page);
  await page.getByRole('radio', { name: 'Limit' }).check();
  await page.getByLabel('Limit price').fill('5');
  await page.getByRole('button', { name: /^PAPER Buy / }).click();
  await page.getByRole('tab', { name: 'Orders 1' }).click();
  await page.getByRole('button', { name: /^Edit/ }).click();
}

async function openCondor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Strategies' }).click();
  const tray = page.getByRole('region', { name: 'Strategy tray' });
  await tray.getByRole('button', { name: 'Condor', exact: true }).click();
  await tray.locator('.send').waitFor();
}

async function openTable(page: Page): Promise<void> {
  await page.locator('.ticket').getByText('Buy', { exact: true }).click();
  await page.locator('.ticket').getByText('As a table').click();
  await page.locator('.ticket table').first().waitFor();
}

async function openWhatIf(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close the tray' }).click();
  await page.getByRole('tab', { name: 'What-if', exact: true }).click();
  await page.locator('.WhatIf_heat').waitFor();
}

async function openColumns(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /Columns/ })
    .first()
    .click();
}

async function openSymbols(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('dialog', { name: 'Symbols' }).waitFor();
}

async function goOffline(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.context().setOffline(true);
  await page
    .getByTestId('link')
    .filter({ hasText: /retrying/ })
    .waitFor();
}

const REST_MS = 700;

/** Shifts within this time that are larger than the limit: how much, and what moved. */
async function shiftsOf(page: Page): Promise<readonly unknown[]> {
  await page.evaluate('globalThis.shifts = []');
  await page.waitForTimeout(REST_MS);
  const shifts = await page.evaluate<readonly [number, ...string[]][]>('globalThis.shifts');
  return shifts.filter(([part]) => part > SHIFT_MAX);
}

/** Collects shifts that no press, no key and no new size of the page has caused. */
const WATCH_SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries())
      if (!hadRecentInput) globalThis.shifts.push([value, ...sources.map(({ node }) => node?.className ?? String(node))]);
  }).observe({ type: 'layout-shift' });`;

/** Runs in the page: what is out of sight, clipped or covered, in words. `stays` have to be in sight as a whole. */
const LOOK = `(stays) => {
  const PRESSED = 'button, a[href], input, select, summary, [role="tab"], [role="slider"]';
  const found = [];
  const nameOf = (one) =>
    one.tagName.toLowerCase() + '.' + one.className + ' "' + ((one.getAttribute('aria-label') ?? one.textContent ?? '').slice(0, 40)) + '"';
  const isShown = (one) =>
    one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
    one.getBoundingClientRect().width > 1 &&
    !one.matches('.visually-hidden, .visually-hidden *');
  const ancestors = function* (one) {
    for (let at = one.parentElement; at !== null; at = at.parentElement) yield at;
  };
  /** A sheet lies over the page on purpose. */
  const layerOf = (one) => {
    for (const at of [one, ...ancestors(one)])
      if (at.matches('dialog, [popover]') || getComputedStyle(at).zIndex !== 'auto') return at;
    return null;
  };
  /** False where an ancestor that scrolls, or hides, shows another part of its content. */
  const isScrolledTo = (one, x, y) => {
    for (const at of ancestors(one)) {
      if (getComputedStyle(at).overflow === 'visible') continue;
      const { left, right, top, bottom } = at.getBoundingClientRect();
      // At a point on its edge is what lies beside it.
      if (x <= left + 1 || x >= right - 1 || y <= top + 1 || y >= bottom - 1) return false;
    }
    return true;
  };
  if (document.documentElement.scrollWidth > innerWidth) found.push('scrolls sideways');
  for (const one of document.querySelectorAll(PRESSED)) {
    if (!isShown(one)) continue;
    const box = one.getBoundingClientRect();
    const x = box.left + box.width / 2;
    const y = box.top + box.height / 2;
    if (!isScrolledTo(one, x, y)) continue;
    if (x < 0 || x > innerWidth) found.push(nameOf(one) + ' beyond the side');
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
    const top = document.elementFromPoint(x, y);
    if (top === null || one.contains(top) || top.contains(one)) continue;
    if (layerOf(top) !== layerOf(one)) continue;
    if (one.labels?.[0]?.contains(top)) continue;
    found.push(nameOf(one) + ' at ' + Math.round(x) + ',' + Math.round(y) + ' under ' + nameOf(top));
  }
  for (const one of document.querySelectorAll(
    'button, .rows :is(th, td), dt, dd, label, h1, h2, h3, p, output, li',
  )) {
    if (!isShown(one) || one.clientWidth === 0) continue;
    const style = getComputedStyle(one);
    if (one.scrollWidth > one.clientWidth + 1 && style.overflowX !== 'visible' && style.overflowX !== 'auto')
      found.push(nameOf(one) + ' clipped: ' + one.scrollWidth + ' in ' + one.clientWidth);
  }
  for (const selector of stays) {
    const one = [...document.querySelectorAll(selector)].find(isShown);
    const box = one?.getBoundingClientRect();
    if (box === undefined) found.push('no ' + selector);
    else if (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth)
      found.push(selector + ' out of sight: ' + JSON.stringify(box));
    else if (!one.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)))
      found.push(selector + ' is covered');
  }
  return found;
}`;

/** Parts may scroll; under 1024 px the ticket lies over the others, and on a phone over the chain. */
const FAULTS = `(() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length > 0);
  const faults = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push('the page is ' + wide + ' px too wide');
  const parts = shown('.header, .expiry-place, .main, .market-part, .dock, .side, .phone-tabs, .Notices_notices')
    .map((one) => ({ name: one.className, box: one.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && box.height > 0);
  for (const { name, box } of parts)
    if (box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)
      faults.push(name + ' is not in the window');
  const beside = parts.filter(({ name }) => innerWidth >= 1024 || name !== 'side');
  beside.forEach(({ name, box }, i) => {
    for (const { name: other, box: its } of beside.slice(i + 1))
      if (box.left < its.right - 0.5 && its.left < box.right - 0.5 && box.top < its.bottom - 0.5 && its.top < box.bottom - 0.5)
        faults.push(name + ' lies over ' + other);
  });
  for (const one of shown('.market-spot, .MarketHead_marketHead dd, .ticket-price dd, .Header_sums dd, .ticket .send, .chain td:is(.bid, .ask, .mark, .iv, .delta), .consequences dd, .touch dd, .dock .tabs button, .tray .send, .tray dd, .tray h2, .tray-legs .chip, .Charts_choices button'))
    if (one.scrollWidth > one.clientWidth + 1) faults.push('cut off: ' + one.className + ' ' + one.textContent);
  for (const part of shown('.Expiry_bar, .Orders_head, .tray-presets, .tray-legs li, .Charts_figure figcaption')) {
    const buttons = [...part.querySelectorAll('button, select')]
      .map((one) => ({ name: one.textContent, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0);
    buttons.forEach(({ name, box }, i) => {
      for (const { name: other, box: its } of buttons.slice(i + 1))
        if (box.left < its.right - 0.5 && its.left < box.right - 0.5 && box.top < its.bottom - 0.5 && its.top < box.bottom - 0.5)
          faults.push('the button ' + name + ' lies over ' + other);
    });
  }
  const main = shown('.main')[0]?.getBoundingClientRect();
  if (main !== undefined && main.height < 90) faults.push('the chain is ' + main.height + ' px high');
  return faults;
})()`;
