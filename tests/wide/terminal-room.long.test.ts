/** The parts of the page at eight sizes in thirteen states: whole, in the window, none over another, nothing cut off. */

// @process terminal-layouts
// @seconds 40

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
  sharedStage,
  signInOnPaper,
} from './browser.ts';

const SIZES = [
  [320, 568],
  [390, 844],
  [768, 1_024],
  [1_024, 768],
  [1_366, 768],
  [1_440, 900],
  [1_920, 1_080],
  [2_560, 1_440],
] as const;

describe('the room of the terminal (TERM-10)', { skip: chromiumMissing() ?? false }, () => {
  const stage = sharedStage();

  it('has every part whole, in the window and beside the others, at every size and in every state', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    const states: string[] = [];
    const check = async (state: string) => {
      states.push(state);
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await comesToHold(`${state}, ${width} x ${height}`, async () =>
          assert.deepEqual(await faultsOfLayout(page), []),
        );
      }
      await page.setViewportSize({ width: 1_440, height: 900 });
    };
    await check('signed out');
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await check('a ticket, signed out');
    await signInOnPaper(page);
    await page.locator('.ticket figcaption').waitFor();
    await check('a ticket');
    await page.locator('.ticket').getByText('As a table').click();
    await check('a ticket with a table');
    await page.getByText('Market', { exact: true }).click();
    await sendOrder(page, /^PAPER Buy 1 /, page.getByRole('tab', { name: 'Positions 1' }));
    await check('a position');
    await page.getByRole('button', { name: 'Strategies' }).click();
    await page.getByRole('button', { name: 'Iron condor', exact: true }).click();
    await page.getByRole('region', { name: 'Strategy tray' }).locator('.send').waitFor();
    await check('the strategy tray');
    await page.getByRole('button', { name: 'Close the tray' }).click();
    for (const panel of ['Orders', 'Account', 'Log']) {
      await page.getByRole('tab', { name: new RegExp(`^${panel}`) }).click();
      await check(panel);
    }
    await page.getByRole('button', { name: 'Fold away the book' }).click();
    await check('the book folded away');
    await page.getByRole('button', { name: 'Fold the charts away' }).click();
    await check('the charts folded away too');
    await page.getByRole('button', { name: 'Fold away the book' }).click();
    await check('the charts folded away');
    await page.context().setOffline(true);
    await page.locator('[data-testid="link"][data-state="offline"]').waitFor();
    await check('offline');
    assert.equal(states.length, 13);
    assertNoFaults(faults.filter((fault) => !/ERR_|WebSocket connection/.test(fault)));
    await page.context().close();
  });
});

function faultsOfLayout(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FAULTS);
}

/** Parts may scroll; under 1024 px the ticket lies over the others, and on a phone over the chain. */
const FAULTS = `(() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length > 0);
  const faults = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push('the page is ' + wide + ' px too wide');
  const parts = shown('.header, .expiry-place, .main, .market-part, .dock, .side, .phone-tabs, .notices')
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
  for (const one of shown('.market-spot, .market-head dd, .ticket-price dd, .sums dd, .ticket .send, .chain td:is(.bid, .ask, .mark, .iv, .delta), .consequences dd, .touch dd, .dock .tabs button, .tray .send, .tray dd, .tray h2, .tray-legs .chip, .choices button'))
    if (one.scrollWidth > one.clientWidth + 1) faults.push('cut off: ' + one.className + ' ' + one.textContent);
  for (const part of shown('.expiry-bar, .orders-head, .tray-presets, .tray-legs li, .figure figcaption')) {
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
