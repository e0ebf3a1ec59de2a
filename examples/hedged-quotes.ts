/**
 * Quotes a call at the money, a step inside everybody else, and hedges the delta it is given by buying puts, or calls of
 * the next strike: `node_modules/.bin/node examples/hedged-quotes.ts [address] [symbol]`. Both quotes are replaced under
 * one signature; the guard takes them off the book soon after this process, or its line, is dead.
 */

import * as sdk from '@venue/sdk';

const [url = 'http://127.0.0.1:8080', symbol = 'BTC'] = process.argv.slice(2);
const [QTY, DELTA_MAX, GUARD_MS] = [0.05, 0.005, 15_000];
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

const venue = new sdk.VenueClient({ url });
await venue.auth.approveSession(sdk.walletFromPrivateKey(sdk.randomPrivateKey()));
await venue.orders.setMargin(true);
const guard = await venue.orders.guard(GUARD_MS, {
  onFailure: ({ error, leftMs }) => console.error(`${error.message}: all orders leave in ${leftMs} ms`),
});
const expiries = new Set((await venue.market.series(symbol)).map(({ expiryTs }) => expiryTs));
const opening = await venue.market.chain(symbol, [...expiries].sort((a, b) => a - b)[1]!);
const at = opening.rows.findIndex(({ strike }) => strike >= opening.spot);
try {
  for (; !stop.signal.aborted; await sdk.pause(500, stop.signal)) {
    try {
      const chain = await venue.market.chain(symbol, opening.expiryTs);
      await quote(chain.rows[at]!.call!.seriesId);
      await hedge(chain);
    } catch (error) {
      // After a 429 nothing was carried out, and the next round reads again what stands.
      if (!(error instanceof sdk.RateLimitedError)) throw error;
      await sdk.pause(error.retryAfterMs ?? 500, stop.signal);
    }
  }
} finally {
  // Until there is an answer: to cancel twice does no harm.
  while (!(await venue.orders.cancelAll().catch(console.error))) await sdk.pause(1_000);
  await guard.remove();
}

async function quote(seriesId: string): Promise<void> {
  const [account, { bids, asks }] = await Promise.all([venue.account.me(), venue.market.book(seriesId)]);
  const own = (price: number) => account.openOrders.find((order) => order.price === price)?.remaining ?? 0;
  const [bid, ask] = [bids, asks].map((levels) => levels.find(({ price, qty }) => qty > own(price))?.price);
  if (bid === undefined || ask === undefined) return;
  const step = Math.max(0.01, (ask - bid) * 0.02);
  const [buyAt, sellAt] = [Math.round((bid + step) * 100) / 100, Math.round((ask - step) * 100) / 100];
  if (own(buyAt) === QTY && own(sellAt) === QTY) return;
  const at = (side: 'buy' | 'sell', price: number) =>
    ({ type: 'place', seriesId, side, qty: QTY, price, postOnly: true }) as const;
  const { results } = await venue.orders.batch([
    { type: 'cancel-all', symbols: [symbol] },
    at('buy', buyAt),
    at('sell', sellAt),
  ]);
  if (results.some((result) => 'reason' in result)) return;
  console.log(`quotes ${seriesId} ${buyAt} / ${sellAt}`);
}

async function hedge({ rows }: sdk.Chain): Promise<void> {
  const deltas = new Map(rows.flatMap(({ call, put }) => [call, put]).map((l) => [l?.seriesId, l?.delta]));
  const { positions } = await venue.account.me();
  const delta = positions.reduce((sum, { seriesId, qty }) => sum + qty * (deltas.get(seriesId) ?? 0), 0);
  const leg = delta > 0 ? rows[at]!.put : rows[at + 1]!.call;
  if (Math.abs(delta) < DELTA_MAX || !leg?.ask || leg.delta === 0) return;
  const qty = Math.ceil(Math.abs(delta / leg.delta) * 1_000) / 1_000;
  const terms = { seriesId: leg.seriesId, qty, price: leg.ask.price, tif: 'ioc' } as const;
  const { status } = await venue.orders.place({ ...terms, side: 'buy' });
  console.log(`delta ${delta.toFixed(4)}: buys ${qty} ${leg.seriesId}, ${status}`);
}
