/** Pages of fills and statements, and a venue that keeps no history. */

import { Player } from './cast.ts';
import type { Chapter } from './chapter.ts';
import { openMarket } from './market.ts';
import { type Mask, send } from './scribe.ts';

/** Entry numbers depend on how many maintenance ticks came in between. */
function rowIds(): Mask {
  const seen = new Map<string, number>();
  const masked = (seq: string) => {
    if (!seen.has(seq)) seen.set(seq, 101 + seen.size);
    return seen.get(seq);
  };
  return {
    what: 'ids of rows',
    apply: (text) =>
      text
        .replaceAll(/"(id|next)":"(\d+)-(\d+)"/g, (_, field, seq, n) => `"${field}":"${masked(seq)}-${n}"`)
        .replaceAll(/^(\d+)-(\d+),/gm, (_, seq, n) => `${masked(seq)}-${n},`),
  };
}

const HOUR_MS = 3_600_000;

export const STATEMENT: Chapter = {
  title: 'fills and statements',
  on: 'paper',
  play: async (stage, scribe) => {
    const market = await openMarket(stage);
    const seriesId = market.series('C', 100_000);
    await market.quote(seriesId, [[2_400, 1]], [[2_500, 1]]);
    const alice = await Player.enter(stage, 'Alice');
    const { headers } = alice;
    for (const side of ['buy', 'sell'] as const)
      await send(stage, 'POST /v1/order', { body: { seriesId, side, qty: 1 }, headers });

    const fills = (name: string, summary: string, query: Record<string, string>) =>
      scribe.record(stage, { operation: 'GET /v1/fills', name, summary, request: { query, headers } });
    const { before } = await fills('newest', 'The newest fill, with older ones after it', { limit: '1' });
    await fills('older', 'What is older than a fill', { before: String(before) });

    await stage.pass(HOUR_MS);
    const equity = { operation: 'GET /v1/equity', name: 'found', summary: 'The hour that began' };
    await scribe.record(stage, { ...equity, request: { headers } });

    const statement = (name: string, summary: string, query: Record<string, string>) =>
      scribe.record(stage, {
        operation: 'GET /v1/statement',
        name,
        summary,
        request: { query, headers },
        mask: rowIds(),
      });
    await statement('found', 'A purchase and a sale, from the beginning', {});
    await statement('page', 'The first row, with more after it', { limit: '1' });
    await statement('csv', 'The same as a table', { format: 'csv' });
  },
};

const FILLS_KEPT = 500;

export const NO_HISTORY: Chapter = {
  title: 'a venue that keeps no history',
  on: 'no history',
  play: async (stage, scribe) => {
    const market = await openMarket(stage);
    const seriesId = market.series('C', 100_000);
    const alice = await Player.enter(stage, 'Alice');
    const { headers } = alice;
    const order = (side: 'buy' | 'sell', qty: number) =>
      send(stage, 'POST /v1/order', { body: { seriesId, side, qty, price: 1 }, headers });
    await send(stage, 'POST /v1/margin', { body: { enabled: true }, headers });
    // An order that fills many gives a fill for each, and as many to the other side, which is hers too (ORD-7).
    for (let i = 0; i < FILLS_KEPT / 2; i++) await order('sell', 0.001);
    await order('buy', 0.25);
    const { fills } = (await send(stage, 'GET /v1/fills', { headers })).answer as { fills: { id: number }[] };
    const before = String(fills.at(-1)!.id);
    const unavailable = (operation: string, query: Record<string, string>, params?: Record<string, string>) =>
      scribe.record(stage, {
        operation,
        name: 'historyUnavailable',
        summary: 'The venue keeps no history, or it is not at hand',
        request: { query, headers, ...(params && { params }) },
      });
    await unavailable('GET /v1/statement', {});
    await unavailable('GET /v1/equity', {});
    await unavailable('GET /v1/iv', { symbol: 'BTC', expiryTs: '1' });
    await unavailable('GET /v1/volatility', { symbol: 'BTC' });
    await unavailable('GET /v1/fills', { before });
    await unavailable('GET /v1/trades', { symbol: 'BTC' });
    await unavailable('GET /v1/candles', { of: 'spot:BTC', interval: '1h' });
    await unavailable('GET /v1/orders', {});
    await unavailable('GET /v1/orders/{orderId}', {}, { orderId: '1' });
    await unavailable('GET /v1/orders/client/{clientId}', {}, { clientId: 'hedge-1' });
  },
};
