import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Address } from '@venue/protocol';
import { bookOf, ChannelClient } from '../../../test/channels.ts';
import {
  type Json,
  type LocalVenue,
  newWallet,
  openSession,
  pricedVenue,
  type Session,
  signIn,
  waitFor,
} from '../../../test/support.ts';
import { TOKEN_LIFETIME_MS, Tokens } from '../../auth/tokens.ts';

const SECRET = 'secret-of-the-nodes-secret-of-the-nodes';
const PLACE = { type: 'place', side: 'buy', qty: 1, price: 900 } as const;

/** A token that expires in `inMs`. */
function expiring(address: Address, inMs: number): string {
  const now = () => Date.now() - TOKEN_LIFETIME_MS + inMs;
  return new Tokens({ now, randomBytes, secret: SECRET }).issue(address);
}

describe('the channels', () => {
  let venue: LocalVenue;
  let venueId: string;
  let seriesId: string;
  let sid: number;
  let expiryTs: number;
  let alice: Session & { token: string };
  before(async () => {
    venue = await pricedVenue({ VENUE_TOKEN_SECRET: SECRET });
    ({ seriesId, sid, expiryTs } = await venue.listed('BTC'));
    await venue.quote({ rows: [[sid, [[1000, 50]], [[1010, 50]]]] });
    alice = await openSession(venue);
    venueId = (await venue.get('/v1/venue')).body.venue;
  });
  after(() => venue.exchange.stop());

  const connect = () => new ChannelClient(venue).opened();
  const batch = (...actions: object[]) => alice.batch(venueId, actions);
  const act = async (...actions: object[]) => {
    const { body } = await venue.post('/v1/batch', await batch(...actions));
    return body.results;
  };

  /** The route's answer, once the channel is as the route's entry left it. */
  const shown = async (client: ChannelClient) => {
    const { body, headers } = await venue.get(`/v1/book?seriesId=${seriesId}`);
    await client.ask({ op: 'ping' });
    return { bids: body.bids, asks: body.asks, seq: Number(headers.get('x-venue-seq')) };
  };

  it('start with a snapshot and go on with deltas that give the book of the route (STR-2)', async () => {
    const client = await connect();
    const channel = `book:${seriesId}`;
    const { status, body } = await client.subscribe(channel);
    assert.deepEqual([status, body], [200, { channels: 1 }]);
    await client.snapshot(channel);
    for (const price of [990, 991, 1001]) await act({ ...PLACE, seriesId, price });
    await act({ type: 'cancel-all', side: 'buy' });
    for (const price of [989, 988]) await act({ ...PLACE, seriesId, price });
    await client.message(channel, ({ bids = [] }) => bids.some(([price]: number[]) => price === 988));
    await act({ ...PLACE, seriesId, price: 989, qty: 0.5 });
    await act({ ...PLACE, seriesId, price: 1010, qty: 0.25 });
    await venue.quote({
      rows: [
        [
          sid,
          [
            [999, 5],
            [998, 5],
          ],
          [[1011, 7]],
        ],
      ],
    });
    await client.message(channel, ({ asks = [] }) => asks.some(([price]: number[]) => price === 1011));
    const { seq: _, ...book } = await shown(client);
    assert.deepEqual(bookOf(client.of(channel)), book);
    assert.equal(client.of(channel).filter(({ type }) => type === 'snapshot').length, 1);
    client.socket.close();
  });

  it('show the chain, the trades, the spots and the settlements (STR-1)', async () => {
    const client = await connect();
    const chain = `chain:BTC:${expiryTs}`;
    await client.subscribe(chain, 'trades:BTC', 'spots', 'settlements');
    const first = await client.snapshot(chain);
    const { body } = await venue.get(`/v1/chain?symbol=BTC&expiryTs=${expiryTs}`);
    const { channel: _, type: __, seq: ___, ...members } = first;
    assert.deepEqual(members, body);
    assert.deepEqual((await client.snapshot('settlements')).settlements, []);
    assert.equal((await client.snapshot('spots')).spots[0].symbol, 'BTC');
    await client.snapshot('trades:BTC');

    const [{ orderId }] = await act({ ...PLACE, seriesId, price: 1011, qty: 0.5 });
    assert.ok(orderId > 0);
    const traded = await client.message('trades:BTC', ({ type }) => type === 'delta');
    assert.equal(traded.trades[0].seriesId, seriesId);
    const moved = await client.message(chain, ({ type }) => type === 'delta');
    const leg = moved.rows.find(({ call }: Json) => call?.seriesId === seriesId).call;
    assert.ok(leg.volume > 0);
    assert.equal(moved.rows.length, 1);

    await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_100 }]);
    const spots = await client.message('spots', ({ type }) => type === 'delta');
    assert.deepEqual(spots.spots, [{ symbol: 'BTC', spot: 100_100, feedFresh: true }]);
    assert.equal((await client.message(chain, ({ spot }) => spot === 100_100)).rows, undefined);
    client.socket.close();
  });

  it('show an account its cash, its orders with the cause of their close, and its fills (STR-1)', async () => {
    const client = await connect();
    assert.equal((await client.ask({ op: 'auth', token: alice.token })).body.address, alice.account);
    await client.subscribe('account', 'orders', 'fills');
    const { cash, openOrders } = await client.snapshot('account');
    assert.deepEqual([typeof cash, openOrders], ['number', undefined]);
    const { after: known, fills } = await client.snapshot('fills');
    assert.deepEqual(fills, []);
    await client.snapshot('orders');

    const placed = { ...PLACE, seriesId, clientId: 'one' };
    const [{ orderId }] = await act(placed);
    await act({ type: 'amend', orderId, qty: 0.5 });
    await act({ type: 'cancel', orderId });
    const isClosed = ({ orders }: Json) =>
      orders.some((row: Json) => row.id === orderId && row.cause === 'user');
    await client.message('orders', (message) => message.type === 'delta' && isClosed(message));

    const [filled] = await act({ ...PLACE, seriesId, price: 1011, qty: 0.5, tif: 'ioc', clientId: 'two' });
    const row = (await client.message('fills', ({ type }) => type === 'delta')).fills[0];
    const { body } = await venue.get('/v1/fills', { token: alice.token });
    assert.deepEqual(row, body.fills[0]);
    assert.ok(row.id > known);
    const { orders } = await client.message('orders', (message) =>
      message.orders.some((order: Json) => order.id === filled.orderId),
    );
    const closed = orders.find((order: Json) => order.id === filled.orderId);
    assert.deepEqual(
      [closed.clientId, closed.cause, closed.qty, closed.remaining],
      ['two', 'filled', 0.5, 0],
    );
    const account = await client.message('account', ({ positions }) => positions?.length > 0);
    assert.equal(account.positions[0].seriesId, seriesId);
    client.socket.close();
  });

  it('show an account the combos that opened and closed, with legs and net, and a fill a leg (CMB-3, STR-1)', async () => {
    const { body } = await venue.get('/v1/series?symbol=BTC');
    const other = body.series.find((one: Json) => one.expiryTs === expiryTs && one.sid !== sid);
    await venue.quote({ rows: [[other.sid, [[400, 50]], [[410, 50]]]] });
    const client = await connect();
    await client.ask({ op: 'auth', token: alice.token });
    await client.subscribe('orders', 'fills');
    await client.snapshot('orders');
    await client.snapshot('fills');
    const legs = [
      { seriesId: other.seriesId, side: 'buy', ratio: 2 },
      { seriesId, side: 'buy', ratio: 1 },
    ];
    const [traded, none] = await act(
      { type: 'combo', legs, qty: 0.5, net: 1_900.5, clientId: 'pair' },
      { type: 'combo', legs, qty: 1, net: -5 },
    );
    assert.deepEqual([traded.status, none.status], ['filled', 'cancelled']);
    const rows = await waitFor(async () => {
      const deltas = client.of('orders').filter(({ type }) => type === 'delta');
      const closed = deltas.flatMap(({ orders }) => orders).map((row: Json) => [row.id, row] as const);
      return closed.length >= 2 ? new Map<number, Json>(closed) : undefined;
    });
    const shown = ({ ts, closedAt, ...row }: Json) => row;
    const common = { legs, symbol: 'BTC', remaining: 0, tif: 'ioc', flag: null };
    assert.deepEqual(shown(rows.get(traded.orderId)), {
      ...common,
      ...{ id: traded.orderId, clientId: 'pair', net: 1_900.5, qty: 0.5, cause: 'filled' },
    });
    assert.deepEqual(shown(rows.get(none.orderId)), {
      ...common,
      ...{ id: none.orderId, net: -5, qty: 1, cause: 'ioc' },
    });
    const { fills } = await client.message('fills', ({ type }) => type === 'delta');
    assert.deepEqual(
      fills.map((fill: Json) => [fill.orderId, fill.seriesId, fill.qty]),
      [
        [traded.orderId, other.seriesId, 1],
        [traded.orderId, seriesId, 0.5],
      ],
    );
    client.socket.close();
  });

  it('send no snapshot to one who knows the newest, and a delta from what it knows (STR-4)', async () => {
    const channel = `book:${seriesId}`;
    const first = await connect();
    await first.subscribe(channel);
    const { seq } = await first.snapshot(channel);
    first.socket.close();
    await first.closed;
    await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_200 }]);
    const second = await connect();
    const { seq: now } = await second.ask({ op: 'ping' });
    assert.ok(now > seq);
    assert.deepEqual((await second.subscribe({ channel, seq })).body, { channels: 1, resumed: [channel] });
    await second.subscribe('spots');
    await second.snapshot('spots');
    assert.deepEqual(second.of(channel), []);
    await act({ ...PLACE, seriesId, price: 800 });
    const delta = await second.message(channel);
    assert.deepEqual([delta.type, delta.prevSeq, delta.bids], ['delta', seq, [[800, 1]]]);
    second.socket.close();
    await second.closed;

    await act({ ...PLACE, seriesId, price: 801 });
    const third = await connect();
    assert.deepEqual((await third.subscribe({ channel, seq: delta.seq })).body.resumed, []);
    const fresh = await third.message(channel);
    assert.equal(fresh.type, 'snapshot');
    assert.deepEqual(bookOf([fresh]).bids.at(-1), { price: 800, qty: 1 });
    third.socket.close();
  });

  it('send the fills that were missed, each once (STR-4)', async () => {
    const trader = await signIn(venue);
    const buy = (qty: number) =>
      venue.post('/v1/order', { seriesId, side: 'buy', qty, price: 1011 }, { token: trader.token });
    for (const qty of [0.1, 0.2, 0.3]) await buy(qty);
    const { fills } = (await venue.get('/v1/fills', { token: trader.token })).body;
    const client = await connect();
    await client.ask({ op: 'auth', token: trader.token });
    await client.subscribe({ channel: 'fills', after: fills[2].id });
    const missed = await client.snapshot('fills');
    assert.deepEqual(missed.fills, [fills[1], fills[0]]);
    await buy(0.4);
    const next = await client.message('fills', ({ type }) => type === 'delta');
    assert.deepEqual(
      next.fills.map(({ qty }: Json) => qty),
      [0.4],
    );
    client.socket.close();
  });

  it('carry out batches as the route does, signed or by the token of the connection (BAT-2)', async () => {
    const client = await connect();
    const unsigned = { op: 'batch', actions: [{ ...PLACE, seriesId, price: 700 }] };
    const refused = await client.ask(unsigned);
    assert.deepEqual([refused.status, refused.body], [401, { error: 'missing or unknown token' }]);
    const signed = await batch({ ...PLACE, seriesId, price: 701 });
    const done = await client.ask({ op: 'batch', ...signed });
    assert.equal(done.status, 200);
    assert.equal(done.body.results[0].status, 'rested');
    assert.equal(done.body.account.address, alice.account);
    const again = await client.ask({ op: 'batch', ...signed });
    assert.deepEqual([again.status, again.body], [401, { error: 'nonce already used' }]);
    await client.ask({ op: 'auth', token: alice.token });
    const minimal = await client.ask({ ...unsigned, prefer: 'return=minimal' });
    assert.deepEqual(Object.keys(minimal.body), ['results']);
    assert.ok(minimal.seq > done.seq);
    const malformed = await client.ask({ op: 'batch', actions: [], more: 1 });
    assert.deepEqual([malformed.status, malformed.body], [400, { error: 'more malformed' }]);
    client.socket.close();
  });

  it('close with the token, after which nothing private is sent (AUTH-2)', async () => {
    const trader = await signIn(venue, newWallet());
    const client = await connect();
    const foreign = await client.ask({ op: 'auth', token: 'f'.repeat(128) });
    assert.deepEqual([foreign.status, foreign.body], [401, { error: 'missing or unknown token' }]);
    assert.equal((await client.ask({ op: 'auth', token: expiring(trader.address, -1) })).status, 401);
    assert.equal((await client.subscribe('account')).status, 401);
    assert.equal((await client.ask({ op: 'auth', token: expiring(trader.address, 60_000) })).status, 200);
    const other = await client.ask({ op: 'auth', token: alice.token });
    assert.equal(other.body.error, 'the connection is signed in for another account');
    // A busy machine reads it late, but not that late; the answer to what comes behind it may be.
    const last = await client.ask({ op: 'auth', token: expiring(trader.address, 2_000) });
    assert.equal(last.status, 200);
    client.socket.send(JSON.stringify({ id: 'behind', op: 'subscribe', channels: ['account'] }));
    assert.equal(await client.closed, 4401);
  });
});
