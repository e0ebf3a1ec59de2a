import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Instrument } from '@venue/protocol';
import { VenueClient, VenueUnreachableError, walletFromPrivateKey } from '@venue/sdk';
import { FaultyProxy } from '../../../tests/e2e/sdk-proxy.ts';
import { waitFor } from '../../exchange/test/support.ts';
import { freePort } from '../../log/test/free-port.ts';
import { QuotedMarket } from '../test/quoted-market.ts';
import { AccountChannels } from './account-channels.ts';

let market: QuotedMarket;

before(async () => {
  market = await QuotedMarket.open();
  await market.maker.orders.setMargin(true);
});

after(() => market.close());

async function open(lastFill = 0) {
  const seen = { spots: [] as Instrument[], traded: [] as string[], holdings: 0 };
  const news = {
    spots: (changed: readonly Instrument[]) => seen.spots.push(...changed),
    traded: (seriesId: string) => seen.traded.push(seriesId),
    holdings: () => {
      seen.holdings += 1;
    },
  };
  const channels = await AccountChannels.open({ client: market.taker, news, after: lastFill });
  return { channels, seen };
}

async function buy(qty: number): Promise<void> {
  const terms = { seriesId: market.atTheMoney, qty, price: 5_000 };
  await market.maker.orders.place({ ...terms, side: 'sell' });
  assert.equal((await market.taker.orders.place({ ...terms, side: 'buy' })).status, 'filled');
}

test('STR-1: prices and holdings are known at once, then every fill and what is held after it', async () => {
  const { channels, seen } = await open();
  assert.deepEqual(seen.spots, [{ symbol: 'BTC', spot: 100_000, feedFresh: true }]);
  await buy(2);
  const [fill] = await waitFor(async () => {
    const fills = channels.fillsAfter(0);
    return fills.length > 0 && channels.holdings.positions.length > 0 ? fills : undefined;
  });
  assert.deepEqual([fill!.side, fill!.qty, seen.traded], ['buy', 2, [market.atTheMoney]]);
  const { equity, buyingPower } = await market.taker.account.me();
  const { positions, exposure, houseLine } = channels.holdings;
  assert.deepEqual(
    positions.map(({ qty }) => qty),
    [2],
  );
  assert.deepEqual([houseLine, exposure], [equity, equity - buyingPower]);
  assert.ok(seen.holdings >= 1);
  assert.deepEqual(channels.fillsAfter(fill!.id), []);
  channels.close();
});

test('STR-4: fills that came while nobody listened follow the last one known', async () => {
  const last = (await market.taker.account.fills({ limit: 1 }))[0]!.id;
  await buy(1);
  const { channels, seen } = await open(last);
  const fills = await waitFor(async () =>
    channels.fillsAfter(last).length > 0 ? channels.fillsAfter(last) : undefined,
  );
  assert.deepEqual(
    fills.map(({ qty }) => qty),
    [1],
  );
  assert.deepEqual(seen.traded, [market.atTheMoney]);
  assert.ok(channels.isOpen);
  channels.close();
  assert.equal(channels.isOpen, false);
});

test('STR-5: a channel of which a message is lost on the way is found by a beat, and ends the stream', async () => {
  const proxy = await FaultyProxy.start(market.venue.url);
  let isLost = false;
  proxy.dropMessages((text) => isLost && text.startsWith('{"channel":"spots"'));
  const client = new VenueClient({ url: proxy.url });
  await client.auth.signIn(walletFromPrivateKey(market.keys[0]!));
  const news = { spots() {}, traded() {}, holdings() {} };
  const channels = await AccountChannels.open({ client, news, after: 0 });
  assert.ok(channels.isOpen);
  isLost = true;
  await market.venue.feed([{ symbol: 'BTC', source: 'a', price: 100_001 }]);
  await waitFor(async () => !channels.isOpen || undefined);
  channels.close();
  proxy.stop();
});

test('a venue that is not there is no stream', async () => {
  const client = new VenueClient({ url: `http://127.0.0.1:${await freePort()}` });
  const news = { spots() {}, traded() {}, holdings() {} };
  await assert.rejects(AccountChannels.open({ client, news, after: 0 }), VenueUnreachableError);
});

test('MM-6: a venue that has been silent for 5 s is lost, before its connection is', async (t) => {
  const { channels } = await open((await market.taker.account.fills({ limit: 1 }))[0]?.id);
  const nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs + 5_000);
  const wasOpen = channels.isOpen;
  t.mock.restoreAll();
  assert.deepEqual([wasOpen, channels.isOpen], [false, true]);
  channels.close();
});
