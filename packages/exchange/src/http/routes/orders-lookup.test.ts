import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OrderListSchema, OrderRecordSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { ExpiringVenue } from '../../../test/expiring.ts';
import {
  type Json,
  type LocalVenue,
  pricedVenue,
  signIn,
  startVenue,
  type Trader,
  waitFor,
} from '../../../test/support.ts';

const listShape = Compile(OrderListSchema);
const orderShape = Compile(OrderRecordSchema);
const MINUTE_MS = 60_000;

describe('an order that closed', () => {
  let expiring: ExpiringVenue;
  let seriesId: string;
  let alice: Trader;
  let bob: Trader;
  /** Minutes to the expiry, by the venue's clock. */
  let minutes = 39;

  before(async () => {
    expiring = await ExpiringVenue.start();
    seriesId = expiring.series('C', 100_000);
    ({ alice, bob } = await expiring.trade());
  });
  after(() => expiring.stop());

  const order = async (body: object, trader: Trader): Promise<number> =>
    (await expiring.venue.post('/v1/order', { seriesId, ...body }, trader)).body.orderId;
  const batch = async (actions: object[], trader: Trader): Promise<number[]> => {
    const { status, body } = await expiring.venue.post('/v1/batch', { actions }, trader);
    assert.equal(status, 200, JSON.stringify(body));
    return body.results.map(({ orderId }: Json) => orderId);
  };
  const place = (more: object = {}) => ({ type: 'place', seriesId, side: 'buy', qty: 1, price: 1, ...more });
  const look = async (id: number, trader: Trader): Promise<Json> => {
    const { status, body } = await expiring.venue.get(`/v1/orders/${id}`, trader);
    assert.equal(status, 200);
    assert.ok(orderShape.Check(body), JSON.stringify(body));
    return body;
  };
  const endOf = async (id: number, trader: Trader): Promise<unknown[]> => {
    const { status, cause, qty, filledQty, remaining, closedAt, ts } = await look(id, trader);
    assert.ok(closedAt >= ts);
    return [status, cause, qty, filledQty, remaining];
  };
  /** Lets time pass until a maintenance tick has closed the order. */
  const closedInTime = (id: number, trader: Trader): Promise<Json> =>
    waitFor(async () => {
      minutes -= 0.02;
      expiring.toBeforeExpiry(minutes * MINUTE_MS);
      const found = await look(id, trader);
      return found.cause === null ? undefined : found;
    });

  it('has the cause `filled`, with the average of its fills (CID-2)', async () => {
    await order({ side: 'sell', qty: 0.1, price: 2_000 }, alice);
    await order({ side: 'sell', qty: 0.3, price: 2_001 }, alice);
    const id = await order({ side: 'buy', qty: 0.3, price: 2_010 }, bob);
    assert.deepEqual(await endOf(id, bob), ['filled', 'filled', 0.3, 0.3, 0]);
    assert.equal((await look(id, bob)).avgPrice, 2_000.666666);
    const [resting] = (await expiring.venue.get('/v1/orders?status=open', alice)).body.orders;
    assert.deepEqual([resting.remaining, resting.filledQty, resting.avgPrice], [0.1, 0.2, 2_001]);
    assert.deepEqual([resting.status, resting.cause, resting.closedAt], ['open', null, null]);
  });

  it('has the cause `ioc` where what was left of it did not trade, with a market price or without (DET-4)', async () => {
    const id = await order({ side: 'buy', qty: 2 }, bob);
    assert.deepEqual(await endOf(id, bob), ['cancelled', 'ioc', 2, 0.1, 0]);
    assert.deepEqual([(await look(id, bob)).tif, (await look(id, bob)).price], ['ioc', null]);
    const [untraded] = await batch([place({ tif: 'ioc' })], bob);
    assert.deepEqual(await endOf(untraded!, bob), ['cancelled', 'ioc', 1, 0, 0]);
  });

  it('has the cause `user` after each way to take it back (CID-2)', async () => {
    const one = await order({ side: 'buy', qty: 1, price: 1 }, bob);
    await expiring.venue.post('/v1/order/cancel', { orderId: one }, bob);
    const all = await order({ side: 'buy', qty: 1, price: 1 }, bob);
    await expiring.venue.post('/v1/cancel', {}, bob);
    const [amended, named] = await batch(
      [
        place({ clientId: 'down' }),
        place({ clientId: 'gone' }),
        { type: 'amend', clientId: 'down', qty: 0 },
        { type: 'cancel', clientId: 'gone' },
      ],
      bob,
    );
    for (const id of [one, all, amended!, named!])
      assert.deepEqual(await endOf(id, bob), ['cancelled', 'user', 1, 0, 0]);
  });

  it('has the cause `stp` where it met one of its own account (STP-1)', async () => {
    const [resting, taker] = await batch(
      [place({ side: 'sell', price: 3_000 }), place({ price: 3_000, stp: 'taker' })],
      bob,
    );
    assert.deepEqual(await endOf(taker!, bob), ['cancelled', 'stp', 1, 0, 0]);
    await batch([place({ price: 3_000, stp: 'both' })], bob);
    assert.deepEqual(await endOf(resting!, bob), ['cancelled', 'stp', 1, 0, 0]);
  });

  it('has the cause `gtd` and is expired by the entry that finds it due (DUE-1)', async () => {
    const expiresAt = expiring.expiryTs * 1_000 - minutes * MINUTE_MS + 2_000;
    const [id] = await batch([place({ tif: 'gtd', expiresAt })], bob);
    const { status, cause, closedAt, ...rest } = await closedInTime(id!, bob);
    assert.deepEqual([status, cause, rest.tif, rest.expiresAt], ['expired', 'gtd', 'gtd', expiresAt]);
    assert.ok(closedAt >= expiresAt, `${closedAt} ${expiresAt}`);
  });

  it('has the cause `guard` when the guard of its account came due (GRD-1)', async () => {
    const [id] = await batch([place(), { type: 'guard', ms: 5_000 }], bob);
    const { status, cause } = await closedInTime(id!, bob);
    assert.deepEqual([status, cause], ['cancelled', 'guard']);
  });

  it('has the cause `liquidation` when the account was in margin call (LIQ-2)', async () => {
    const carol = await signIn(expiring.venue);
    const { sid } = (await expiring.venue.get('/v1/series?symbol=BTC')).body.series.find(
      (row: Json) => row.seriesId === seriesId,
    );
    const quote = (bid: number) => expiring.venue.quote({ rows: [[sid, [[bid, 2]], [], 0.5, 0.5]] });
    await expiring.venue.post('/v1/margin', { enabled: true }, carol);
    const rests = await order({ side: 'buy', qty: 1, price: 1 }, carol);
    await quote(2_400);
    const sold = await order({ side: 'sell', qty: 2, price: 2_400 }, carol);
    assert.deepEqual(await endOf(sold, carol), ['filled', 'filled', 2, 2, 0]);
    await waitFor(async () => {
      minutes -= 0.02;
      expiring.toBeforeExpiry(minutes * MINUTE_MS);
      await expiring.print({ a: 100_000, b: 100_000 });
      // The venue's time runs ahead of its ticks: a single push could be pulled as too old before two of them saw it.
      await quote(59_000);
      return (await look(rests, carol)).cause ?? undefined;
    });
    assert.deepEqual(await endOf(rests, carol), ['cancelled', 'liquidation', 1, 0, 0]);
    const { orders } = (await expiring.venue.get('/v1/orders', carol)).body;
    assert.deepEqual(
      orders.map(({ id }: Json) => id),
      [sold, rests],
      'a buy-back is no order of the account',
    );
  });

  it('has the cause `settlement` at the expiry of its series, and all of it is the same after a replay (DET-4)', async () => {
    const id = await order({ side: 'buy', qty: 1, price: 1 }, bob);
    await expiring.expireAt({ a: 101_000, b: 101_010 });
    assert.deepEqual(await endOf(id, bob), ['cancelled', 'settlement', 1, 0, 0]);
    const list = async () => {
      const trader = await signIn(expiring.venue, bob.wallet);
      return JSON.stringify((await expiring.venue.get('/v1/orders?limit=500', trader)).body);
    };
    const before = await list();
    // The history of this venue is in memory: the replay rebuilds it.
    await expiring.restart();
    assert.equal(await list(), before);
    assert.ok(new Set(JSON.parse(before).orders.map(({ cause }: Json) => cause)).size >= 6, before);
  });
});

describe('the orders of an account', () => {
  const BATCHES = 50;
  let venue: LocalVenue;
  let alice: Trader;
  let bob: Trader;
  let seriesId: string;
  const placed: number[] = [];

  before(async () => {
    venue = await pricedVenue();
    alice = await signIn(venue);
    bob = await signIn(venue);
    ({ seriesId } = await venue.listed('BTC'));
    for (let at = 0; at < BATCHES; at++) {
      const actions = Array.from({ length: 64 }, (_, i) => ({
        ...{ type: 'place', seriesId, side: 'buy', qty: 0.001, price: 1 + i, clientId: `c${i}` },
        ...(at < BATCHES - 1 && { tif: 'ioc' }),
      }));
      // The client ids of the batch before are still known.
      const unnamed = actions.map(({ clientId, ...action }) => action);
      const { body } = await venue.post('/v1/batch', { actions: at === 0 ? actions : unnamed }, alice);
      placed.push(...body.results.map(({ orderId }: Json) => orderId));
    }
  });
  after(() => venue.exchange.stop());

  const paged = async (query: string, trader = alice): Promise<Json[]> => {
    const all: Json[] = [];
    for (let before = ''; ; ) {
      const { status, body } = await venue.get(`/v1/orders?${query}${before}`, trader);
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(listShape.Check(body), JSON.stringify(listShape.Errors(body)));
      all.push(...body.orders);
      if (body.before === undefined) return all;
      before = `&before=${body.before}`;
    }
  };

  it('are paged back to its first, over thousands, newest first (CID-2)', async () => {
    assert.equal(placed.length, BATCHES * 64);
    for (const limit of [500, 77])
      assert.deepEqual(
        (await paged(`limit=${limit}`)).map(({ id }) => id),
        placed.toReversed(),
      );
  });

  it('are 100 without a limit, of both states without a status (DET-4)', async () => {
    const { body } = await venue.get('/v1/orders', alice);
    assert.deepEqual([body.orders.length, body.before], [100, body.orders.at(-1).id]);
    const states = new Set(body.orders.map(({ status }: Json) => status));
    assert.deepEqual(states, new Set(['open', 'cancelled']));
    assert.equal((await paged('status=open')).length, 64);
    assert.equal((await paged('status=closed&limit=500')).length, placed.length - 64);
    assert.equal((await paged('symbol=btc&limit=500')).length, placed.length);
  });

  it('are found by the id of the venue or the client, at once and by their account alone (CID-2)', async () => {
    const { body } = await venue.post(
      '/v1/batch',
      { actions: [{ type: 'place', seriesId, side: 'buy', qty: 0.5, price: 2, clientId: 'A-1_b' }] },
      alice,
    );
    const [{ orderId }] = body.results;
    const found = await venue.get('/v1/orders/client/A-1_b', alice);
    assert.deepEqual([found.status, found.body.id, found.body.clientId], [200, orderId, 'A-1_b']);
    assert.deepEqual((await venue.get(`/v1/orders/${orderId}`, alice)).body, found.body);
    assert.deepEqual((await venue.get('/v1/orders?limit=1', alice)).body.orders, [found.body]);
    for (const path of [`/v1/orders/${orderId}`, '/v1/orders/client/A-1_b']) {
      const { status, body: answer } = await venue.get(path, bob);
      assert.deepEqual([status, answer], [404, { error: 'unknown order' }]);
    }
    assert.deepEqual((await venue.get('/v1/orders', bob)).body, { orders: [] });
  });

  it('that nobody has are unknown, whatever is asked for (CID-2)', async () => {
    for (const id of [
      '0',
      '-1',
      '1.5',
      'abc',
      '1e3',
      '999999999',
      '9007199254740993',
      'client',
      '%20',
      '1'.repeat(99),
    ]) {
      const { status, body } = await venue.get(`/v1/orders/${id}`, alice);
      assert.deepEqual([status, body], [404, { error: 'unknown order' }], id);
    }
    for (const id of ['nobody', '-', 'a%2Cb', 'ä', 'a'.repeat(37)]) {
      const { status, body } = await venue.get(`/v1/orders/client/${id}`, alice);
      assert.deepEqual([status, body], [404, { error: 'unknown order' }], id);
    }
  });

  it('are refused for an invalid query, which is named, and without a token', async () => {
    for (const [query, error] of [
      ['?limit=0', 'limit malformed'],
      ['?limit=501', 'limit malformed'],
      ['?before=-1', 'before malformed'],
      ['?before=x', 'before malformed'],
      ['?status=filled', 'status must be open or closed'],
      ['?symbol=A&symbol=B', 'symbol must be a string'],
    ]) {
      const { status, body } = await venue.get(`/v1/orders${query}`, alice);
      assert.deepEqual([status, body], [400, { error }]);
    }
    assert.equal((await venue.get('/v1/orders?symbol=NOPE', alice)).status, 404);
    for (const path of ['/v1/orders', '/v1/orders/1', '/v1/orders/client/a'])
      assert.equal((await venue.get(path)).status, 401, path);
  });

  it('are unavailable where no history is kept', async () => {
    const bare = await startVenue({ VENUE_HISTORY: 'off' }, { history: '/nowhere/at/all/history.db' });
    try {
      const trader = await signIn(bare);
      for (const path of ['/v1/orders', '/v1/orders/1', '/v1/orders/client/a']) {
        const { status, body } = await bare.get(path, trader);
        assert.deepEqual([status, body], [500, { error: 'history unavailable' }], path);
      }
    } finally {
      await bare.exchange.stop();
    }
  });
});
