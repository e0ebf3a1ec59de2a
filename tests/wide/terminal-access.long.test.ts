/** The terminal without a mouse, and without sight: keys, and announcements to a screen reader. */

// @process terminal-accounts
// @seconds 15

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../e2e/launched.ts';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  comesToHold,
  openPage,
  WAIT_MS,
  type WatchedPage,
} from './browser.ts';
import { sharedStage } from './stage.ts';

const missing = chromiumMissing();

describe('the terminal for everybody', { skip: missing ?? false }, () => {
  const stage = sharedStage();
  /** For all tests but that of a phone. */
  let desk: WatchedPage;
  before(async () => {
    desk = await openPage(stage.browser, stage.venue.url);
    await chainStands(desk.page);
  });

  it('is silent about ticks and has one live region of each kind', async () => {
    const { page, faults } = desk;
    await page.evaluate(COLLECT_ANNOUNCEMENTS);
    await eventually('prices that move', () => page.evaluate<boolean>('globalThis.ticks > 5'), WAIT_MS);
    // Nobody quotes an expiry in its last half hour, and a busy machine has no fresh prices: both are said.
    const others = await page.evaluate<string[]>('globalThis.announced');
    assert.deepEqual(
      others.filter((text) => !/^($|No quotes for |Prices are stale\.|Offline\.|Live again\.)/.test(text)),
      [],
    );
    const regions = await page
      .locator('[aria-live="polite"], [role="status"], [aria-live="assertive"], [role="alert"]')
      .evaluateAll((found) => found.map((one) => one.getAttribute('role')));
    assert.deepEqual(regions, ['status', 'alert']);
    assertNoFaults(faults);
  });

  it('trades with the keyboard alone', async () => {
    const { page, faults } = desk;
    await tabTo(page, 'td[data-pick]');
    const first = await focusedPrice(page);
    await page.keyboard.press('ArrowDown');
    const below = await focusedPrice(page);
    assert.ok(below.strike > first.strike, 'an arrow goes to the next strike');
    assert.equal(below.takes, first.takes);
    await page.keyboard.press('End');
    assert.deepEqual(await focusedPrice(page), { ...below, half: 'put', takes: 'buy' });
    await page.keyboard.press('Home');
    assert.deepEqual(await focusedPrice(page), { ...below, half: 'call', takes: 'sell' });
    await page.keyboard.press('Control+Home');
    const top = await focusedPrice(page);
    await page.keyboard.press('a');
    const centred = await focusedPrice(page);
    assert.ok(centred.strike > top.strike, 'A comes back to the money');
    assert.equal(await page.locator('td[data-pick][tabindex="0"]').count(), 1, 'one stop of the Tab key');

    await page.keyboard.press('b');
    await page.getByRole('region', { name: 'Order ticket' }).waitFor();
    assert.ok(
      await page.getByRole('radio', { name: 'Buy' }).isChecked(),
      'B buys, though the bid has the focus',
    );
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Order ticket' }).waitFor({ state: 'detached' });
    await comesToHold('the focus on the price again', async () =>
      assert.deepEqual(await focusedPrice(page), { ...centred, takes: 'buy' }),
    );
    await page.keyboard.press('s');
    assert.ok(await page.getByRole('radio', { name: 'Sell' }).isChecked());
    const quantity = page.getByLabel('Quantity');
    await page.keyboard.type('0.3');
    assert.equal(await quantity.inputValue(), '0.3', 'what is typed takes the place of the proposal');
    const atTheMoney = page.locator('tr[data-at-the-money]');
    for (const [side, qty] of [
      ['ask', '0.2'],
      ['bid', '0.4'],
    ] as const) {
      await atTheMoney.locator(`td.call.${side}`, { hasText: /\d/ }).click();
      await page.keyboard.type(qty);
      assert.equal(await quantity.inputValue(), qty, `and after another price was pressed: ${side}`);
    }
    await page.keyboard.press('Escape');
    assertNoFaults(faults);
  });

  it('switches expiries, reads a row aloud, and shows its keys', async () => {
    const { page, faults } = desk;
    const chosen = page.getByRole('tab', { selected: true }).first();
    // Without the time that is left.
    const nameOfChosen = async () => (await chosen.textContent())?.slice(0, 6);
    const before = await nameOfChosen();
    await page.locator('tr[data-at-the-money] td.call.ask').focus();
    await page.keyboard.press(']');
    await comesToHold('the next expiry', async () => assert.notEqual(await nameOfChosen(), before));
    await chainStands(page);
    await eventually(
      'a price with the focus',
      () => page.evaluate<boolean>(`document.activeElement.matches('td[data-pick]')`),
      WAIT_MS,
    );
    await page.keyboard.press('[');
    await comesToHold('the expiry of before', async () => assert.equal(await nameOfChosen(), before));
    await chainStands(page);

    await page.locator('tr[data-at-the-money] td.call.ask').focus();
    await page.keyboard.press('r');
    const row = /^Strike [\d,.]+\. call: .*mark [\d,.]+.*bid [\d,.]+.*ask [\d,.]+.*put: .*bid/;
    await page.getByTestId('polite').filter({ hasText: row }).waitFor();

    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    assertNoFaults(faults);
  });

  it('moves through tabs with the arrow keys, and to the first and last', async () => {
    const { page, faults } = desk;
    const dock = page.getByRole('tablist', { name: 'Your account' });
    await dock.getByRole('tab', { name: /^Positions/ }).focus();
    const chosen = async (key: string) => {
      await page.keyboard.press(key);
      const tab = dock.getByRole('tab', { selected: true });
      assert.ok(await tab.evaluate((one) => one.matches(':focus')), `the focus goes along with ${key}`);
      return tab.textContent();
    };
    assert.equal(await chosen('ArrowRight'), 'What-if');
    assert.equal(await chosen('End'), 'Log');
    assert.equal(await chosen('ArrowRight'), 'Log');
    assert.equal(await chosen('ArrowLeft'), 'Account');
    assert.equal(await chosen('Home'), 'Positions');
    assertNoFaults(faults);
  });

  it('skips to the chain by the first stop of the Tab key, also from a panel on a phone', async () => {
    const { page } = await openPage(stage.browser, stage.venue.url, {
      viewport: { width: 390, height: 844 },
    });
    await chainStands(page);
    await page
      .getByRole('button', { name: /^Account/ })
      .last()
      .click();
    const first = await page.evaluate<string>(
      `document.querySelector('a[href], button, input, select, textarea, summary, [tabindex="0"]').textContent`,
    );
    assert.equal(first, 'Skip to the chain');
    await page.getByRole('button', { name: 'Skip to the chain' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.chain td[data-pick]:focus').waitFor();
    // The cells of the other side replace the one that was the chain's stop.
    await page.getByRole('button', { name: 'Puts', exact: true }).click();
    assert.equal(await page.locator('.chain td.put[tabindex="0"]').count(), 1);
    await page.locator('.chain-scroll').evaluate((frame) => frame.scrollTo(0, 0));
    await page.getByRole('button', { name: 'Skip to the chain' }).focus();
    await page.keyboard.press('Enter');
    const reached = page.locator('.chain td.put[data-pick]:focus');
    await reached.waitFor();
    const [cell, frame] = [await reached.boundingBox(), await page.locator('.chain-scroll').boundingBox()];
    assert.ok(cell!.y >= frame!.y && cell!.y < frame!.y + frame!.height, `at ${cell!.y}, out of sight`);
    await page.context().close();
  });
});

/** Everything that is announced from now on, and how many prices have moved meanwhile. */
const COLLECT_ANNOUNCEMENTS = `
  const polite = document.querySelector('[data-testid="polite"]');
  globalThis.announced = [polite.textContent];
  globalThis.ticks = 0;
  const texts = { characterData: true, childList: true, subtree: true };
  new MutationObserver(() => globalThis.announced.push(polite.textContent)).observe(polite, texts);
  // The spot too; and a chain that is drawn afresh has other rows.
  const isPrice = ({ target }) => (target.parentElement ?? target).closest('table.chain, header') !== null;
  new MutationObserver((records) => { globalThis.ticks += records.filter(isPrice).length; })
    .observe(document.body, texts);
`;

/** Reaches an element by the Tab key, like a person without a mouse. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  assert.fail(`the Tab key does not come to ${selector}`);
}

interface FocusedPrice {
  readonly strike: number;
  readonly half: string;
  readonly takes: string;
}

function focusedPrice(page: Page): Promise<FocusedPrice> {
  return page.evaluate(`(() => {
    const cell = document.activeElement;
    const strike = Number(cell.closest('tr')?.dataset.strike);
    return { strike, half: cell.classList[0], takes: cell.dataset.pick };
  })()`);
}
