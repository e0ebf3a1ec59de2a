/** Looking up orders, open and closed. */

import { Player } from './cast.ts';
import type { Chapter } from './chapter.ts';
import { openMarket } from './market.ts';
import { send } from './scribe.ts';

const UNKNOWN = 999_999_999;

export const ORDERS: Chapter = {
  title: 'orders, open and closed',
  on: 'paper',
  play: async (stage, scribe) => {
    const market = await openMarket(stage);
    const seriesId = market.series('C', 100_000);
    await market.quote(seriesId, [[2_400, 1]], [[2_500, 1]]);
    const alice = await Player.enter(stage, 'Alice');
    const { headers } = alice;
    const order = async (terms: object): Promise<string> => {
      const body = { seriesId, side: 'buy', ...terms };
      const { answer } = await send(stage, 'POST /v1/order', { body, headers });
      return String((answer as { orderId: number }).orderId);
    };
    await order({ qty: 3 });
    const open = await order({ qty: 1.5, price: 2_300 });
    const cancelled = await order({ qty: 1, price: 2_200.5 });
    await send(stage, 'POST /v1/order/cancel', { body: { orderId: Number(cancelled) }, headers });

    const list = (name: string, summary: string, query: Record<string, string>) =>
      scribe.record(stage, { operation: 'GET /v1/orders', name, summary, request: { query, headers } });
    const { before } = await list('newest', 'The newest two, with older ones before them', { limit: '2' });
    await list('older', 'A market order that filled in part', { before: String(before) });
    await list('open', 'What still rests', { status: 'open', symbol: 'BTC' });
    await list('unknownSymbol', 'An underlying that nothing has', { symbol: 'NOPE' });

    const one = (name: string, summary: string, orderId: string) =>
      scribe.record(stage, {
        operation: 'GET /v1/orders/{orderId}',
        name,
        summary,
        request: { params: { orderId }, headers },
      });
    const byClientId = (name: string, summary: string, clientId: string) =>
      scribe.record(stage, {
        operation: 'GET /v1/orders/client/{clientId}',
        name,
        summary,
        request: { params: { clientId }, headers },
      });
    const terms = { price: 2_100, tif: 'gtd', expiresAt: stage.nowMs() + 60_000, clientId: 'hedge-1' };
    const place = { type: 'place', seriesId, side: 'buy', qty: 1, postOnly: true, ...terms };
    const batch = (name: string, summary: string, actions: readonly unknown[]) =>
      scribe.record(stage, {
        operation: 'POST /v1/batch',
        name,
        summary,
        request: { body: { actions }, headers },
      });
    const other = market.series('C', 101_000);
    await market.quote(other, [[1_900, 1]], [[2_000, 1]]);
    const legs = [
      { seriesId, side: 'buy', ratio: 1 },
      { seriesId: other, side: 'sell', ratio: 1 },
    ];
    const hedge = { type: 'place', seriesId, side: 'sell', qty: 1, price: 2_600 };
    const amend = { type: 'amend', clientId: 'hedge-1', price: 2_050, filledAtMost: 0 };
    const guard = { type: 'guard', ms: 30_000 };
    await batch('carriedOut', 'An order for a minute, one that is declined, an amend and a guard', [
      place,
      { ...hedge, qty: 100 },
      amend,
      guard,
    ]);
    await market.quote(seriesId, [[2_400, 1]], [[2_500, 1]]);
    await send(stage, 'POST /v1/margin', { body: { enabled: true }, headers });
    await batch('combo', 'A spread at one net price, its legs all at once or not at all', [
      { type: 'combo', legs, qty: 0.5, net: 600 },
      { type: 'combo', legs, qty: 5, net: 500, tif: 'fok', clientId: 'spread-1' },
    ]);
    await scribe.record(stage, {
      operation: 'POST /v1/order/preview',
      name: 'combo',
      summary: 'What a spread would cost',
      request: { body: { type: 'combo', legs, qty: 0.1, net: 600 }, headers },
    });
    await list('closed', 'A combo has legs and a net', { status: 'closed', limit: '1' });
    await batch('tooManyActions', 'More actions than one signature carries', Array(65).fill(guard));
    await byClientId('open', 'An order by the id that its client gave it', 'hedge-1');
    await byClientId('unknownOrder', 'A client id that the account has no order with', 'hedge-2');
    await one('open', 'An order that rests', open);
    await one('cancelled', 'An order that its owner took back', cancelled);
    await one('unknownOrder', 'An id that the account has no order with', String(UNKNOWN));
  },
};
