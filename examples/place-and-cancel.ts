/**
 * Signs in on the paper exchange, reads the market, places an order that rests, and cancels it. It stops before it signs
 * where the venue takes real money.
 *
 *   node_modules/.bin/node examples/place-and-cancel.ts
 */

import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';

const venue = new VenueClient({ url: process.argv[2] ?? 'http://127.0.0.1:8080' });
const { fundingMode } = await venue.market.health();
if (fundingMode !== 'paper') throw new Error(`funding mode ${fundingMode}: ask before trading real money`);
await venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));

const [next, later] = [...new Set((await venue.market.series('BTC')).map(({ expiryTs }) => expiryTs))].sort();
const { rows } = await venue.market.chain('BTC', later ?? next!);
const call = rows.map(({ call }) => call).find((call) => call?.bid);
if (!call?.bid) throw new Error('no quotes yet; try again in some seconds');
console.log(`${call.seriesId}: bid ${call.bid.price}, ask ${call.ask?.price}`);

const terms = {
  seriesId: call.seriesId,
  side: 'buy',
  qty: 0.1,
  price: call.bid.price,
  postOnly: true,
} as const;
const { before, after } = await venue.orders.preview(terms);
const order = await venue.orders.place(terms);
if (order.status === 'rejected') throw new Error(order.reason);
console.log(`order ${order.orderId} locks ${after.locked - before.locked} USD: ${order.status}`);

const { ok } = await venue.orders.cancelOrder(order.orderId);
console.log(ok ? 'cancelled' : 'it has left the book');
