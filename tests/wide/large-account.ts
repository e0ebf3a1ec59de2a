/** An account whose tables are longer than any window, while every quote moves. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hex } from '@venue/protocol';
import type { Page } from 'playwright-core';
import { type AccountSize, openLargeAccount } from '../../bench/terminal/account.ts';
import { TerminalMarket } from '../../bench/terminal/market.ts';
import { openPage, signInWithKey, type WatchedPage } from './browser.ts';
import { stageOf } from './stage.ts';

export const LINES_MAX = 80;

/** A stage whose pages open with that account. */
export function largeStage(size: AccountSize) {
  let key: Hex = '0x';
  const stage = stageOf(
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'venue-large-'));
      const market = await TerminalMarket.start(folder);
      const end = async () => {
        await market.end();
        rmSync(folder, { recursive: true, force: true });
      };
      return { url: market.url, market, end };
    },
    async ({ market }) => {
      key = await openLargeAccount(market.url, market.series, size);
    },
  );
  const opened = async (): Promise<WatchedPage> => {
    const watched = await openPage(stage.browser, stage.venue.url, {
      // As high as two charts need above a dock that is full.
      viewport: { width: 1_920, height: 1_300 },
    });
    await signInWithKey(watched.page, key);
    await watched.page.getByText(`${size.positions} positions of`).waitFor();
    return watched;
  };
  return { stage, opened };
}

/** The names of all rows but totals, collected while the panel scrolls from top to bottom as fast as rows are rendered. */
export async function linesSeen(page: Page): Promise<Set<string>> {
  const names = await page.evaluate<string[]>(`(async () => {
    const panel = document.querySelector('.dock .panel');
    const seen = new Set();
    const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const hasGap = () => {
      const { top, bottom } = panel.getBoundingClientRect();
      return [...panel.querySelectorAll('tbody.gap')]
        .map((gap) => gap.getBoundingClientRect())
        .some((box) => box.bottom > top + 1 && box.top < bottom - 1);
    };
    panel.scrollTop = 0;
    for (let last = -1; panel.scrollTop !== last; panel.scrollTop += panel.clientHeight - 40) {
      last = panel.scrollTop;
      await frames();
      for (let waits = 0; hasGap() && waits < 300; waits++) await frames();
      const { top, bottom } = panel.getBoundingClientRect();
      for (const line of panel.querySelectorAll('tbody tr:not([data-kind=total])')) {
        const box = line.getBoundingClientRect();
        if (line.querySelector('th') && box.bottom > top && box.top < bottom)
          seen.add(line.querySelector('th').textContent);
      }
    }
    return [...seen];
  })()`);
  return new Set(names);
}
