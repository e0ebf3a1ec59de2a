/**
 * A first trade on the paper exchange: `npm start` in one terminal, this in another.
 *
 *   node_modules/.bin/node examples/first-order.ts
 */

import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';

const venue = new VenueClient({ url: process.argv[2] ?? 'http://127.0.0.1:8080' });
const wallet = walletFromPrivateKey(randomPrivateKey());
await venue.auth.approveSession(wallet);
console.log(`${wallet.address} trades with ${(await venue.account.me()).cash} of paper cash`);

const cheapest = await cheapestCall('BTC');
if (cheapest === null) {
  console.error('no quotes stand yet; try again in some seconds');
  process.exit(1);
}
const order = await venue.orders.place({ seriesId: cheapest, side: 'buy', qty: 0.1 });
console.log(`buy 0.1 ${cheapest}: ${order.status}`);
console.log((await venue.account.fills())[0]);

/** The call of the second expiry that is offered for least, or null when none is offered. */
async function cheapestCall(symbol: string): Promise<string | null> {
  const expiries = new Set((await venue.market.series(symbol)).map(({ expiryTs }) => expiryTs));
  const expiryTs = [...expiries].sort((a, b) => a - b)[1];
  if (expiryTs === undefined) return null;
  const { rows } = await venue.market.chain(symbol, expiryTs);
  const offers = rows.flatMap(({ call }) => (call?.ask ? [{ seriesId: call.seriesId, ...call.ask }] : []));
  return offers.toSorted((a, b) => a.price - b.price)[0]?.seriesId ?? null;
}
