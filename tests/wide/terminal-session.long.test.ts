/** Signing in and out in a real browser on a real venue: various wallets, tabs, restarts, wrong clocks. */

// @process terminal-accounts
// @seconds 72

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Hex } from '@venue/protocol';
import { VenueClient, walletFromPrivateKey } from '@venue/sdk';
import type { Locator, Page } from 'playwright-core';
import { eventually, freePort } from '../e2e/launched.ts';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  openPage,
  sendOrder,
  shiftClock,
  signInOnPaper,
  startTerminal,
  WAIT_MS,
  type WatchedPage,
  watchFaults,
} from './browser.ts';
import { sharedStage } from './stage.ts';
import { putWallets } from './test-wallets.ts';

const missing = chromiumMissing();
/** Logged by the browser about requests while nothing answers them. */
const ABOUT_THE_NETWORK = /ERR_|WebSocket connection/;

function sessionButton(page: Page) {
  return page.locator('.session-button');
}

function menu(page: Page) {
  return page.getByRole('dialog', { name: 'Session' });
}

async function startPaper(page: Page): Promise<void> {
  await sessionButton(page).click();
  await menu(page).getByRole('button', { name: 'Start with a paper account' }).click();
  await sessionButton(page)
    .getByText(/^Paper \d/)
    .waitFor();
  await menuHasGone(page);
}

/** Pressed before the dialog of the sign-in has gone, the button would only close it. */
async function menuHasGone(page: Page): Promise<void> {
  await menu(page).waitFor({ state: 'hidden' });
}

/** The ticket empties itself once its order is accepted. A notice goes by itself, and one of an order before may be left. */
function acceptance(page: Page): Locator {
  return page.locator('.ticket.empty');
}

/** Buys one at-the-money call, and waits until the venue has accepted it. */
async function buySome(page: Page): Promise<void> {
  await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
  // Less than the maker quotes at the best price: a rest would stand in the way of its next quotes.
  await page.getByLabel('Quantity').fill('0.1');
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/batch'));
  await sendOrder(page, /^PAPER Buy 0\.1 .* · cost \$/, acceptance(page));
  assert.equal((await answered).status(), 200);
}

function linkIs(page: Page, state: string): Promise<void> {
  return page.locator(`[data-testid="link"][data-state="${state}"]`).waitFor();
}

function panel(page: Page, name: string): Locator {
  return page.getByRole('tabpanel', { name });
}

/** No panel of the account says that there is nothing while the venue has not said so (TERM-21). */
async function assertUnknown(page: Page, why: RegExp): Promise<void> {
  for (const name of ['What-if', 'Orders', 'Closed', 'Fills', 'Positions']) {
    await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    await panel(page, name).getByText(why).waitFor();
    assert.doesNotMatch((await panel(page, name).textContent())!, /\b[Nn]o(?:ne|thing)?\b/);
  }
}

describe('sessions of the terminal', { skip: missing ?? false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'venue-session-'));
  const stage = sharedStage();
  /** One of the two tabs; the next test goes on with it. */
  let tab: WatchedPage;
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('uses a wallet by name, handles its refusal and silence, and keeps to the first account', async () => {
    const { page, faults } = await openPage(stage.browser, 'about:blank');
    const wallets = await putWallets(page.context(), {
      Alpha: 'signs',
      Beta: 'refuses',
      Gamma: 'never answers',
    });
    const [alpha, beta, gamma] = [...wallets.values()];
    await page.goto(stage.venue.url);
    await chainStands(page);
    await page.locator('tr[data-at-the-money] td.call.ask').click();
    await page.getByLabel('Quantity').fill('3');
    const list = page.locator('.ticket').getByRole('list', { name: 'Wallets' });
    await list.getByRole('button', { name: 'Beta' }).click();
    await eventually('the wallet was asked', () => beta!.asked === 1);
    await list.getByRole('button', { name: 'Beta' }).waitFor();
    assert.equal(await page.locator('.ticket .fault').count(), 0, 'a person who says no made no error');

    await list.getByRole('button', { name: 'Gamma' }).click();
    await page.locator('.ticket').getByText('Gamma is asking for your signature').waitFor();
    await page.locator('.ticket').getByRole('button', { name: 'Cancel' }).click();
    await list.getByRole('button', { name: 'Gamma' }).waitFor();
    assert.equal(gamma!.asked, 1);

    alpha!.manner = 'turns to another account';
    await list.getByRole('button', { name: 'Alpha' }).click();
    await page.locator('.fault', { hasText: /Your wallet signed with the account 0x/ }).waitFor();

    alpha!.manner = 'signs';
    await list.getByRole('button', { name: 'Alpha' }).click();
    await sessionButton(page)
      .getByText(`${alpha!.address.slice(0, 6)}…`)
      .waitFor();
    assert.equal(await page.getByLabel('Quantity').inputValue(), '3', 'the ticket is kept');

    await menuHasGone(page);
    await sessionButton(page).click();
    const { asked } = alpha!;
    await menu(page)
      .getByText(/\d\d[hm] left/)
      .waitFor();
    await menu(page).getByRole('button', { name: 'Revoke this key' }).click();
    await sessionButton(page).getByText('Sign in').waitFor();
    assert.equal(alpha!.asked, asked + 1, 'the wallet signs the end of the key');
    assertNoFaults(faults);
    await page.context().close();
  });

  it('signs in and out in two tabs together, whose orders never collide (SIG-4)', async () => {
    tab = await openPage(stage.browser, stage.venue.url);
    const { page, faults } = tab;
    const other = await page.context().newPage();
    const otherFaults = watchFaults(other);
    await other.goto(stage.venue.url);
    await Promise.all([chainStands(page), chainStands(other)]);
    await startPaper(page);
    await sessionButton(other)
      .getByText(/^Paper \d/)
      .waitFor();

    await Promise.all([buySome(page), buySome(other)]);
    const posts: number[] = [];
    for (const tab of [page, other]) {
      tab.on('request', (request) => {
        if (request.url().endsWith('/v1/batch')) posts.push(JSON.parse(request.postData()!).nonce);
      });
    }
    for (let i = 0; i < 2; i++) await Promise.all([buySome(page), buySome(other)]);
    assert.equal(posts.length, 4);
    assert.equal(new Set(posts).size, 4);
    for (const tab of [page, other]) {
      const row = tab.getByRole('tabpanel', { name: 'Positions' }).getByRole('row', { name: /call/ });
      await row.getByText(/^\+/).first().waitFor();
    }

    await sessionButton(other).click();
    await menu(other).getByRole('button', { name: 'Sign out' }).click();
    await sessionButton(page).getByText('Sign in').waitFor();
    await assertUnknown(page, /^Sign in to see /);
    assertNoFaults([...faults, ...otherFaults]);
    await other.close();
  });

  it('reports a session revoked elsewhere, keeps the ticket, and approves again', async () => {
    const { page, faults } = tab;
    await page.locator('tr[data-at-the-money] td.call.ask', { hasText: /\d/ }).click();
    await signInOnPaper(page);
    await page.getByLabel('Quantity').fill('0.2');
    await page.getByRole('button', { name: /^PAPER Buy 0\.2 .* · cost \$/ }).waitFor();
    // Revoked elsewhere, with the same key.
    await menuHasGone(page);
    await sessionButton(page).click();
    const keys = menu(page).getByText(/^0x[0-9a-f]{64}$/);
    assert.equal(await keys.count(), 0, 'a key that nobody asked for');
    await menu(page)
      .getByRole('button', { name: /show its key/ })
      .click();
    const key = await menu(page).locator('.Session_kept code').textContent();
    const sessionKey = await menu(page).locator('dd[title]').getAttribute('title');
    await page.keyboard.press('Escape');
    const client = new VenueClient({ url: stage.venue.url });
    await client.auth.revokeSession(walletFromPrivateKey(key as Hex), sessionKey!);
    await sendOrder(page, /^PAPER Buy 0\.2 /, sessionButton(page).getByText('Session revoked'));
    assert.equal(await page.getByLabel('Quantity').inputValue(), '0.2');
    await assertUnknown(page, /^Your session has ended\. Continue as Paper \d to see /);
    await panel(page, 'Positions')
      .getByText(/^As of \d\d:/)
      .waitFor();
    await panel(page, 'Positions').getByRole('cell', { name: /call/, includeHidden: true }).first().waitFor();
    await panel(page, 'Positions')
      .getByRole('button', { name: /^Continue as Paper \d/ })
      .waitFor();
    await page
      .locator('.ticket')
      .getByRole('button', { name: /^Continue as Paper \d/ })
      .click();
    await sendOrder(page, /^PAPER (Send anyway )?Buy 0\.2 .* · cost \$/, acceptance(page));
    assertNoFaults(faults);
    await page.context().close();
  });

  it("trades by the venue's time where the clock is 7 minutes fast (SIG-5)", async () => {
    const { page, faults } = await openPage(stage.browser, 'about:blank');
    await shiftClock(page.context(), 7 * 60_000);
    await page.goto(stage.venue.url);
    await chainStands(page);
    await page.getByText('Your clock is 7 min fast').waitFor();
    await startPaper(page);
    const order = page
      .waitForRequest((request) => request.url().endsWith('/v1/batch'))
      .then((request) => ({ nonce: JSON.parse(request.postData()!).nonce, sentMs: Date.now() }));
    await buySome(page);
    const { nonce, sentMs } = await order;
    assert.ok(Math.abs(nonce - sentMs) < 30_000, `${nonce - sentMs} ms`);
    assertNoFaults(faults);
    await page.context().close();
  });

  it('survives a venue that is killed and restarted, with its log and with an empty one, and needs no wallet for it', async (t) => {
    const env = { VENUE_PORT: String(await freePort()), VENUE_LOG: `sqlite:${folder}/restarted.db` };
    let venue = await startTerminal('exchange', env);
    t.after(() => venue.end());
    const { page, faults } = await openPage(stage.browser, venue.url);
    await linkIs(page, 'live');
    await page.evaluate('globalThis.isTheSamePage = true');
    // While it reloads, there is no page to ask.
    const isTheSamePage = () => page.evaluate('globalThis.isTheSamePage === true').catch(() => null);
    const { page: signedIn, faults: theirs } = await openPage(stage.browser, 'about:blank');
    const wallets = await putWallets(signedIn.context(), { Alpha: 'signs' });
    await signedIn.goto(venue.url);
    await sessionButton(signedIn).click();
    await menu(signedIn).getByRole('button', { name: 'Alpha' }).click();
    await sessionButton(signedIn).getByText('Alpha').waitFor();
    await signedIn.reload();
    await sessionButton(signedIn).getByText('Alpha').waitFor();

    // Kills all its processes, with SIGKILL.
    venue.end();
    for (const one of [page, signedIn]) await linkIs(one, 'offline');
    const renewed = signedIn.waitForResponse(
      (response) => response.url().endsWith('/v1/auth/session') && response.status() === 200,
      // Time for the venue to start, before which it is asked.
      { timeout: 2 * WAIT_MS },
    );
    venue = await startTerminal('exchange', env);
    // They would retry by themselves a little later.
    for (const one of [page, signedIn]) await one.evaluate('dispatchEvent(new Event("online"))');
    await renewed;
    for (const one of [page, signedIn]) await linkIs(one, 'live');
    assert.equal(await isTheSamePage(), true, 'without a reload at the same venue');
    await signedIn.getByRole('tab', { name: 'Account' }).click();
    await signedIn.getByRole('switch').click();
    await signedIn.locator('.Notices_notice', { hasText: 'Margin on' }).waitFor();
    assert.equal(wallets.get('Alpha')!.asked, 1, 'asked once in all');
    await signedIn.context().close();

    // An empty log is another venue, at which a page without a session reloads (VEN-1).
    venue.end();
    await linkIs(page, 'offline');
    venue = await startTerminal('exchange', { ...env, VENUE_LOG: `sqlite:${folder}/empty.db` });
    // It may already be gone.
    await page.evaluate('dispatchEvent(new Event("online"))').catch(() => {});
    await eventually('a page of that venue', async () => (await isTheSamePage()) === false, WAIT_MS);
    await linkIs(page, 'live');
    await page.getByText('No BTC contracts yet').waitFor();
    assertNoFaults([...faults, ...theirs].filter((fault) => !ABOUT_THE_NETWORK.test(fault)));
    await page.context().close();
  });
});
