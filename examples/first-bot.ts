/**
 * A first bot on the paper exchange: keeps a bid of its own on top of one call's book for five rounds, then cancels it.
 *
 *   node_modules/.bin/node examples/first-bot.ts
 */

import { pause, randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';

const [ROUNDS, QTY] = [5, 0.1];
const venue = new VenueClient({ url: process.argv[2] ?? 'http://127.0.0.1:8080' });
await venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
const seriesId = await callAtTheMoney('BTC');
try {
  for (let round = 1; round <= ROUNDS; round++) {
    await quote();
    await pause(1_000);
  }
} finally {
  const { pulled } = await venue.orders.cancel(['BTC']);
  console.log(`cancelled ${pulled}; cash ${(await venue.account.me()).cash}`);
}

/** Replaces the bid by one a cent above everybody else's. */
async function quote(): Promise<void> {
  await venue.orders.cancel(['BTC']);
  const [best] = (await venue.market.book(seriesId)).bids;
  if (best === undefined) return;
  const price = Math.round((best.price + 0.01) * 100) / 100;
  const { status } = await venue.orders.place({ seriesId, side: 'buy', qty: QTY, price });
  console.log(`bid ${price} for ${QTY} ${seriesId}: ${status}`);
}

/** The call of the second expiry with the strike next to the spot. */
async function callAtTheMoney(symbol: string): Promise<string> {
  const expiries = new Set((await venue.market.series(symbol)).map(({ expiryTs }) => expiryTs));
  const expiryTs = [...expiries].sort((a, b) => a - b)[1];
  if (expiryTs === undefined) throw new Error('nothing is listed yet; try again in some seconds');
  const { rows, spot } = await venue.market.chain(symbol, expiryTs);
  const calls = rows.flatMap(({ strike, call }) => (call ? [{ strike, seriesId: call.seriesId }] : []));
  return calls.toSorted((a, b) => Math.abs(a.strike - spot) - Math.abs(b.strike - spot))[0]!.seriesId;
}
