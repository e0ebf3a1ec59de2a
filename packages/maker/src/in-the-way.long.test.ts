/** Orders in the way of the maker's quotes, on the real exchange (MM-5). */

// @seconds 6

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlainOrderRecord, VenueClient } from '@venue/sdk';
import { waitFor } from '../../exchange/test/support.ts';
import { QuotedMarket, SIZE } from '../test/quoted-market.ts';

let market: QuotedMarket;

before(async () => {
  market = await QuotedMarket.open(2);
});

beforeEach(() => market.print());

after(() => market.close());

const askOf = () => market.ask();

/** Series with quotes of both sides, the nearest to the money first. */
async function quotedSeries(count: number) {
  const { rows } = await market.taker.market.chain('BTC', market.expiryTs);
  const legs = rows.flatMap(({ call, put }) => [call, put]).filter((leg) => leg !== null);
  const quoted = legs
    .filter(({ ask, bid }) => ask !== null && bid !== null)
    .toSorted((a, b) => Math.abs(Math.abs(a.delta) - 0.5) - Math.abs(Math.abs(b.delta) - 0.5))
    .slice(0, count)
    .map(({ seriesId, ask }) => ({ seriesId, ask: ask!.price }));
  return quoted.length === count ? quoted : undefined;
}

/** Ends the maker's set, and has bids above its asks stand before it quotes again. Resolves with their ids. */
async function bidBefore(client: VenueClient, qty: number, asks: { seriesId: string; ask: number }[]) {
  await market.maker.quotes.end((await market.ownSet())!.set);
  const orders = asks.map(({ seriesId, ask }) => {
    const price = Math.ceil(ask * 1.05 * 100) / 100;
    return { type: 'place' as const, side: 'buy' as const, seriesId, qty, price };
  });
  const { results } = await client.orders.batch(orders);
  return results.map(({ orderId }) => orderId);
}

async function makersOrders(afterId: number) {
  const { orders } = await market.maker.orders.list({ status: 'closed', limit: 500 });
  return orders.filter((order) => order.id > afterId && 'side' in order) as PlainOrderRecord[];
}

test("MM-5: a stranger's ask below the value is bought from, and both sides then stand", async (t) => {
  const { end, lines } = market.run(t);
  await waitFor(askOf);
  const orderId = await market.restBeyond('sell', 2.5);
  await waitFor(() => market.isClear());
  assert.equal((await market.taker.orders.find({ orderId })).status, 'filled');
  assert.doesNotMatch(lines.join('\n'), /cannot quote/);
  await end();
});

test('MM-5: two makers go for one order, none sells more than there is, and both quote on', async (t) => {
  const makers = [market.run(t), market.run(t, { walletKey: market.keys[1]! })];
  for (const { lines } of makers) await waitFor(async () => lines.find((line) => /quotes stand/.test(line)));
  const orderId = await market.restBeyond('buy', 8.5);
  await waitFor(() => market.isClear());
  assert.equal((await market.taker.orders.find({ orderId })).status, 'filled');
  await market.maker.quotes.end((await market.ownSet())!.set);
  await waitFor(async () => ((await market.ownSet())?.quotes ? true : undefined));
  for (const { lines, end } of makers) {
    assert.doesNotMatch(lines.join('\n'), /cannot quote/);
    await end();
  }
});

test('MM-5: dust in many series costs an order a side of each, and every ask then stands', async (t) => {
  const { end, lines } = market.run(t);
  const quoted = (await waitFor(() => quotedSeries(30)))!;
  const ids = await bidBefore(market.taker, 0.0001, quoted);
  await waitFor(() => market.isClear());
  const sent = await makersOrders(Math.max(...ids));
  assert.ok(sent.length <= 2 * ids.length, `${sent.length} orders`);
  for (const { seriesId } of quoted)
    await waitFor(async () => (await market.taker.market.book(seriesId)).asks[0]);
  assert.doesNotMatch(lines.join('\n'), /cannot quote/);
  await end();
});

test('MM-5, STP-1: an order of its own account in the way stays, and is tried once in 10 s', async (t) => {
  const { end, lines } = market.run(t);
  const ask = (await waitFor(askOf)).price;
  const [own] = await bidBefore(market.maker, SIZE, [{ seriesId: market.atTheMoney, ask }]);
  await waitFor(async () => ((await makersOrders(own!)).length > 0 ? true : undefined));
  await sleep(500);
  const sent = await makersOrders(own!);
  assert.deepEqual(sent.map(({ side, status, filledQty }) => [side, status, filledQty]).toSorted(), [
    ['buy', 'cancelled', 0],
    ['sell', 'cancelled', 0],
  ]);
  assert.ok((await market.maker.account.me()).openOrders.some(({ id }) => id === own));
  assert.doesNotMatch(lines.join('\n'), /cannot quote/);
  await end();
});
