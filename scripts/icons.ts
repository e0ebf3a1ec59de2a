/**
 * Makes the icons of the installed terminal, as PNG, out of `packages/web/src/icon.svg`, in Chromium:
 *
 *   node_modules/.bin/node scripts/icons.ts
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { ICONS } from '../packages/web/src/install/manifest.ts';
import { chromiumMissing, startBrowser } from '../tests/wide/browser.ts';
import { withFewColours } from './png.ts';

const SOURCES = new URL('../packages/web/src/', import.meta.url);
/** Only the middle four fifths of a maskable icon are sure to be seen. */
const MASKED_SHARE = 0.7;

async function main(): Promise<void> {
  const missing = chromiumMissing();
  if (missing !== null) throw new Error(missing);
  const svg = readFileSync(new URL('icon.svg', SOURCES), 'utf8');
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    for (const { file, sizePx, purpose } of ICONS) {
      await page.setViewportSize({ width: sizePx, height: sizePx });
      await page.setContent(pageOf(svg, { sizePx, isWhole: purpose !== 'any' }));
      const png = await page.screenshot({ omitBackground: true });
      // Corners that let the ground through need more than a palette.
      writeFileSync(new URL(`install/${file}`, SOURCES), purpose === 'any' ? png : withFewColours(png));
    }
  } finally {
    await browser.close();
  }
}

/** `isWhole` fills the square to its corners, and draws the rest smaller. */
function pageOf(svg: string, { sizePx, isWhole }: { sizePx: number; isWhole: boolean }): string {
  const ground = /fill="(#\w{6})"/.exec(svg)![1]!;
  const insidePx = isWhole ? sizePx * MASKED_SHARE : sizePx;
  return `<style>
    body { margin: 0; display: grid; place-items: center; width: ${sizePx}px; height: ${sizePx}px;
      ${isWhole ? `background: ${ground};` : ''} }
    svg { display: block; width: ${insidePx}px; height: ${insidePx}px; }
  </style>${svg}`;
}

await main();
