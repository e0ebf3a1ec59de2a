/** Prices that move, for those who prefer less motion or other colours. */

// @process own-market
// @seconds 3

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../e2e/launched.ts';
import { assertNoFaults, chromiumMissing, openPage, WAIT_MS } from './browser.ts';
import { placed, sharedMarket } from './own-market.ts';

describe('the terminal for everybody, when a price moves', { skip: chromiumMissing() ?? false }, () => {
  const stage = sharedMarket();

  it('flashes nothing where reduced motion is preferred, and is readable in forced colours', async () => {
    const [call] = stage.venue.calls;
    const { client } = await stage.venue.trader();
    const bid = (price: number) => placed(client, { seriesId: call, side: 'buy', qty: 1, price });
    await stage.venue.quote(call, 1_000, 1_200);
    const { page, faults } = await openPage(stage.browser, stage.venue.chainOf(call), {
      reducedMotion: 'reduce',
      forcedColors: 'active',
    });
    const shows = (price: string) =>
      page.locator('tr[data-at-the-money] td.call.bid', { hasText: price }).waitFor();
    await shows('1,000');
    await page.evaluate(COUNT_FLASHES);
    await bid(1_050);
    await shows('1,050');
    assert.equal(await page.evaluate('globalThis.flashes'), 0);

    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await bid(1_100);
    await eventually('a flash', () => page.evaluate<boolean>('globalThis.flashes > 0'), WAIT_MS);
    assertNoFaults(faults);
    await page.context().close();
  });
});

const COUNT_FLASHES = `
  globalThis.flashes = 0;
  new MutationObserver((records) => {
    globalThis.flashes += records.filter(({ target }) => target.dataset.flash !== undefined).length;
  }).observe(document.querySelector('table.chain'), { attributes: true, attributeFilter: ['data-flash'], subtree: true });
`;
