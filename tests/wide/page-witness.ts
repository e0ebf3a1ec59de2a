/** The state of a browser's open pages when a test fails: address, text, troubles and a picture of each. */

import type { Browser, Page } from 'playwright-core';
import type { Witness } from '../../scripts/evidence.ts';

/** A page that neither answers nor draws may be why the test failed. */
const LOOK_MS_MAX = 5_000;

/** Failed requests and script errors of each page. */
const troubles = new WeakMap<Page, string[]>();

export function noteTroubles(page: Page): void {
  const noted: string[] = [];
  troubles.set(page, noted);
  page.on('requestfailed', (request) =>
    noted.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`),
  );
  page.on('response', (response) => {
    if (response.status() >= 400)
      noted.push(`${response.request().method()} ${response.url()}: ${response.status()}`);
  });
  page.on('pageerror', (error) => noted.push(String(error)));
  page.on('crash', () => noted.push('the page crashed'));
}

/** A locator that waited in vain does not say what was there instead. */
export function witnessOf(browser: Browser): Witness {
  return async () => {
    const pages = browser.contexts().flatMap((context) => context.pages());
    return (await Promise.all(pages.map(shown))).flat();
  };
}

async function shown(page: Page, at: number): Promise<(readonly [string, string | Uint8Array])[]> {
  const limit = { timeout: LOOK_MS_MAX };
  // biome-ignore lint/performance/useDomNodeTextContent: as a person saw it, without what is hidden.
  const text = await page.locator('body').innerText(limit).catch(String);
  const picture = await page.screenshot(limit).catch(String);
  const lines = [page.url(), '', ...(troubles.get(page) ?? []), '', text, ''];
  return [
    [`page-${at + 1}.txt`, lines.join('\n')],
    typeof picture === 'string' ? [`page-${at + 1}-picture.txt`, picture] : [`page-${at + 1}.png`, picture],
  ];
}
