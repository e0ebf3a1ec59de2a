/** The terminal with more positions and orders than it renders at once, while every quote moves. */

// @seconds 15

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { turnTo } from '../../bench/terminal/page.ts';
import { assertNoFaults, chainStands, chromiumMissing } from './browser.ts';
import { LINES_MAX, largeStage, linesSeen } from './large-account.ts';

/** Over twice as many as are rendered; the nightly file has as many as a market maker. */
const SIZE = { positions: 120, orders: 200 };

describe('the terminal with a large account', { skip: chromiumMissing() ?? false }, () => {
  const { opened } = largeStage(SIZE);

  it('TERM-6: turns to another expiry with the rows and charts it has, and renders only the lines in sight', async () => {
    const { page, faults } = await opened();
    await chainStands(page);
    await page.locator('.charts-beside canvas').first().waitFor();
    await page.locator('.charts-beside svg.Charts_plot').waitFor();
    await page.evaluate(MARK_PARTS);
    const second = page.getByRole('tablist', { name: 'Expiries' }).getByRole('tab').nth(1);
    await turnTo(page, second);
    assert.equal(await second.getAttribute('aria-selected'), 'true');
    const { rows, made, charts } = await page.evaluate<PartsKept>(PARTS_KEPT);
    assert.ok(rows > 30, `${rows} rows`);
    // The expiries differ in some strikes at either end.
    assert.ok(made < rows / 2, `${made} of ${rows} rows were made again`);
    assert.equal(charts, 2, 'charts that were kept');

    const positions = page.getByRole('table', { name: 'Positions', exact: true });
    await page.getByRole('button', { name: 'By expiry' }).click();
    assert.ok((await positions.getByRole('row').count()) < LINES_MAX);
    assert.equal(page.workers().length, 1, 'payoffs have a thread of their own');
    assert.equal((await linesSeen(page)).size, SIZE.positions);

    await page.setViewportSize({ width: 390, height: 844 });
    const shownPart = page.getByRole('navigation', { name: 'Parts of the page' });
    await shownPart.getByText('Positions').click();
    await positions.getByRole('row').first().waitFor();
    assert.ok((await positions.getByRole('row').count()) < LINES_MAX);
    await page.evaluate("document.querySelector('.dock .panel').scrollTop = 1e6");
    await page.locator(`tr[aria-rowindex="${SIZE.positions + 1}"]`).waitFor();
    await shownPart.getByText('Orders').click();
    await page.getByRole('table', { name: 'Resting orders', exact: true }).waitFor();
    await page.evaluate("document.querySelector('.dock .panel').scrollTop = 1e6");
    await page.locator(`tr[aria-rowindex="${SIZE.orders + 1}"]`).waitFor();
    assertNoFaults(faults);
    await page.context().close();
  });
});

interface PartsKept {
  readonly rows: number;
  readonly made: number;
  readonly charts: number;
}

const MARK_PARTS = `
  for (const part of document.querySelectorAll('table.chain tbody tr, .charts-beside figure')) part.isKnown = true;
`;

const PARTS_KEPT = `(() => {
  const rows = [...document.querySelectorAll('table.chain tbody tr')];
  return {
    rows: rows.length,
    made: rows.filter((row) => !row.isKnown).length,
    charts: [...document.querySelectorAll('.charts-beside figure')].filter((chart) => chart.isKnown).length,
  };
})()`;
