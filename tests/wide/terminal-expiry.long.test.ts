/**
 * The terminal through an expiry: a real exchange whose clock is shortly before 20:00 in New York, a browser with the
 * same clock, one underlying that settles and one that the oracle refuses.
 */

// @seconds 93

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FeedPrint } from '@venue/protocol';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../e2e/launched.ts';
import { assertAccessible } from './axe.ts';
import {
  assertNoFaults,
  chainStands,
  chromiumMissing,
  NO_WORKER,
  shiftClock,
  signInOnPaper,
  startTerminal,
  timeToStart,
  WAIT_MS,
  watchFaults,
} from './browser.ts';
import { OPERATOR_TOKEN, operator, SECRETS } from './operator.ts';
import { Poster } from './prices.ts';
import { faketimeMissing, ShiftedClock } from './shifted-clock.ts';
import { stageOf } from './stage.ts';

const CUTOFF_MS = Date.parse('2026-03-07T20:00:00-05:00');
const CUTOFF_TS = CUTOFF_MS / 1_000;
/** An expiry settles on a tick: the first comes with the start. */
const TICK_MS = 30_000;
const LEAD_TICKS_MAX = 3.5;
const LEAD_MS_MAX = 120_000;
const SETTLE_LIMIT_MS = 90_000;
const SYMBOLS = ['BTC', 'ETH'] as const;
type Underlying = (typeof SYMBOLS)[number];
const STRIKES = { BTC: 59_500, ETH: 3_000 };
const AT_THE_MONEY = { BTC: 60_000, ETH: 3_050 };
const PRICES = { BTC: 700, ETH: 80 };

const missing = chromiumMissing() ?? faketimeMissing();

/**
 * Time before the cutoff for start-up, first listing, sign-in and trades, on a machine that may get busier than it is now.
 * The cutoff comes midway between two ticks, so that there is time to see the expiry before it settles.
 */
function leadMsOf(startMs: number): number {
  const wantedMs = 45_000 + 7 * startMs;
  return startMs + TICK_MS * Math.min(Math.ceil(wantedMs / TICK_MS - 0.5) + 0.5, LEAD_TICKS_MAX);
}

/** BTC has three sources that agree; ETH has a single one, which is not enough. */
function pricesAt(ms: number): FeedPrint[] {
  const factor = ms > CUTOFF_MS ? 1.05 : 1;
  return [
    { symbol: 'BTC', source: 'a', price: 60_000 * factor },
    { symbol: 'BTC', source: 'b', price: 60_060 * factor },
    { symbol: 'BTC', source: 'c', price: 60_180 * factor },
    { symbol: 'ETH', source: 'a', price: 3_050 },
  ];
}

describe('the terminal through an expiry', { skip: missing ?? false }, () => {
  let clock: ShiftedClock;
  const stage = stageOf(
    async () => {
      clock = new ShiftedClock(CUTOFF_MS - leadMsOf(await timeToStart()));
      return startTerminal('exchange', {
        ...clock.env,
        ...SECRETS,
        VENUE_MAINTENANCE_MS: `${TICK_MS}`,
        VENUE_SYMBOLS: 'BTC:crypto,ETH:crypto',
        VENUE_FEED_TOKEN: 'feed-secret',
        VENUE_OPERATOR_TOKEN: OPERATOR_TOKEN,
      });
    },
    async ({ url }, ends) => {
      const maker = new VenueClient({ url });
      const poster = new Poster({ feed: maker.feed('feed-secret'), now: () => clock.now(), pricesAt });
      ends.defer(() => poster.stop());
      await quote(maker);
    },
  );

  it('counts down, freezes, settles with its sources, and explains what was refused', async () => {
    const { page, faults } = await openShifted(stage.browser, stage.venue.url, clock);
    const bar = page.locator('.Expiry_bar');
    await bar
      .filter({ hasText: /BTC 7 Mar ends in 0\d:\d\d.*7 Mar 20:00 EST, here 8 Mar 02:00 GMT\+1/ })
      .waitFor();
    await bar
      .filter({ hasText: /Settlement window.*average so far ≈ 60,060\.00.*settles near 60,060\.00/ })
      .waitFor();
    await pressAsk(page, 'BTC');
    await signInOnPaper(page);
    await buy(page, 'BTC');
    await page.locator('.header').getByRole('button', { name: /^ETH/ }).click();
    await buy(page, 'ETH');
    await page.locator('.header').getByRole('button', { name: /^BTC/ }).click();
    const positions = page.getByRole('tabpanel', { name: 'Positions' });
    await positions
      .getByRole('button', { name: /^Close / })
      .nth(1)
      .waitFor();
    await pressAsk(page, 'BTC');
    const ticket = page.getByRole('region', { name: 'Order ticket' });
    await ticket.getByRole('button', { name: /^PAPER Buy/ }).waitFor();
    // The estimate is a second line in chain and picture, and the ticket says what it pays (ORA-1).
    await ticket.getByText(/^Settlement estimate 60,060\.00 \(\d+% fixed, .*pays about 560\.00$/).waitFor();
    await ticket.locator('.estimate-line').waitFor({ state: 'attached' });
    assert.equal(await page.locator('tr[data-estimate-line][data-strike="60500"]').count(), 1);
    assert.ok(clock.now() < CUTOFF_MS - 1_000, 'the machine is too slow for the time before the cutoff');

    // All of it is there for about half a minute: the looks wait for it together, since before the cutoff.
    const timeout = LEAD_MS_MAX + WAIT_MS;
    await Promise.all([
      page
        .locator('.Expiry_bar.Expiry_settling')
        .filter({ hasText: /stopped trading.*about 30 s after.*near \$60,06\d\.\d\d/ })
        .waitFor({ timeout }),
      // The rows stay as they were, and cannot be pressed.
      page
        .locator(`[inert] tr[data-strike="${STRIKES.BTC}"] td.call.ask`)
        .filter({ hasText: /^700\.00$/ })
        .waitFor({ timeout }),
      ticket.getByText('This contract has expired.').waitFor({ timeout }),
      positions.getByText('Settling').nth(1).waitFor({ timeout }),
    ]);
    assert.equal(await ticket.getByRole('button', { name: /Buy|Sell/ }).count(), 0, 'nothing to send');
    assert.equal(await positions.getByRole('button', { name: /^Close / }).count(), 0);
    // On a busy machine the bar is gone before axe has looked at it in both schemes.
    await assertAccessible(page, '.Expiry_bar').catch((error) => {
      if (!String(error).includes('No elements found')) throw error;
    });

    const card = page.getByRole('article', { name: 'BTC 7 Mar, settled' });
    await card.waitFor({ timeout: SETTLE_LIMIT_MS });
    const text = (await card.textContent())!;
    assert.match(text, /settled at \$60,060\.00/);
    assert.match(text, /\d+ s after the cutoff at 7 Mar 20:00 EST/);
    assert.match(text, /lie 0\.30% apart/);
    const sources = card.getByRole('table', { name: 'Price sources' }).getByRole('row');
    assert.match((await sources.nth(2).textContent())!, /^b60,060\.0060,060\.00[\d.]+ syes$/);
    const mine = card.getByRole('table', { name: 'Payouts on your positions' });
    await mine.filter({ hasText: /59,500 call\+1\$560\.00\+\$560\.00−\$140\.00/ }).waitFor();
    await page.getByRole('tab', { name: /^7 Mar.*settled/ }).waitFor();
    await page
      .getByRole('region', { name: 'Chart', exact: true })
      .getByRole('tab', { name: 'Depth' })
      .click();
    await page.getByText('BTC 7 Mar 59,500 call has ended: it has no book.').waitFor();
    await assertAccessible(page, '.settlement');
    await positions.getByText('In review').waitFor();

    await reviewOf(page);
    const anchored = await operator(
      stage.venue.url,
      ['settle', '--symbol', 'ETH', '--expiry', `${CUTOFF_TS}`, '--price', '3060'],
      SECRETS,
    );
    assert.equal(anchored.code, 0, anchored.output);
    const byHand = page.getByRole('article', { name: 'ETH 7 Mar, settled' });
    await byHand.waitFor({ timeout: SETTLE_LIMIT_MS });
    await byHand.filter({ hasText: /settled at \$3,060\.00By hand/ }).waitFor();
    await byHand.filter({ hasText: /3,000 call\+1\$60\.00/ }).waitFor();
    await page.getByRole('button', { name: 'Trade the next expiry, 8 Mar' }).click();
    await chainStands(page);
    assertNoFaults(faults);
    await page.context().close();
  });
});

/** The refused expiry, as seen by a holder of its contracts. */
async function reviewOf(page: Page): Promise<void> {
  await page.locator('.header').getByRole('button', { name: /^ETH/ }).click();
  await page.getByRole('tab', { name: /^7 Mar in review/ }).click();
  const card = page.getByRole('article', { name: 'ETH 7 Mar, in review' });
  await card.waitFor();
  await card.filter({ hasText: /Only one price source had printed/ }).waitFor();
  await card
    .filter({ hasText: /Positions are kept.*No cash has moved.*Shorts stay margined.*Orders are gone/ })
    .waitFor();
  await card
    .filter({ hasText: /within ±100 bps.*\$3,050\.00: from \$3,019\.50 to \$3,080\.50.*no set date/ })
    .waitFor();
  const held = card.getByRole('table', { name: 'Positions awaiting settlement' });
  await assertAccessible(page, '.settlement');
  await held.filter({ hasText: /3,000 call\+150\.00\+\$19\.50 … \+\$80\.50/ }).waitFor();
}

/** A page with the exchange's clock, in a time zone other than New York's. */
async function openShifted(browser: Browser, url: string, clock: ShiftedClock) {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ ...NO_WORKER, viewport, timezoneId: 'Europe/Zurich' });
  context.setDefaultTimeout(WAIT_MS);
  await shiftClock(context, clock.now() - Date.now());
  const page = await context.newPage();
  const faults = watchFaults(page);
  await page.goto(url);
  return { page, faults };
}

/** Offers a contract in each underlying, and others around it. */
async function quote(maker: VenueClient): Promise<void> {
  const wallet = walletFromPrivateKey(randomPrivateKey());
  await maker.auth.signIn(wallet);
  await maker.orders.setMargin(true);
  for (const symbol of SYMBOLS) {
    const seriesId = `${symbol}-${CUTOFF_TS}-C-${STRIKES[symbol]}`;
    const next = `${symbol}-${CUTOFF_TS + 23 * 3_600}-C-${AT_THE_MONEY[symbol]}`;
    await eventually(
      `listings of ${symbol}`,
      async () => (await maker.market.series(symbol)).length > 0,
      WAIT_MS,
    );
    const near = `${symbol}-${CUTOFF_TS}-C-${AT_THE_MONEY[symbol]}`;
    for (const one of [seriesId, near, next]) {
      const { status } = await maker.orders.place({
        seriesId: one,
        side: 'sell',
        qty: 2,
        price: PRICES[symbol],
      });
      assert.equal(status, 'rested');
    }
    // Both sides of another contract: a page that opens now would pass over an expiry that makers have left to settle.
    const put = `${symbol}-${CUTOFF_TS}-P-${STRIKES[symbol]}`;
    for (const [side, price] of [
      ['sell', 2],
      ['buy', 1],
    ] as const) {
      const { status } = await maker.orders.place({ seriesId: put, side, qty: 1, price });
      assert.equal(status, 'rested');
    }
  }
}

/** Presses the ask at the maker's own price: until then the row may be empty, or the other underlying's. */
async function pressAsk(page: Page, symbol: Underlying): Promise<void> {
  const ask = page.locator(`tr[data-strike="${STRIKES[symbol]}"] td.call.ask`);
  await ask.filter({ hasText: PRICES[symbol].toFixed(2) }).click();
}

async function buy(page: Page, symbol: Underlying): Promise<void> {
  await pressAsk(page, symbol);
  const before = await page.getByRole('tab', { name: /^Positions/ }).textContent();
  await page.getByRole('button', { name: /^PAPER Buy/ }).click();
  const isOneMore = async () =>
    (await page.getByRole('tab', { name: /^Positions/ }).textContent()) !== before;
  await eventually('a position', isOneMore, WAIT_MS);
}
