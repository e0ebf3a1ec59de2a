/**
 * Quotes a call at the money, a step inside everybody else, and hedges the delta it is given by buying puts, or calls
 * of the next strike: `node_modules/.bin/node examples/hedged-quotes.ts [address] [symbol]`; Ctrl-C pulls the quotes.
 */

import { type Chain, pause, randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';

const [url = 'http://127.0.0.1:8080', symbol = 'BTC'] = process.argv.slice(2);
const [QTY, DELTA_MAX] = [0.05, 0.005];
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const venue = new VenueClient({ url });
await venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
await venue.orders.setMargin(true);
const expiries = new Set((await venue.market.series(symbol)).map(({ expiryTs }) => expiryTs));
const expiryTs = [...expiries].sort((a, b) => a - b)[1]!;
const opening = await venue.market.chain(symbol, expiryTs);
const at = opening.rows.findIndex(({ strike }) => strike >= opening.spot);
while (!stop.signal.aborted) {
  const chain = await venue.market.chain(symbol, expiryTs);
  await quote(chain.rows[at]!.call!.seriesId);
  await hedge(chain);
  await pause(500, stop.signal);
}
await venue.orders.cancel([symbol]);

async function quote(seriesId: string): Promise<void> {
  const { openOrders } = await venue.account.me();
  const { bids, asks } = await venue.market.book(seriesId);
  const own = (price: number) => openOrders.find((order) => order.price === price)?.remaining ?? 0;
  const others = (level: { price: number; qty: number }) => level.qty > own(level.price);
  const [bid, ask] = [bids.find(others)?.price, asks.find(others)?.price];
  if (bid === undefined || ask === undefined) return;
  const step = Math.max(0.01, (ask - bid) * 0.02);
  const [buyAt, sellAt] = [bid + step, ask - step].map((price) => Math.round(price * 100) / 100) as [
    number,
    number,
  ];
  if (own(buyAt) === QTY && own(sellAt) === QTY) return;
  await venue.orders.cancel([symbol]);
  await venue.orders.place({ seriesId, side: 'buy', qty: QTY, price: buyAt });
  await venue.orders.place({ seriesId, side: 'sell', qty: QTY, price: sellAt });
  console.log(`quotes ${seriesId} ${buyAt} / ${sellAt}`);
}

async function hedge({ rows }: Chain): Promise<void> {
  const legs = rows.flatMap(({ call, put }) => [call, put]);
  const deltaOf = (id: string) => legs.find((leg) => leg?.seriesId === id)?.delta ?? 0;
  const { positions } = await venue.account.me();
  const delta = positions.reduce((sum, { seriesId, qty }) => sum + qty * deltaOf(seriesId), 0);
  const leg = delta > 0 ? rows[at]!.put : rows[at + 1]!.call;
  if (Math.abs(delta) < DELTA_MAX || !leg?.ask || leg.delta === 0) return;
  const qty = Math.ceil(Math.abs(delta / leg.delta) * 1_000) / 1_000;
  const { status } = await venue.orders.place({ seriesId: leg.seriesId, side: 'buy', qty });
  console.log(`delta ${delta.toFixed(4)}: buys ${qty} ${leg.seriesId}, ${status}`);
}
