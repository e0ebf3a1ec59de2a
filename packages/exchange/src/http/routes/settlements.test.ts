import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FillListSchema, SettlementListSchema } from '@venue/protocol/wire';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { ExpiringVenue } from '../../../test/expiring.ts';
import { type Json, Stream, type Trader } from '../../../test/support.ts';

function assertShape(schema: TSchema, value: unknown): void {
  const validator = Compile(schema);
  assert.ok(validator.Check(value), JSON.stringify(validator.Errors(value)));
}

describe('an expiry that the oracle settles', () => {
  let expiring: ExpiringVenue;
  let traders: { alice: Trader; bob: Trader };
  let stream: Stream;
  before(async () => {
    expiring = await ExpiringVenue.start();
    traders = await expiring.trade();
    const resting = { seriesId: expiring.series('C', 101_000), side: 'buy', qty: 1, price: 5 };
    await expiring.venue.post('/v1/order', resting, traders.bob);
    stream = await new Stream(expiring.venue, traders.bob.token).opened();
    await expiring.expireAt({ a: 101_000, b: 101_010, c: 101_004 });
  });
  after(() => expiring.stop());

  it('shows price, inputs and time of the decision, the symbol in any case (ORA-2, FINE-16)', async () => {
    const answer = await expiring.settlements();
    assertShape(SettlementListSchema, answer);
    const { expiryTs } = expiring;
    const lastTs = expiryTs * 1_000 - 30_000;
    const source = (name: string, price: number) => ({
      source: name,
      average: price,
      fresh: true,
      last: price,
      lastTs,
    });
    assert.deepEqual(answer, {
      settlements: [
        {
          symbol: 'BTC',
          expiryTs,
          price: 101_004,
          decidedAt: expiryTs * 1_000 + 1_000,
          by: 'oracle',
          sources: [source('a', 101_000), source('b', 101_010), source('c', 101_004)],
          dispersionBps: 0.990059,
        },
      ],
    });
    assert.deepEqual((await expiring.venue.get('/v1/settlements?symbol=ETH')).body, { settlements: [] });
  });

  it('closes positions at the payout, as a row of fills and a frame, and in the account (FINE-7)', async () => {
    for (const [trader, side, cash] of [
      [traders.alice, 'buy', 100_000 + 2 * 2_000 - 2 * 1_004],
      [traders.bob, 'sell', 100_000 - 2 * 2_000 * 1.005 + 2 * 1_004],
    ] as const) {
      const me = (await expiring.venue.get('/v1/me', trader)).body;
      assert.deepEqual([me.positions, me.openOrders, me.cash, me.locked], [[], [], cash, 0]);
      const { body } = await expiring.venue.get('/v1/fills', trader);
      assertShape(FillListSchema, body);
      const { id, ts, ...row } = body.fills[0];
      assert.deepEqual(row, {
        orderId: 0,
        seriesId: expiring.series('C', 100_000),
        symbol: 'BTC',
        side,
        price: 1_004,
        qty: 2,
        fee: 0,
        realized: side === 'buy' ? 1_992 : -1_992,
        taker: false,
        kind: 'settlement',
      });
    }
    const { fill } = await stream.frame(({ type }) => type === 'fill');
    assert.deepEqual([fill.side, fill.price, fill.qty, fill.taker], ['sell', 1_004, 2, false]);
    await stream.frame(({ type, account }) => type === 'account' && account.positions.length === 0);
    await stream.frame(({ type, orders }) => type === 'orders' && orders.length === 0);
  });

  it('leaves the listings; its book is empty, not unknown', async () => {
    const { series } = (await expiring.venue.get('/v1/series?symbol=BTC')).body;
    assert.equal(
      series.some(({ expiryTs }: Json) => expiryTs === expiring.expiryTs),
      false,
    );
    const chain = await expiring.venue.get(`/v1/chain?symbol=BTC&expiryTs=${expiring.expiryTs}`);
    assert.deepEqual(chain.body.rows, []);
    const seriesId = expiring.series('C', 101_000);
    const book = await expiring.venue.get(`/v1/book?seriesId=${seriesId}`);
    assert.deepEqual([book.status, book.body], [200, { seriesId, bids: [], asks: [] }]);
    const order = { seriesId, side: 'buy', qty: 1, price: 1 };
    assert.equal((await expiring.venue.post('/v1/order', order, traders.bob)).body.reason, 'series settled');
    assert.deepEqual((await expiring.venue.get('/v1/meta')).body.pendingReview, []);
  });

  it('shows the same after a restart', async () => {
    const before = await expiring.settlements();
    await expiring.restart();
    assert.deepEqual(await expiring.settlements(), before);
  });

  for (const [query, status, error] of [
    ['', 400, 'symbol required'],
    ['?symbol=', 400, 'symbol required'],
    ['?symbol=NOPE', 404, 'unknown symbol'],
    ['?symbol=BTC&symbol=ETH', 400, 'symbol must be a string'],
    [`?symbol=${'B'.repeat(65)}`, 400, 'symbol malformed'],
  ] as const) {
    it(`GET /v1/settlements${query.slice(0, 20)} answers ${status} ${error}`, async () => {
      const reply = await expiring.venue.get(`/v1/settlements${query}`);
      assert.deepEqual([reply.status, reply.body], [status, { error }]);
    });
  }
});

describe('an expiry that the oracle refuses', () => {
  let expiring: ExpiringVenue;
  let traders: { alice: Trader; bob: Trader };
  before(async () => {
    expiring = await ExpiringVenue.start();
    traders = await expiring.trade();
    await expiring.expireAt({ a: 101_000 });
  });
  after(() => expiring.stop());

  it('says why nothing was paid, and shows the inputs (ORA-2, ORA-3)', async () => {
    const answer = await expiring.settlements();
    assertShape(SettlementListSchema, answer);
    const { expiryTs } = expiring;
    const [refused] = answer.refused;
    assert.deepEqual(answer, { settlements: [], refused: [refused] });
    assert.deepEqual(refused, {
      symbol: 'BTC',
      expiryTs,
      reason: 'too few fresh sources',
      refusedAt: expiryTs * 1_000 + 1_000,
      anchor: 100_500,
      sources: [
        { source: 'a', average: 101_000, fresh: true, last: 101_000, lastTs: expiryTs * 1_000 - 30_000 },
        { source: 'b', average: null, fresh: false, last: 100_000, lastTs: expiryTs * 1_000 - 2_400_000 },
      ],
      dispersionBps: 0,
    });
  });

  it('lists its series as pending review in listing order; positions stay, marked at intrinsic', async () => {
    const { pendingReview } = (await expiring.venue.get('/v1/meta')).body;
    assert.deepEqual(pendingReview, expiring.all());
    const { positions } = (await expiring.venue.get('/v1/me', traders.bob)).body;
    assert.deepEqual([positions[0].qty, positions[0].mark], [2, 1_000]);
    const order = { seriesId: pendingReview[0], side: 'buy', qty: 1, price: 1 };
    assert.equal((await expiring.venue.post('/v1/order', order, traders.bob)).body.reason, 'series expired');
  });
});
