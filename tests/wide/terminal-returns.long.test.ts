/** Paper accounts with names in a real browser: added, renamed, switched, forgotten, and shared by two tabs. */

// @process terminal-accounts
// @seconds 19

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually, freePort } from '../e2e/launched.ts';
import { assertAccessible } from './axe.ts';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  type LocalTerminal,
  openPage,
  sendOrder,
  signInOnPaper,
  startTerminal,
  WAIT_MS,
  watchFaults,
} from './browser.ts';
import { sharedStage } from './stage.ts';

const missing = chromiumMissing();

const button = (page: Page) => page.locator('.session-button');
const menu = (page: Page) => page.getByRole('dialog', { name: 'Session' });

async function openMenu(page: Page): Promise<void> {
  await menu(page).waitFor({ state: 'hidden' });
  await button(page).click();
  await menu(page).getByRole('button', { name: 'Add another…' }).waitFor();
}

/** Leaves nothing of the kept session but its name. */
const DAMAGE = `new Promise((resolve) => {
  const opening = indexedDB.open('venue');
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('session', 'readwrite');
    const store = transaction.objectStore('session');
    store.getAllKeys().onsuccess = ({ target }) => {
      for (const name of target.result) if (name.startsWith('session ')) store.put({ record: {} }, name);
    };
    transaction.oncomplete = () => resolve(opening.result.close());
  };
})`;

describe('coming back to the terminal', { skip: missing ?? false }, () => {
  const stage = sharedStage();
  const folder = mkdtempSync(join(tmpdir(), 'venue-anew-'));
  let port: string;
  /** Without a market, which accounts do without. */
  let empty: LocalTerminal;
  const start = (log: string) =>
    startTerminal('exchange', { VENUE_PORT: port, VENUE_LOG: `sqlite:${folder}/${log}.db` });
  before(async () => {
    port = String(await freePort());
    empty = await start('first');
  });
  after(() => {
    empty?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps several paper accounts by name, in two tabs (TERM-14)', async () => {
    const { page, faults } = await openPage(stage.browser, empty.url);
    await button(page).click();
    await menu(page).getByRole('button', { name: 'Start with a paper account' }).click();
    await button(page).getByText('Paper 1').waitFor();
    const other = await page.context().newPage();
    const otherFaults = watchFaults(other);
    await other.goto(empty.url);
    await button(other).getByText('Paper 1').waitFor();

    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Rename Paper 1' }).click();
    await menu(page).getByLabel('New name of Paper 1').fill('<b>Long vol</b>');
    await menu(page).getByRole('button', { name: 'Save' }).click();
    await button(other).getByText('<b>Long vol</b>').waitFor();
    const before = String(await button(page).locator('.SessionMenu_address').textContent());

    // Back by the session that still stands: nothing is approved again.
    const approvals: string[] = [];
    page.on('request', (request) => {
      const data = request.postData() ?? '';
      if (request.url().endsWith('/v1/auth/session')) approvals.push(JSON.parse(data).sessionKey);
    });
    await menu(page).getByRole('button', { name: 'Start over…' }).click();
    await menu(page).getByText('stays in the list as “<b>Long vol</b> (old)”').waitFor();
    await menu(page).getByRole('button', { name: 'Start over', exact: true }).click();
    const fresh = button(page).filter({ hasText: '<b>Long vol</b>', hasNotText: before });
    await fresh.waitFor();
    const after = String(await button(page).locator('.SessionMenu_address').textContent());
    await button(other).getByText(after).waitFor();
    for (const [name, address] of [
      ['(old)', before],
      ['<b>Long vol</b> 0x', after],
      ['(old)', before],
    ] as const) {
      await openMenu(page);
      await menu(page).locator('.PaperAccounts_switch', { hasText: name }).click();
      for (const tab of [page, other]) await button(tab).getByText(address).waitFor();
    }
    assert.equal(approvals.length, 4);
    assert.equal(approvals[1], approvals[3], 'the same session key both times');

    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Add another…' }).click();
    await menu(page).getByLabel('Name of the new account').fill('Hedge');
    await menu(page).getByRole('button', { name: 'Add', exact: true }).click();
    for (const tab of [page, other]) await button(tab).getByText('Hedge').waitFor();

    // At the same moment, in two tabs, to two accounts: both show one of them.
    for (const tab of [page, other]) await openMenu(tab);
    const switches = await Promise.all(
      [[page, before] as const, [other, after] as const].map(([tab, address]) =>
        menu(tab).locator('.PaperAccounts_switch', { hasText: address }).elementHandle(),
      ),
    );
    // Not `click`, which waits: the menu of a tab closes as soon as it hears of the other's account.
    await Promise.all(switches.map((one) => one!.evaluate((button: { click(): void }) => button.click())));
    const shown = () => Promise.all([page, other].map((tab) => button(tab).textContent()));
    await eventually(
      'one account in both tabs',
      async () => {
        const [one, same] = await shown();
        return one === same && one!.includes('Long vol');
      },
      WAIT_MS,
    );
    await openMenu(page);
    await menu(page).locator('.PaperAccounts_switch', { hasText: 'Hedge' }).click();
    for (const tab of [page, other]) await button(tab).getByText('Hedge').waitFor();

    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Forget Hedge' }).click();
    await menu(page).getByText('the account is lost permanently').waitFor();
    await menu(page).locator('.PaperAccounts_question').getByRole('button', { name: 'Forget' }).click();
    for (const tab of [page, other]) await button(tab).getByText('Sign in').waitFor();

    const kept = menu(page).getByRole('list', { name: 'Paper accounts of this browser' });
    await menu(page)
      .getByRole('button', { name: /^Continue as <b>Long vol<\/b>/ })
      .waitFor();
    await assertAccessible(page, '.session-menu');
    await kept.getByRole('button', { name: /Long vol/ }).click();
    for (const tab of [page, other]) await button(tab).getByText('Long vol').waitFor();

    // A damaged session counts as none, and its accounts are still there.
    await page.evaluate(DAMAGE);
    await page.reload();
    await button(page).getByText('Sign in').waitFor();
    await button(page).click();
    await menu(page)
      .getByRole('button', { name: /^Continue as <b>Long vol<\/b>/ })
      .click();
    await button(page).getByText('Long vol').waitFor();
    assertNoFaults([...faults, ...otherFaults]);
    await page.context().close();
  });

  it('goes on with its paper accounts at a venue that began again (TERM-14, VEN-1)', async () => {
    const { page, faults } = await openPage(stage.browser, empty.url);
    await button(page).click();
    await menu(page).getByRole('button', { name: 'Start with a paper account' }).click();
    await button(page).getByText('Paper 1').waitFor();
    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Add another…' }).click();
    await menu(page).getByRole('button', { name: 'Add', exact: true }).click();
    await button(page).getByText('Paper 2').waitFor();
    empty.end();
    empty = await start('second');
    await page.getByRole('button', { name: 'Forget the old key and use this venue' }).click();
    await button(page).getByText('Sign in').waitFor();
    await button(page).click();
    await menu(page).getByRole('button', { name: 'Continue as Paper 2' }).waitFor();
    // Its kept session is of the venue before.
    await menu(page)
      .getByRole('button', { name: /^Paper 1 0x/ })
      .click();
    await button(page).getByText('Paper 1').waitFor();
    await page.locator('.Header_sums').getByText('Buying power').waitFor();
    assertNoFaults(faults.filter((fault) => !/WebSocket connection/.test(fault)));
    await page.context().close();
  });

  it('leads to a first trade in steps, each taken by doing it (TERM-19)', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    // Nobody quotes the first expiry in its last half hour.
    await page.getByRole('tablist', { name: 'Expiries' }).getByRole('tab').nth(3).click();
    await chainStands(page);
    await page.getByRole('button', { name: 'Take the tour' }).click();
    const tour = page.getByRole('region', { name: 'Tour' });
    await tour.getByRole('heading', { name: 'Press a price' }).waitFor();
    await page.locator('.Tour_ring').waitFor();
    await assertAccessible(page, '.Tour_tour');
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await tour.getByRole('heading', { name: 'Read what it would do' }).waitFor();
    // Closed unsent, it begins with a price again.
    await page.getByRole('button', { name: 'Close the ticket' }).click();
    await tour.getByRole('heading', { name: 'Press a price' }).waitFor();
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await tour.getByRole('button', { name: 'Next' }).click();
    await tour.getByRole('heading', { name: 'Send it' }).waitFor();
    await signInOnPaper(page);
    // A part of what any quote has: what fills in part goes on waiting.
    await page.getByLabel('Quantity').fill('0.1');
    await page.getByLabel('Limit price').fill('5');
    await sendOrder(page, /^PAPER Buy /, tour.getByRole('heading', { name: 'It waits' }));
    await assertAccessible(page, '.Tour_tour');
    await tour.getByRole('button', { name: /^Raise it to [\d,.]+$/ }).click();
    await tour.getByRole('heading', { name: 'Close it' }).waitFor();
    await page.getByRole('tab', { name: 'Positions 1' }).click();
    const held = page.getByRole('table', { name: 'Positions' });
    await held.getByRole('button', { name: /^Close .* call$/ }).click();
    await sendOrder(page, /^PAPER /, page.locator('.ticket.empty'));
    await tour.waitFor({ state: 'detached' });

    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByRole('button', { name: 'Take the tour' }).click();
    await tour.waitFor();
    await page.keyboard.press('Escape');
    await tour.waitFor({ state: 'detached' });
    assertNoFaults(faults);
    await page.context().close();
  });
});
