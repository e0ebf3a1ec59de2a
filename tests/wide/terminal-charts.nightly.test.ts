/** The memory that the terminal's charts leave behind, and their volatility index by the hour. */

// @process terminal-nights
// @seconds 20

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../e2e/launched.ts';
import { assertNoFaults, chainStands, chromiumMissing, openPage, WAIT_MS } from './browser.ts';
import { sharedStage } from './stage.ts';

/** Too narrow for charts beside the chain. */
const IN_THE_DOCK = { viewport: { width: 1_280, height: 900 } };

const HOUR_MS = 3_600_000;
const OPENINGS = 20;
const LOOKS = 10;
/** Allowed growth of the heap in bytes, of nodes and of event listeners. */
const LEFT = { heap: 1_500_000, nodes: 60, listeners: 20 };

describe("the terminal's charts", { skip: chromiumMissing() ?? false }, () => {
  const stage = sharedStage();

  it('leaks nothing when closed', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url, IN_THE_DOCK);
    await chainStands(page);
    await openAndClose(page, 5);
    const before = await leastUsed(page);
    await openAndClose(page, OPENINGS);
    // Each pending answer has its own listeners until it is read: on a busy machine more of them than these limits.
    let after = before;
    const isAsBefore = async () => {
      after = await used(page);
      return Object.entries(LEFT).every(
        ([what, most]) => after[what as keyof typeof LEFT] - before[what as keyof typeof LEFT] < most,
      );
    };
    await eventually('as little as before the charts', isAsBefore, WAIT_MS).catch(() =>
      assert.fail(JSON.stringify({ before, after })),
    );
    assertNoFaults(faults);
    await page.context().close();
  });

  it('has the volatility index by the hour, with the hours that the history leaves out (HIS-4)', async () => {
    const { page, faults } = await openPage(stage.browser, stage.venue.url, IN_THE_DOCK);
    await chainStands(page);
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const rows = [47, 46, 2, 1].map((ago, i) => ({ t: hour - ago * HOUR_MS, index: 60 + i }));
    await page.route('**/v1/volatility*', (route) =>
      route.fulfill({ json: { symbol: 'BTC', index: 64.25, rows } }),
    );
    await page.getByRole('tab', { name: 'Charts' }).click();
    const pane = page.getByRole('region', { name: 'Chart', exact: true });
    await pane.getByRole('tab', { name: 'Spot', exact: true }).click();
    const spot = pane.getByRole('figure');
    await spot.getByRole('button', { name: '30-day vol' }).click();
    await spot
      .locator('.Charts_sentence', {
        hasText:
          /^[\d.]+% now; of the points, one an hour since .+, the lowest is [\d.]+% and the highest [\d.]+%\.$/,
      })
      .waitFor();
    const toggle = spot.getByRole('button', { name: 'As a table' });
    await toggle.click();
    await spot
      .getByRole('table')
      .filter({ hasText: /^TimeIndex, % a year.*62\.0%.*61\.0%.*60\.0%$/ })
      .waitFor();
    await toggle.click();
    await spot.locator('.Charts_history').press('Home');
    await spot.locator('.Charts_barWords', { hasText: '60.0%' }).waitFor();
    await spot.getByRole('button', { name: 'Price', exact: true }).click();
    assertNoFaults(faults);
    await page.context().close();
  });
});

async function openAndClose(page: Page, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await page.getByRole('tab', { name: 'Charts' }).click();
    await page.locator('.Charts_history canvas').first().waitFor();
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.locator('.Charts_charts').waitFor({ state: 'detached' });
  }
}

/** Measures at a moment without a pending answer. */
async function leastUsed(page: Page): Promise<Used> {
  const looks: Used[] = [];
  for (let i = 0; i < LOOKS; i++) looks.push(await used(page));
  const least = (what: keyof Used) => Math.min(...looks.map((look) => look[what]));
  return { heap: least('heap'), nodes: least('nodes'), listeners: least('listeners') };
}

type Used = Record<keyof typeof LEFT, number>;

/** The page's memory after garbage collection. */
async function used(page: Page): Promise<Used> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return { heap: usedSize, nodes, listeners: jsEventListeners };
}
