/**
 * Takes screenshots of the terminal's main states at three widths, on a real paper venue, into a folder (by default
 * `data/screenshots`): `npm run screenshots -- folder`. With `--readme` it takes only the four of the README, into
 * `docs/images`.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import {
  chainStands,
  chromiumMissing,
  openPage,
  signInOnPaper,
  startBrowser,
  startTerminal,
} from '../tests/wide/browser.ts';
import { withFewColours } from './png.ts';

interface Screen {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly isPhone: boolean;
}

const PHONE: Screen = { name: 'phone', width: 390, height: 844, isPhone: true };
const LAPTOP: Screen = { name: 'laptop', width: 1_440, height: 900, isPhone: false };
const WIDE: Screen = { name: 'wide', width: 1_920, height: 1_080, isPhone: false };
const SCHEMES = ['dark', 'light'] as const;
type Scheme = (typeof SCHEMES)[number];

const PANELS = ['Orders', 'Fills', 'Account', 'Charts', 'Log'];
const README_FOLDER = 'docs/images';
const README_BYTES_MAX = 200_000;
/** Time for previews, charts and prices to appear. */
const SETTLE_MS = 1_500;

async function main(folder: string, isForReadme: boolean): Promise<void> {
  const missing = chromiumMissing();
  if (missing !== null) throw new Error(missing);
  const [venue, browser] = await Promise.all([startTerminal(), startBrowser()]);
  try {
    if (isForReadme) {
      await takeForReadme(browser, venue.url);
      return;
    }
    mkdirSync(folder, { recursive: true });
    for (const screen of [PHONE, LAPTOP, WIDE])
      for (const scheme of SCHEMES) await takeAll(browser, venue.url, { screen, scheme, folder });
  } finally {
    await browser.close();
    venue.end();
  }
}

interface Series {
  readonly screen: Screen;
  readonly scheme: Scheme;
  readonly folder: string;
}

async function takeAll(browser: Browser, url: string, { screen, scheme, folder }: Series): Promise<void> {
  const page = await open(browser, url, screen, scheme);
  const take = async (state: string) => {
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: join(folder, `${screen.name}-${scheme}-${state}.png`) });
  };
  await take('chain');
  await pick(page);
  await take('ticket-signed-out');
  await signInOnPaper(page);
  await take('ticket');
  await buy(page);
  await rest(page);
  await take('resting');
  for (const panel of ['Positions', ...PANELS]) if (await show(page, panel)) await take(panel.toLowerCase());
  await page.getByRole('button', { name: 'Shortcuts and about' }).click();
  await take('keys');
  await page.keyboard.press('Escape');
  await page.context().setOffline(true);
  await page.locator('[data-testid="link"][data-state="offline"]').waitFor();
  await take('offline');
  await page.context().close();
}

/** The screenshots for the README. */
async function takeForReadme(browser: Browser, url: string): Promise<void> {
  mkdirSync(README_FOLDER, { recursive: true });
  const pictures = [
    ['terminal', LAPTOP, 'dark', 'Positions'],
    ['terminal-light', LAPTOP, 'light', 'Account'],
    ['terminal-wide', WIDE, 'dark', 'Positions'],
    ['terminal-phone', PHONE, 'dark', null],
  ] as const;
  for (const [name, screen, scheme, panel] of pictures) {
    const page = await open(browser, url, screen, scheme);
    await pick(page);
    await signInOnPaper(page);
    await buy(page);
    await rest(page);
    if (panel !== null) {
      await show(page, panel);
      await pick(page);
    }
    await page.waitForTimeout(4 * SETTLE_MS);
    const path = join(README_FOLDER, `${name}.png`);
    const picture = withFewColours(await page.screenshot());
    if (picture.length > README_BYTES_MAX) throw new Error(`${path} would have ${picture.length} bytes`);
    writeFileSync(path, picture);
    await page.context().close();
  }
}

async function open(browser: Browser, url: string, screen: Screen, scheme: Scheme): Promise<Page> {
  const { page } = await openPage(browser, url, {
    viewport: { width: screen.width, height: screen.height },
    colorScheme: scheme,
    isMobile: screen.isPhone,
    hasTouch: screen.isPhone,
  });
  await chainStands(page);
  return page;
}

async function pick(page: Page): Promise<void> {
  await page.locator('tr[data-at-the-money] td.ask', { hasText: /\d/ }).first().click();
}

/** A market order, so that it fills whatever the price does. */
async function buy(page: Page): Promise<void> {
  await page.getByText('Market', { exact: true }).click();
  await page.getByRole('button', { name: /^PAPER Buy/ }).click();
  await page.getByRole('region', { name: 'Order ticket' }).waitFor({ state: 'detached' });
}

/** Rests an order below the bid. */
async function rest(page: Page): Promise<void> {
  await pick(page);
  await page.getByLabel('Limit price').fill('100');
  await page.getByRole('button', { name: /^PAPER Buy/ }).click();
  await page.getByRole('region', { name: 'Order ticket' }).waitFor({ state: 'detached' });
}

/** False where there is no such panel, like the charts on a wide screen, which are beside the chain. */
async function show(page: Page, panel: string): Promise<boolean> {
  const phoneTabs = page.getByRole('navigation', { name: 'Parts of the page' });
  if (await phoneTabs.isVisible()) await phoneTabs.getByRole('button', { name: /^Positions/ }).click();
  const tab = page.getByRole('tab', { name: new RegExp(`^${panel}`) });
  if ((await tab.count()) === 0) return false;
  await tab.click();
  return true;
}

const { values, positionals } = parseArgs({
  options: { readme: { type: 'boolean', default: false } },
  allowPositionals: true,
});
await main(positionals[0] ?? 'data/screenshots', values.readme);
