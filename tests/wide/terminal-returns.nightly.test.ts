/** Paper accounts where the browser keeps nothing: no room, storage that was cleared or never answers. */

// @process terminal-nights
// @seconds 20

import { describe, it } from 'node:test';
import type { Hex } from '@venue/protocol';
import { VenueClient, walletFromPrivateKey } from '@venue/sdk';
import type { Page } from 'playwright-core';
import { assertNoFaults, chainStands, chromiumMissing, openPage } from './browser.ts';
import { sharedStage } from './stage.ts';

const button = (page: Page) => page.locator('.session-button');
const menu = (page: Page) => page.getByRole('dialog', { name: 'Session' });

async function openMenu(page: Page): Promise<void> {
  await menu(page).waitFor({ state: 'hidden' });
  await button(page).click();
  await menu(page).getByRole('button', { name: 'Add another…' }).waitFor();
}

describe('coming back to the terminal', { skip: chromiumMissing() ?? false }, () => {
  const stage = sharedStage();

  it('signs in where the browser has no room, or was cleared, and again where a session was revoked (TERM-14)', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url);
    await chainStands(page);
    const devtools = await page.context().newCDPSession(page);
    const { origin } = new URL(stage.venue.url);
    await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    await page.evaluate(FILL_STORAGE);
    await button(page).click();
    await menu(page).getByRole('button', { name: 'Start with a paper account' }).click();
    await button(page).getByText('Paper 1').waitFor();
    await openMenu(page);
    await menu(page).getByText('only as long as this page is open').waitFor();
    await menu(page).getByText('The browser has no room for Paper 1: keep its key').waitFor();
    const key = await shownKey(page);
    await menu(page).getByRole('button', { name: 'Sign out' }).click();
    await menu(page).getByRole('button', { name: 'Continue as Paper 1' }).click();
    await button(page).getByText('Paper 1').waitFor();

    await devtools.send('Storage.overrideQuotaForOrigin', { origin });
    await page.evaluate('localStorage.clear()');
    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Add another…' }).click();
    await menu(page).getByRole('button', { name: 'Add', exact: true }).click();
    await button(page).getByText('Paper 2').waitFor();
    await openMenu(page);
    await menu(page).getByText('encrypted in this browser').waitFor();

    // Its session ends elsewhere, while another account is in use.
    const client = new VenueClient({ url: stage.venue.url });
    const wallet = walletFromPrivateKey(key);
    const [standing] = await client.auth.sessions(wallet.address);
    await client.auth.revokeSession(wallet, standing!.sessionKey);
    await menu(page).locator('.PaperAccounts_switch', { hasText: 'Paper 1' }).click();
    await button(page).getByText('Paper 1').waitFor();

    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Add another…' }).click();
    await menu(page).getByLabel('Name of the new account').fill('After all');
    await menu(page).getByRole('button', { name: 'Add', exact: true }).click();
    await button(page).getByText('After all').waitFor();
    await page.reload();
    await button(page).getByText('After all').waitFor();
    await openMenu(page);
    await menu(page).getByRole('button', { name: 'Sign out' }).click();
    await menu(page).getByRole('button', { name: 'Continue as After all' }).waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });

  it('starts where the storage never answers, and says that a session ends with the page (TERM-14)', async () => {
    const { page, faults } = await openPage(stage.browser, 'about:blank');
    const never = 'Object.setPrototypeOf(new EventTarget(), IDBOpenDBRequest.prototype)';
    await page.addInitScript(`IDBFactory.prototype.open = () => ${never}`);
    await page.goto(stage.venue.url);
    await chainStands(page);
    await button(page).click();
    await menu(page).getByRole('button', { name: 'Start with a paper account' }).click();
    await button(page).getByText('Paper 1').waitFor();
    await openMenu(page);
    await menu(page).getByText('only as long as this page is open').waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });
});

/** Leaves no room for one more character. */
const FILL_STORAGE = `for (let size = 2 ** 22; size >= 1; size /= 2) {
  try {
    for (;;) localStorage.setItem('filler', (localStorage.getItem('filler') ?? '') + 'x'.repeat(size));
  } catch {}
}`;

async function shownKey(page: Page): Promise<Hex> {
  await menu(page)
    .getByRole('button', { name: /show its key/ })
    .click();
  return (await menu(page).locator('.Session_kept code').textContent()) as Hex;
}
