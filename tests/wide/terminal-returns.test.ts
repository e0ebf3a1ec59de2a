/** Paper accounts with names in a real browser: added, renamed, switched, forgotten, and shared by two tabs. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible } from './axe.ts';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  openPage,
  sendOrder,
  sharedStage,
  signInOnPaper,
  watchFaults,
} from './browser.ts';

const missing = chromiumMissing();

const button = (page: Page) => page.locator('.session-button');
const menu = (page: Page) => page.getByRole('dialog', { name: 'Session' });

async function openMenu(page: Page): Promise<void> {
  await menu(page).waitFor({ state: 'hidden' });
  await button(page).click();
  await menu(page).getByRole('button', { name: 'Add another' }).waitFor();
}

describe('coming back to the terminal', { skip: missing ?? false }, () => {
  const stage = sharedStage();

  it('keeps several paper accounts by name, in two tabs (TERM-14)', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.ask').click();
    await signInOnPaper(page);
    await button(page).getByText('Paper 1').waitFor();
    const other = await page.context().newPage();
    const otherFaults = watchFaults(other);
    await other.goto(stage.venue.url);
    await button(other).getByText('Paper 1').waitFor();

    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Rename Paper 1' }).click();
    await menu(page).getByLabel('New name of Paper 1').fill('<b>Long vol</b>');
    await menu(page).getByRole('button', { name: 'Save' }).click();
    await button(other).getByText('<b>Long vol</b>').waitFor();

    await menu(page).getByRole('button', { name: 'Start over…' }).click();
    await menu(page).getByText('<b>Long vol</b> stays in the list').waitFor();
    await menu(page).getByRole('button', { name: 'Start over', exact: true }).click();
    for (const tab of [page, other]) await button(tab).getByText('Paper 2').waitFor();

    // Back by the session that still stands: nothing is approved again.
    const approvals: string[] = [];
    page.on('request', (request) => {
      const data = request.postData() ?? '';
      if (request.url().endsWith('/v1/auth/session')) approvals.push(JSON.parse(data).sessionKey);
    });
    const first = await openMenu(page).then(() => menu(page).getByRole('button', { name: /Long vol.* 0x/ }));
    await first.click();
    for (const tab of [page, other]) await button(tab).getByText('<b>Long vol</b>').waitFor();
    await openMenu(page);
    await menu(page)
      .getByRole('button', { name: /^Paper 2 0x/ })
      .click();
    await button(page).getByText('Paper 2').waitFor();
    await openMenu(page);
    await menu(page)
      .getByRole('button', { name: /Long vol.* 0x/ })
      .click();
    await button(page).getByText('<b>Long vol</b>').waitFor();
    assert.equal(approvals.length, 3);
    assert.equal(approvals[0], approvals[2], 'the same session key both times');

    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Forget <b>Long vol</b>' }).click();
    await menu(page).getByText('the account is lost for ever').waitFor();
    await menu(page).locator('.paper-question').getByRole('button', { name: 'Forget' }).click();
    for (const tab of [page, other]) await button(tab).getByText('Sign in').waitFor();

    await menu(page).getByRole('button', { name: 'Start with a paper account' }).click();
    await button(page).getByText('Paper 2').waitFor();
    assertNoFaults([...faults, ...otherFaults]);
    await page.context().close();
  });

  it('leads to a first trade in steps, each taken by doing it (TERM-19)', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    await page.getByRole('button', { name: 'Take the tour' }).click();
    const tour = page.getByRole('region', { name: 'Tour' });
    await tour.getByRole('heading', { name: 'Press a price' }).waitFor();
    await page.locator('.tour-ring').waitFor();
    await assertAccessible(page, '.tour');
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await tour.getByRole('heading', { name: 'Read what it would do' }).waitFor();
    // Closed unsent, it begins with a price again.
    await page.getByRole('button', { name: 'Close the ticket' }).click();
    await tour.getByRole('heading', { name: 'Press a price' }).waitFor();
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await tour.getByRole('button', { name: 'Next' }).click();
    await tour.getByRole('heading', { name: 'Send it' }).waitFor();
    await signInOnPaper(page);
    await page.getByLabel('Limit price').fill('5');
    await sendOrder(page, /^PAPER Buy /, tour.getByRole('heading', { name: 'Take it back' }));
    await page.getByRole('tab', { name: 'Orders 1' }).click();
    await page.getByRole('button', { name: /^Cancel 1 / }).click();
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
