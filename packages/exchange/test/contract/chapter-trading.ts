/** Orders, cancels, margin, and their effect on the account. */

import { type Json, Venue } from '../support.ts';
import { Player } from './cast.ts';
import type { Chapter } from './chapter.ts';
import { type Market, openMarket } from './market.ts';
import type { Scribe } from './scribe.ts';
import type { Stage } from './stage.ts';

export const TRADING: Chapter = {
  title: 'trading',
  on: 'paper',
  play: async (stage, scribe) => {
    const market = await openMarket(stage);
    await market.quote(market.series('C', 100_000), [[2_400, 2]], [[2_500, 2]]);
    const alice = await Player.enter(stage, 'Alice');
    await orders(stage, scribe, { market, alice });
    await reads(stage, scribe, alice);
    await cancels(stage, scribe, { market, alice });
    await margin(stage, scribe, { market, alice });
    await explanations(stage, scribe, { market, alice });
  },
};

interface Trading {
  readonly market: Market;
  readonly alice: Player;
}

async function orders(stage: Stage, scribe: Scribe, { market, alice }: Trading): Promise<void> {
  const seriesId = market.series('C', 100_000);
  const order = (name: string, summary: string, body: unknown, headers = {}) =>
    scribe.record(stage, { operation: 'POST /v1/order', name, summary, request: { body, headers } });
  const preview = (name: string, summary: string, body: unknown) =>
    scribe.record(stage, {
      operation: 'POST /v1/order/preview',
      name,
      summary,
      request: { body, headers: alice.headers },
    });
  await preview('filled', 'What a market order would cost', { seriesId, side: 'buy', qty: 1 });
  await preview('rejected', 'What would be declined, and why', {
    seriesId,
    side: 'sell',
    qty: 1,
    price: 2_400,
  });
  await scribe.record(stage, {
    operation: 'POST /v1/simulate',
    name: 'simulated',
    summary: 'A covered call after a fall of 10 %, with five points more of volatility',
    request: {
      body: {
        legs: [
          { seriesId, side: 'buy', qty: 2, price: 2_500 },
          { seriesId, side: 'sell', qty: 1, price: 2_600 },
        ],
        spotShift: -0.1,
        volShift: 0.05,
      },
      headers: alice.headers,
    },
  });
  await order('filled', 'A signed market order', await alice.order({ seriesId, side: 'buy', qty: 1 }));
  await order(
    'partial',
    'A signed limit order that trades in part and rests',
    await alice.order({ seriesId, side: 'buy', qty: 3, price: 2_500 }),
  );
  await order(
    'rested',
    'An unsigned order with a token, in paper mode',
    { seriesId, side: 'buy', qty: 0.1, price: 2_000.5 },
    alice.headers,
  );
  const unsigned = (name: string, summary: string, body: object) =>
    order(name, summary, { seriesId, side: 'buy', qty: 1, price: 2_000, ...body }, alice.headers);
  await unsigned('unknown-series', 'A name that nothing has', { seriesId: market.series('C', 1) });
  await unsigned('bad-qty', 'Finer than a millionth', { qty: 0.000_000_1 });
  await unsigned('bad-price', 'A limit of nothing', { price: 0 });
  await order(
    'no-liquidity',
    'A market order into an empty book',
    { seriesId: market.series('P', 100_000), side: 'buy', qty: 1 },
    alice.headers,
  );
  await unsigned('insufficient-buying-power', 'More than the account can pay', { qty: 100 });
  await unsigned('margin-is-off', 'A short in a cash account', { side: 'sell', qty: 10 });
  const signed = await alice.order({ seriesId, side: 'buy', qty: 1, price: 2_000 });
  await order('badQty', 'A quantity that no signed text can hold', { ...signed, qty: 0.000_000_1 });
  await order('badPrice', 'A price that no signed text can hold', { ...signed, price: 0.000_000_1 });
}

async function reads(stage: Stage, scribe: Scribe, { headers }: Player): Promise<void> {
  const read = (path: string, summary: string) =>
    scribe.record(stage, { operation: `GET ${path}`, name: 'found', summary, request: { headers } });
  await read('/v1/me', 'A long position and two resting orders');
  await read('/v1/fills', 'Two fills as taker');
  await read('/v1/margin', 'What two resting buys reserve');
}

async function cancels(stage: Stage, scribe: Scribe, { market, alice }: Trading): Promise<void> {
  const { headers } = alice;
  const { body: account } = await new Venue(stage.url).get('/v1/me', { headers });
  const [first] = account.openOrders as Json[];
  const one = (name: string, summary: string, body: unknown) =>
    scribe.record(stage, { operation: 'POST /v1/order/cancel', name, summary, request: { body } });
  await one('cancelled', 'One resting order', await alice.cancelOrder(first.id));
  await one('gone', 'An order that no longer rests', await alice.cancelOrder(first.id));
  const cancel = (name: string, summary: string, body: unknown, of: Record<string, string> = {}) =>
    scribe.record(stage, { operation: 'POST /v1/cancel', name, summary, request: { body, headers: of } });
  await cancel('one-symbol', 'Everything in one underlying', await alice.cancel(['BTC']));
  await cancel('all', 'Everything, of which there is nothing left', {}, headers);
  const signed = await alice.cancel(['BTC']);
  await cancel('noSymbols', 'No symbol never means all', { ...signed, symbols: [] });
  await cancel('symbolAndSymbols', 'Both fields', { ...signed, symbol: 'BTC' });
  await cancel('symbolComma', 'A comma in a symbol', { ...signed, symbols: ['BTC,AAPL'] });
  await cancel('symbolReserved', '`all` is no symbol', { ...signed, symbols: ['all'] });
  await cancel('fieldHasNewline', 'A line break in a symbol', { ...signed, symbols: ['BTC\n'] });
  const order = await alice.order({ seriesId: market.series('C', 100_000), side: 'buy', qty: 1 });
  await scribe.record(stage, {
    operation: 'POST /v1/order',
    name: 'fieldHasNewline',
    summary: 'A line break in a name',
    request: { body: { ...order, seriesId: `${order.seriesId}\n` } },
  });
}

async function margin(stage: Stage, scribe: Scribe, { market, alice }: Trading): Promise<void> {
  const venue = new Venue(stage.url);
  const { headers } = alice;
  const seriesId = market.series('P', 100_000);
  const set = (name: string, summary: string, body: unknown, of: Record<string, string> = {}) =>
    scribe.record(stage, { operation: 'POST /v1/margin', name, summary, request: { body, headers: of } });
  await set('on', 'Shorts may be opened', await alice.margin(true));
  await scribe.record(stage, {
    operation: 'POST /v1/order',
    name: 'insufficient-margin',
    summary: 'A short that the account cannot margin',
    request: { body: { seriesId, side: 'sell', qty: 100, price: 2_000 }, headers },
  });
  await venue.post('/v1/order', { seriesId, side: 'sell', qty: 1, price: 2_300 }, { headers });
  await set('marginShortExposure', 'A resting order would open a short', { enabled: false }, headers);
  await scribe.record(stage, {
    operation: 'GET /v1/margin',
    name: 'short',
    summary: 'A resting order that would open a short',
    request: { headers },
  });
  await venue.post('/v1/cancel', {}, { headers });
  await definedRisk(stage, scribe, { market, alice });
  await set('off', 'A cash account again', await alice.margin(false));
}

/** The long call covers one that is sold at a strike below its own. */
async function definedRisk(stage: Stage, scribe: Scribe, { market, alice }: Trading): Promise<void> {
  const venue = new Venue(stage.url);
  const { headers } = alice;
  const { body: listed } = await venue.get('/v1/series?symbol=BTC');
  const strikes = (listed.series as Json[]).map(({ strike }) => strike as number);
  const below = market.series('C', Math.max(...strikes.filter((strike) => strike < 100_000)));
  await scribe.record(stage, {
    operation: 'POST /v1/batch',
    name: 'defined-risk',
    summary: 'Margin for defined risk, and a call that a long one covers',
    request: {
      headers,
      body: {
        actions: [
          { type: 'margin-mode', mode: 'defined-risk' },
          { type: 'place', seriesId: below, side: 'sell', qty: 1, price: 9_000 },
        ],
      },
    },
  });
  await scribe.record(stage, {
    operation: 'GET /v1/margin',
    name: 'defined-risk',
    summary: 'Which long covers which short, and what both can lose',
    request: { headers },
  });
  await scribe.record(stage, {
    operation: 'POST /v1/batch',
    name: 'margin-mode-declined',
    summary: 'A set of quotes, which this mode bars; and back once nothing is sold',
    request: {
      headers,
      body: {
        actions: [
          { type: 'protect', set: 1, symbol: 'BTC', windowMs: 1_000, qty: 5, frozenMs: 0 },
          { type: 'cancel-all' },
          { type: 'margin-mode', mode: 'per-leg' },
        ],
      },
    },
  });
}

async function explanations(stage: Stage, scribe: Scribe, { market, alice }: Trading): Promise<void> {
  const explain = (name: string, summary: string, body: unknown) =>
    scribe.record(stage, { operation: 'POST /v1/debug/envelope', name, summary, request: { body } });
  const order = await alice.order({
    seriesId: market.series('C', 100_000),
    side: 'buy',
    qty: 1.5,
    price: 2_000,
  });
  await explain('order', 'An order', order);
  await explain('forged', 'A signature of other values', { ...order, qty: 2 });
  await explain('approval', 'An approval', await alice.approval());
  const { signature: _, ...incomplete } = order as Json;
  await explain('signatureFieldsRequired', 'No signature', incomplete);
  await explain('badQty', 'A quantity that no signed text can hold', { ...order, qty: 0.000_000_1 });
  await explain('badPrice', 'A price that no signed text can hold', { ...order, price: 0.000_000_1 });
  await explain('amountNotPositive', 'An amount that no signed text can hold', {
    ...(await alice.withdraw(1)),
    amountUsd: 0.000_000_1,
  });
  const cancel = await alice.cancel(['BTC']);
  await explain('noSymbols', 'No symbol never means all', { ...cancel, symbols: [] });
  await explain('symbolAndSymbols', 'Both fields', { ...cancel, symbol: 'BTC' });
  await explain('symbolComma', 'A comma in a symbol', { ...cancel, symbols: ['BTC,AAPL'] });
  await explain('symbolReserved', '`all` is no symbol', { ...cancel, symbols: ['all'] });
  await explain('fieldHasNewline', 'A line break in a symbol', { ...cancel, symbols: ['BTC\n'] });
  const revocation = await alice.revocation(0);
  await explain('notYourSessionKey', 'A key of somebody else', {
    ...revocation,
    address: new Player(stage, 'Mallory').account,
  });
}
