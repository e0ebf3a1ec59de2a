/** A margin call, and expiries that settle or are refused, on a clock that the chapter sets. */

import { Player } from './cast.ts';
import type { Chapter } from './chapter.ts';
import { openMarket, print, SPOT } from './market.ts';
import { send } from './scribe.ts';

const MINUTE_MS = 60_000;

/**
 * The stage on which the contract's examples are played: a node with a fixed clock and seeded randomness, or a
 * running process.
 */
export const MARGIN_CALL: Chapter = {
  title: 'a margin call',
  on: 'paper',
  needsClock: true,
  play: async (stage, scribe) => {
    const market = await openMarket(stage);
    const seriesId = market.series('C', 100_000);
    await market.quote(seriesId, [[2_400, 2]], [[2_500, 2]]);
    const bob = await Player.enter(stage, 'Bob');
    const { headers } = bob;
    await send(stage, 'POST /v1/margin', { body: { enabled: true }, headers });
    await send(stage, 'POST /v1/order', { body: { seriesId, side: 'sell', qty: 2, price: 2_400 }, headers });
    const order = (name: string, summary: string, body: object) =>
      scribe.record(stage, {
        operation: 'POST /v1/order',
        name,
        summary,
        request: { body: { seriesId, side: 'buy', ...body }, headers },
      });
    await market.quote(seriesId, [[59_000, 1]], []);
    await order('margin-call', 'Not a purchase that reduces a short', {
      side: 'sell',
      qty: 1,
      price: 60_000,
    });
    await order('cancelled', 'A market order that reduces a short, and finds no offer', { qty: 1 });
    await market.quote(seriesId, [[59_000, 1]], [[61_000, 2]]);
    await order('insufficient-cash', 'A reduction that cash does not cover', { qty: 2, price: 61_000 });
    await scribe.record(stage, {
      operation: 'GET /v1/me',
      name: 'margin-call',
      summary: 'Equity under the maintenance margin',
      request: { headers },
    });
  },
};

/** Two sources agree on BTC but not on AAPL: BTC settles, AAPL awaits review. */
export const EXPIRY: Chapter = {
  title: 'an expiry',
  on: 'paper',
  needsClock: true,
  play: async (stage, scribe) => {
    const market = await openMarket(stage);
    const expiryTs = market.expiries[0]!;
    const seriesId = market.series('C', 100_000, expiryTs);
    await market.quote(seriesId, [[400, 1]], [[500, 1]]);
    const alice = await Player.enter(stage, 'Alice');
    const { headers } = alice;
    await send(stage, 'POST /v1/order', { body: { seriesId, side: 'buy', qty: 1 }, headers });
    for (const minutes of [30, 0.5]) {
      await stage.pass(expiryTs * 1_000 - minutes * MINUTE_MS - stage.nowMs());
      await print(stage, { BTC: [SPOT.BTC + 500, SPOT.BTC + 520], AAPL: [180, 200] });
    }
    await stage.pass(MINUTE_MS);

    const read = (path: string, name: string, summary: string, query: Record<string, string> = {}) =>
      scribe.record(stage, { operation: `GET ${path}`, name, summary, request: { query } });
    await read('/v1/settlements', 'settled', 'An expiry and the averages it settled from', { symbol: 'BTC' });
    await read('/v1/settlements', 'refused', 'An expiry that waits for review', { symbol: 'AAPL' });
    await read('/v1/meta', 'pendingReview', 'Series that wait for review');
    await scribe.record(stage, {
      operation: 'GET /v1/fills',
      name: 'settlement',
      summary: 'A settlement closes the position',
      request: { headers },
    });
    const order = (name: string, summary: string, of: string) =>
      scribe.record(stage, {
        operation: 'POST /v1/order',
        name,
        summary,
        request: { body: { seriesId: of, side: 'buy', qty: 1, price: 1 }, headers },
      });
    await order('series-settled', 'A series that has settled', seriesId);
    await order('series-expired', 'A series that waits for review', `AAPL-${expiryTs}-C-190`);
  },
};
