/** The makers of `venue up`, as processes, against a stranger. */

// @seconds 12

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { randomPrivateKey, VenueClient, walletFromPrivateKey } from '@venue/sdk';
import { eventually, Launched, QUOTES_STAND, SMALL_MARKET } from '../e2e/launched.ts';

const folder = mkdtempSync(join(tmpdir(), 'venue-makers-'));
let up: Launched;
let client: VenueClient;

before(async () => {
  const env = { VENUE_PORT: '0', VENUE_LOG: `sqlite:${join(folder, 'venue.db')}`, ...SMALL_MARKET };
  up = new Launched(['up'], { env });
  const [, url] = await up.says(/exchange listening on (\S+)/);
  await up.says(QUOTES_STAND);
  client = new VenueClient({ url: url! });
  await client.auth.approveSession(walletFromPrivateKey(randomPrivateKey()));
});

after(() => {
  up?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** A series of which both sides are quoted, and cheap enough to buy everything that is offered. */
async function quoted(): Promise<{ seriesId: string; ask: number; offered: number }> {
  const [, expiryTs] = /expiryTs=(\d+)/.exec(up.output)!;
  return eventually('both sides of a cheap call', async () => {
    const { rows } = await client.market.chain('BTC', Number(expiryTs));
    const leg = rows
      .map(({ call }) => call)
      .find((call) => call?.bid && call.ask && call.delta > 0.05 && call.delta < 0.3);
    if (!leg) return undefined;
    const { asks } = await client.market.book(leg.seriesId);
    return {
      seriesId: leg.seriesId,
      ask: asks[0]!.price,
      offered: asks.reduce((sum, { qty }) => sum + qty, 0),
    };
  });
}

test("MM-5: a stranger's bid far above the value is sold to until it is gone, and both sides stand", async () => {
  const { seriesId, ask, offered } = await quoted();
  const order = { seriesId, side: 'buy', price: Math.round(ask * 150) / 100 } as const;
  const { orderId } = await client.orders.place({ ...order, qty: Math.round(offered * 1e6) / 1e6 + 0.5 });
  await eventually('the order is filled', async () => {
    const { status } = await client.orders.find({ orderId });
    return status === 'filled' ? true : undefined;
  });
  await eventually('both sides', async () => {
    const { bids, asks } = await client.market.book(seriesId);
    return bids.length > 0 && asks.length > 0 ? true : undefined;
  });
  assert.doesNotMatch(up.output, /cannot quote/);
});
