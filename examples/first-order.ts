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

const series = await venue.market.series('BTC');
const expiryTs = Math.min(...series.map((contract) => contract.expiryTs));
const chain = await venue.market.chain('BTC', expiryTs);
const offers = chain.rows.flatMap(({ call }) =>
  call?.ask ? [{ seriesId: call.seriesId, ...call.ask }] : [],
);
const cheapest = offers.reduce((best, offer) => (offer.price < best.price ? offer : best));

const { seriesId, price } = cheapest;
const order = await venue.orders.place({ seriesId, side: 'buy', qty: 0.1, price });
console.log(`buy 0.1 ${seriesId} at ${price}: ${order.status}`);
console.log((await venue.account.fills())[0]);
