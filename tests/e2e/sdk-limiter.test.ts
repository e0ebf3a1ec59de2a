/** Calls that a client with a limiter may still make while its orders wait their turn (HTTP-10). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimitedError, randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { pricedVenue } from '../../packages/exchange/test/support.ts';
import { limiterOf } from '../../packages/sdk/src/net/limiter.ts';

const EDGE = 'https://edge.invalid';

test('HTTP-10: cancels and guards do not wait behind the orders that a client has queued', async (t) => {
  const venue = await pricedVenue();
  t.after(() => venue.exchange.stop());
  const { seriesId } = await venue.listed('BTC');
  const direct: typeof fetch = (url, init) => fetch(String(url).replace(EDGE, venue.url), init);
  const { orders, auth } = new VenueClient({ url: EDGE, fetch: direct });
  await auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
  const order = { type: 'place', seriesId, side: 'buy', qty: 1, price: 900 } as const;
  const { results } = await orders.batch([order, order]);

  const stop = new AbortController();
  const waiting = { limitMs: 600_000, signal: stop.signal };
  // All of the burst, and a minute of those that wait.
  for (let i = 0; i < 570; i++)
    limiterOf(EDGE)
      .admit('/v1/batch', waiting)
      .catch(() => null);
  const bounds = { timeoutMs: 20_000 };
  await assert.rejects(orders.batch([order], bounds), RateLimitedError);
  await assert.rejects(orders.amend({ orderId: results[0].orderId, qty: 2 }, bounds), RateLimitedError);
  await assert.rejects(orders.batch([{ type: 'cancel-all' }, order], bounds), RateLimitedError);

  await (await orders.guard(60_000)).stop();
  assert.equal((await orders.cancel({ orderId: results[0].orderId }, bounds)).ok, true);
  assert.equal((await orders.cancelAll({}, bounds)).pulled, 1);
  stop.abort();
});
