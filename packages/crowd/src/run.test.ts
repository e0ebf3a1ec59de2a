/** A crowd on the real exchange, whose quotes come of one hand. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomPrivateKey, VenueClient } from '@venue/sdk';
import { type LocalVenue, MAKER_TOKEN, pricedVenue, waitFor } from '../../exchange/test/support.ts';
import { runCrowd } from './run.ts';
import { walletOf } from './wallets.ts';

const KEY = randomPrivateKey();
const TRADERS = 10;
let venue: LocalVenue;
let client: VenueClient;

before(async () => {
  venue = await pricedVenue({ VENUE_SYMBOLS: 'BTC:crypto' });
  client = new VenueClient({ url: venue.url });
  const maker = client.maker(MAKER_TOKEN);
  const { session } = await maker.session('test');
  const list = await client.market.series('BTC');
  await maker.quotes(
    session,
    list.map(({ sid, strike, right }) => {
      const call = 1 / (1 + Math.exp((strike - 100_000) / 4_000));
      const delta = Math.round((right === 'C' ? call : call - 1) * 1_000) / 1_000;
      const value = Math.round(300 + 5_000 * Math.abs(delta));
      return [sid, [[value - 10, 5]], [[value + 10, 5]], 0.6, delta];
    }),
  );
});

after(() => venue.exchange.stop());

function start(key = KEY) {
  const stop = new AbortController();
  const lines: string[] = [];
  const config = { url: venue.url, key, traders: TRADERS, paceMs: 50, seed: 3 };
  const ended = runCrowd({ config, signal: stop.signal, log: (line) => lines.push(line) });
  const end = async () => {
    stop.abort();
    await ended;
  };
  return { lines, end };
}

const openInterest = async () => {
  const series = await client.market.series('BTC');
  const expiries = [...new Set(series.map(({ expiryTs }) => expiryTs))];
  const chains = await Promise.all(expiries.map((expiryTs) => client.market.chain('BTC', expiryTs)));
  const legs = chains.flatMap(({ rows }) => rows.flatMap(({ call, put }) => [call, put]));
  return legs.reduce((sum, leg) => sum + (leg?.openInterest ?? 0), 0);
};

test('a crowd leaves trades, open interest and several owners, and no order rests after its stop', async (t) => {
  const { end, lines } = start();
  t.after(end);
  await waitFor(async () => ((await client.market.tape('BTC')).fills.length >= 20 ? true : undefined));
  assert.ok((await openInterest()) > 0);
  await end();
  assert.deepEqual(
    lines.filter((line) => line.startsWith('cannot')),
    [],
  );
  let owners = 0;
  for (let number = 0; number < TRADERS; number++) {
    const { positions, openOrderCount, cash, buyingPower } = await accountOf(number);
    owners += Number(positions.length > 0);
    assert.equal(openOrderCount, 0);
    assert.ok(cash > 0 && buyingPower >= 0);
  }
  assert.ok(owners >= 4, `${owners} of ${TRADERS} hold something`);
});

test('a crowd that is started again goes on with its wallets', async (t) => {
  const before = await Promise.all([0, 1, 2].map(accountOf));
  const { end } = start();
  t.after(end);
  const startedMs = Date.now();
  await waitFor(async () => {
    const { fills } = await client.market.tape('BTC');
    return fills.filter(({ ts }) => ts >= startedMs).length >= 3 ? true : undefined;
  });
  await end();
  const addresses = await Promise.all([0, 1, 2].map(accountOf));
  assert.deepEqual(
    addresses.map(({ address }) => address),
    before.map(({ address }) => address),
  );
});

test('every trader has a key of its own, which comes of the crowd’s', () => {
  const addresses = [
    walletOf(KEY, 0, 0),
    walletOf(KEY, 1, 0),
    walletOf(KEY, 0, 1),
    walletOf(randomPrivateKey(), 0, 0),
  ];
  assert.equal(new Set(addresses.map(({ address }) => address)).size, 4);
  assert.equal(walletOf(KEY, 1, 0).address, addresses[1]!.address);
});

async function accountOf(number: number) {
  const own = new VenueClient({ url: venue.url });
  return own.auth.signIn(walletOf(KEY, number, 0));
}
