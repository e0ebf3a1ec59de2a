/** Debian's Chromium on a real venue, with pages that report all their errors. */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hex } from '@venue/protocol';
import { buildTerminal } from '@venue/web/build';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { eventually, Launched, type LaunchOptions, QUIET_MARKET } from '../e2e/launched.ts';
import { noteTroubles } from './page-witness.ts';

/** Chromium without its windows, which cost more than the pages in them. */
const CHROMIUM = '/usr/bin/chromium-headless-shell';
/** For what comes sooner or later: on a busy machine, which runs other test files and all their processes, later. */
export const WAIT_MS = 120_000;
const SURFACES = new URL('../../packages/maker/surfaces.json', import.meta.url);
/** Enough for a chain that scrolls; each costs the maker, the exchange and the page for as long as they run. */
const STRIKES_PER_SIDE = '8';
const START_LINE = /exchange listening on (\S+)/;
/** How long the page shows a notice that nobody has to dismiss. */
const NOTICE_MS = 5_000;
/** Logged by every browser for an answer of 4xx or 5xx, which tests provoke. */
const ABOUT_AN_ANSWER = /^Failed to load resource: /;

/** The reason to skip where Chromium is not installed, or null. Throws where skipping is forbidden. */
export function chromiumMissing(): string | null {
  if (existsSync(CHROMIUM)) return null;
  const line = 'needs the Debian package chromium-headless-shell';
  if (process.env.VENUE_TEST_REQUIRE === 'all')
    throw new Error(`${line}, and VENUE_TEST_REQUIRE forbids to skip`);
  return line;
}

/** Starts the browser; the caller closes it. */
export function startBrowser(): Promise<Browser> {
  // Containers rarely allow Chromium's sandbox, and no untrusted code runs here.
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  });
}

export interface LocalTerminal {
  readonly url: string;
  readonly launched: Launched;
  /** Ends the processes, and deletes their log unless the environment named it. */
  end(): void;
}

/** A venue with its terminal: `venue up` with simulated prices and the maker, or `venue exchange` alone. */
export async function startTerminal(
  word: 'up' | 'exchange' = 'up',
  env: LaunchOptions['env'] = {},
): Promise<LocalTerminal> {
  const { folder } = await buildTerminal();
  const data = mkdtempSync(join(tmpdir(), 'venue-terminal-'));
  const launched = new Launched([word], {
    env: {
      VENUE_PORT: '0',
      VENUE_LOG: `sqlite:${data}/venue.db`,
      VENUE_TERMINAL: folder,
      ...QUIET_MARKET,
      VENUE_STRIKES_PER_SIDE: STRIKES_PER_SIDE,
      VENUE_MAKER_SURFACE: livelySurface(data),
      VENUE_MAKER_PACE_MS: '250',
      ...env,
    },
  });
  const end = () => {
    launched.end();
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const [, url] = await launched.says(START_LINE);
    return { url: url!, launched, end };
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * Writes the shipped surface with quotes made for the moves of two seconds, so that they follow the price closely: without
 * a crowd, prices would move too seldom for tests that watch them. Returns its path.
 */
function livelySurface(folder: string): string {
  const surfaces = JSON.parse(readFileSync(SURFACES, 'utf8')) as {
    classes: Record<string, { spread: Record<string, number> }>;
  };
  for (const { spread } of Object.values(surfaces.classes)) spread.moveSeconds = 2;
  const file = join(folder, 'surfaces.json');
  writeFileSync(file, JSON.stringify(surfaces));
  return file;
}

/** How long a venue takes to start on this machine at this moment, in ms: tests before a cutoff allow themselves multiples. */
export async function timeToStart(): Promise<number> {
  await buildTerminal();
  const fromMs = performance.now();
  const terminal = await startTerminal('exchange');
  const ms = performance.now() - fromMs;
  terminal.end();
  return ms;
}

/** A page with separate storage, like another person's browser, and its errors. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of its scripts and policy violations, in words. */
  readonly faults: string[];
}

/**
 * For the contexts of tests: a page's service worker would load all files of the page beside whatever is watched, and
 * answer requests that a test means to. `terminal-install.long.test.ts` is about it.
 */
export const NO_WORKER = { serviceWorkers: 'block' } as const satisfies BrowserContextOptions;

/** Opens an address in a new context. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    ...NO_WORKER,
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults = watchFaults(page);
  noteTroubles(page);
  await page.addInitScript(WATCH_FORMS);
  await page.goto(url);
  return { page, faults };
}

/** A form inside a form is never submitted: the outer one stops the event. Reports the first. */
const WATCH_FORMS = `{
  const observer = new MutationObserver(() => {
    const inner = document.querySelector('form form');
    if (inner === null) return;
    observer.disconnect();
    console.error('a form within a form: ' + inner.className);
  });
  observer.observe(document, { childList: true, subtree: true });
}`;

/** Errors of a page from now on. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !ABOUT_AN_ANSWER.test(message.text())) faults.push(message.text());
  });
  return faults;
}

/** Sets the clock of a context's pages ahead of the machine's, or behind it. */
export async function shiftClock(context: BrowserContext, aheadMs: number): Promise<void> {
  await context.addInitScript((ms) => {
    const Real = Date;
    const now = () => Real.now() + ms;
    globalThis.Date = new Proxy(Real, {
      construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
      get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    });
  }, aheadMs);
}

/**
 * Waits for prices on the chain. Few quote the first expiry in its last half hour, and nobody after its cutoff: then on
 * that of the next.
 */
export async function chainStands(page: Page): Promise<void> {
  const ask = page.locator('tr[data-at-the-money] td.ask', { hasText: /\d/ }).first();
  const isQuoted = await ask.waitFor({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );
  if (isQuoted) return;
  // A busy machine has them late on any other expiry, which stays chosen.
  const tabs = page.getByRole('tablist', { name: 'Expiries' }).getByRole('tab');
  const bands = '[data-band="settlement-window"], [data-band="over"]';
  const ending = tabs.first().and(page.locator(`[aria-selected="true"]:is(${bands})`));
  if ((await tabs.count()) > 1 && (await ending.count()) > 0) await tabs.nth(1).click();
  await ask.waitFor({ timeout: WAIT_MS });
}

/** Signs in with the paper account that the browser used last, or else one that the page creates. */
export async function signInOnPaper(page: Page): Promise<void> {
  const start = page.getByRole('button', { name: /^(?:Start with a paper account|Continue as )/ });
  await start.first().click();
  await page.getByText('Buying power').filter({ visible: true }).first().waitFor();
}

/**
 * Presses a button that sends an order, until what follows is there, which must not be there before. In the last hours of
 * an expiry its spread is so wide that the ticket asks first; and on a machine too busy for fresh prices, a market order
 * waits for them.
 */
export async function sendOrder(page: Page, name: RegExp, what: Locator): Promise<void> {
  const anyway = page.getByRole('button', { name: /^PAPER Send anyway/ });
  const isBlind = page.locator('.verdict').getByText('a market order would be sent blind');
  const press = async (button: Locator): Promise<void> => {
    await button.click();
    await what.or(anyway).or(isBlind).first().waitFor();
    if (!(await isBlind.isVisible())) return;
    await isBlind.waitFor({ state: 'hidden' });
    await press(button);
  };
  await press(page.getByRole('button', { name }));
  if (!(await anyway.isVisible())) return;
  await anyway.click();
  await what.first().waitFor();
}

/** Signs in with the key of an existing paper account. */
export async function signInWithKey(page: Page, key: Hex): Promise<void> {
  await page.locator('.session-button').click();
  const menu = page.getByRole('dialog', { name: 'Session' });
  await menu.getByText('I have the key').click();
  await menu.getByLabel('Key').fill(key);
  await menu.getByRole('button', { name: 'Use it' }).click();
  await page.locator('.Header_sums').getByText('Buying power').waitFor();
}

/** Ends a test: a page with errors has failed, whatever it showed. */
export function assertNoFaults(faults: readonly string[]): void {
  assert.deepEqual(faults, []);
}

/** Waits until all assertions hold: a busy machine shows what was pressed, or lays a new size out, late. Fails with the last that did not. */
export async function comesToHold(what: string, check: () => Promise<void>): Promise<void> {
  let last: unknown;
  const holds = () =>
    check().then(
      () => true,
      (error: unknown) => {
        last = error;
        return false;
      },
    );
  await eventually(what, holds).catch((error: unknown) => {
    throw new Error(`${what}: ${last}`, { cause: error });
  });
}

/** Chooses a panel of the book, whose rows may move the tabs from under a press while they come. */
export async function showPanel(page: Page, name: string): Promise<Locator> {
  const panel = page.getByRole('tabpanel', { name });
  await comesToHold(`the panel ${name}`, async () => {
    await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    await panel.waitFor({ timeout: 2_000 });
  });
  return panel;
}

/** Lets notices that come from now on stay, which go by themselves after seconds: as long as a busy machine looks once. */
export async function keepNotices(page: Page): Promise<void> {
  await page.evaluate(`{
    const timer = globalThis.setTimeout;
    globalThis.setTimeout = (work, ms, ...rest) => timer(work, ms === ${NOTICE_MS} ? ${WAIT_MS * 60} : ms, ...rest);
  }`);
}

/** Fails where an element covers prices that cannot be scrolled clear of it, the ticket, or the account. */
export async function assertCoversNothing(page: Page, element: Locator): Promise<void> {
  const box = await element.boundingBox();
  assert.ok(box !== null, 'nothing is there to cover anything');
  for (const part of ['.chain-scroll', '.ticket:not(.empty)', '.dock', '.phone-tabs']) {
    const [covered] = await page.locator(part).all();
    // It may have gone since it was found: the ticket empties itself once its order is answered.
    const other = (await covered?.boundingBox({ timeout: 1_000 }).catch(() => null)) ?? null;
    if (other === null) continue;
    // Below its last row the chain has as much room as what lies over its foot.
    if (part === '.chain-scroll')
      other.height -= await page.evaluate<number>(
        `parseFloat(getComputedStyle(document.querySelector('${part}')).paddingBottom)`,
      );
    const isApart: boolean =
      box.x >= other.x + other.width ||
      box.x + box.width <= other.x ||
      box.y >= other.y + other.height - 1 ||
      box.y + box.height <= other.y + 1;
    assert.ok(isApart, `${JSON.stringify(box)} covers ${part} at ${JSON.stringify(other)}`);
  }
}
