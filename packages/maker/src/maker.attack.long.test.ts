/** An attacker sets a mark to push the maker's exposure past every limit, on the real exchange (HOUSE-1, MARK-1). */

// @process maker
// @seconds 9

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MakerAccount, Series } from '@venue/protocol';
import {
  type LocalVenue,
  MAKER_TOKEN,
  type OpenSession,
  openSession,
  pricedVenue,
  waitFor,
} from '../../exchange/test/support.ts';
import { freePort } from '../../log/test/free-port.ts';
import { shippedParameters } from '../test/market.ts';
import { WINDOW_MS } from './horizon.ts';
import { runMaker } from './run.ts';

/** Enough strikes that the last call is worth cents a whole day before it expires. */
const STRIKES_PER_SIDE = 30;
const METRICS_PORT = await freePort();
/** The maker's position limit per series, as a multiple of the size. */
const { size, limits } = shippedParameters().of('BTC');
const POSITION_MAX = limits.positionSizes * size.contracts;
const ABSURD = 1_000_000_000;

let venue: LocalVenue;
let eve: OpenSession;
let far: Series;
let atTheMoney: string;
const stop = new AbortController();
let running: Promise<void>;

before(async () => {
  venue = await pricedVenue({
    VENUE_SYMBOLS: 'BTC:crypto',
    VENUE_STRIKES_PER_SIDE: `${STRIKES_PER_SIDE}`,
    VENUE_HOUSE_LINE: '10000000',
  });
  const { expiryTs, seriesId } = await venue.listed('BTC');
  atTheMoney = seriesId;
  const { body } = await venue.get('/v1/series?symbol=BTC');
  const calls = (body.series as Series[]).filter((one) => one.right === 'C' && one.expiryTs === expiryTs);
  far = calls.reduce((a, b) => (b.strike > a.strike ? b : a));
  running = runMaker({
    config: {
      url: venue.url,
      makerToken: MAKER_TOKEN,
      tickMs: 50,
      metricsPort: METRICS_PORT,
      parameters: shippedParameters(),
      walletKeys: null,
      paceMs: 0,
    },
    signal: stop.signal,
    log: () => {},
  });
  await waitFor(async () => ((await metric('quoted_series')) === (await quotable()) ? true : undefined));
  eve = await openSession(venue);
  await venue.post('/v1/margin', { enabled: true }, eve);
});

after(async () => {
  stop.abort();
  await running;
  await venue.exchange.stop();
});

async function metric(name: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`).catch(() => null);
  const text = (await answer?.text()) ?? '';
  return Number(new RegExp(`^venue_maker_${name} (.*)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

/** How many series the maker quotes at this time of day: not those that are in their settlement window. */
async function quotable(): Promise<number> {
  const series: Series[] = (await venue.get('/v1/series?symbol=BTC')).body.series;
  return series.filter(({ expiryTs }) => expiryTs - Date.now() > WINDOW_MS).length;
}

async function makerAccount(): Promise<MakerAccount> {
  return (await venue.get('/v1/maker/account', { headers: { 'x-maker-token': MAKER_TOKEN } })).body;
}

async function asksOf({ seriesId }: Series): Promise<{ price: number; qty: number }[]> {
  return (await venue.get(`/v1/book?seriesId=${seriesId}`)).body.asks;
}

/** Buys the cheap asks of the series until the maker's own limit has closed its ladder. */
async function liftUntilShut(): Promise<void> {
  const isShut = async () => {
    const held = (await makerAccount()).positions.find(({ seriesId }) => seriesId === far.seriesId);
    return (held?.qty ?? 0) <= -POSITION_MAX ? true : undefined;
  };
  await waitFor(async () => {
    await venue.post('/v1/order', { seriesId: far.seriesId, side: 'buy', qty: 3, price: 0.03 }, eve);
    await venue.post('/v1/cancel', {}, eve);
    return isShut();
  });
}

test('an absurd ask behind lifted asks leaves the mark sane and every series quoted', async () => {
  const before = await quotable();
  await liftUntilShut();
  const ask = { seriesId: far.seriesId, side: 'sell', qty: 0.000001, price: ABSURD };
  assert.equal((await venue.post('/v1/order', ask, eve)).body.status, 'rested');
  // A trade elsewhere makes the maker read its account at the mark she set.
  await venue.post('/v1/order', { seriesId: atTheMoney, side: 'buy', qty: 0.01 }, eve);
  let least = await metric('quoted_series');
  let lifted = 0;
  for (let i = 0; i < 20; i++) {
    // Only the maker's small, far ask stands before hers: if it ever goes, hers sets the mark.
    const { price } = (await asksOf(far))[0]!;
    const lift = {
      seriesId: far.seriesId,
      side: 'buy',
      qty: size.contracts / 100,
      price: Math.min(price, 1),
    };
    lifted += Number((await venue.post('/v1/order', lift, eve)).body.status === 'filled');
    // Each move re-quotes many ladders, which the venue checks against the house line.
    await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_000 + 100 * (i % 5) }]);
    await sleep(100);
    least = Math.min(least, await metric('quoted_series'));
  }
  assert.ok(lifted > 10, `${lifted} lifted`);
  const { exposure, houseLine, positions } = await waitFor(async () => {
    const account = await makerAccount();
    return account.exposure < account.houseLine ? account : undefined;
  });
  const held = positions.find(({ seriesId }) => seriesId === far.seriesId)!;
  const asks = await asksOf(far);
  // A ladder just traded with does not count until it is renewed: hers, and the one at the money.
  const quoted = Math.min(before, await quotable());
  assert.ok(least >= quoted - 2, `${least} of ${quoted}`);
  assert.ok(held.mark < 1, `marked at ${held.mark}`);
  assert.ok(exposure < 0.1 * houseLine, `${exposure} of ${houseLine}`);
  assert.ok(asks[0]!.price < 1 && asks.at(-1)!.price === ABSURD, JSON.stringify(asks));
});
