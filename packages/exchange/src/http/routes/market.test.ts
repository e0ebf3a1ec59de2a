import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  BookSchema,
  ChainSchema,
  HealthzSchema,
  MetaSchema,
  SeriesListSchema,
  TapeSchema,
} from '@venue/protocol/wire';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { type Json, type LocalVenue, openSession, pricedVenue } from '../../../test/support.ts';

function assertShape(schema: TSchema, value: unknown): void {
  const validator = Compile(schema);
  assert.ok(validator.Check(value), JSON.stringify(validator.Errors(value)));
}

describe('public reads', () => {
  let venue: LocalVenue;
  let atTheMoney: Json;
  before(async () => {
    venue = await pricedVenue();
    atTheMoney = await venue.listed('BTC');
  });
  after(() => venue.exchange.stop());

  it('healthz names the mode', async () => {
    const { body } = await venue.get('/healthz');
    assertShape(HealthzSchema, body);
    assert.deepEqual(body, {
      ok: true,
      quoteSessionRegistration: 'idempotent-attempt-v1',
      fundingMode: 'paper',
    });
  });

  it('meta shows every symbol, even one without a price (FEED-2)', async () => {
    const { body } = await venue.get('/v1/meta');
    assertShape(MetaSchema, body);
    assert.deepEqual(body.instruments.slice(0, 2), [
      { symbol: 'BTC', spot: 100_000, feedFresh: true },
      { symbol: 'ETH', spot: 0, feedFresh: false },
    ]);
    assert.deepEqual(body.pendingReview, []);
  });

  it('series lists live ones, for the symbol in any case; a symbol without a spot has none', async () => {
    const { body } = await venue.get('/v1/series?symbol=btc');
    assertShape(SeriesListSchema, body);
    assert.ok(body.series.length > 1_000);
    const lowest = body.series.find(({ expiryTs }: Json) => expiryTs === atTheMoney.expiryTs);
    assert.deepEqual(lowest, {
      seriesId: `BTC-${atTheMoney.expiryTs}-C-80000`,
      sid: lowest.sid,
      symbol: 'BTC',
      expiryTs: atTheMoney.expiryTs,
      expiryCutoffMs: atTheMoney.expiryTs * 1000,
      right: 'C',
      strike: 80_000,
    });
    assert.deepEqual((await venue.get('/v1/series?symbol=ETH')).body, { series: [] });
  });

  it('chain has one row per strike, ascending, with both legs (MARK-1, LIST-6)', async () => {
    const path = `/v1/chain?symbol=Btc&expiryTs=${atTheMoney.expiryTs}`;
    const empty = (await venue.get(path)).body;
    assertShape(ChainSchema, empty);
    assert.equal(empty.rows.length, 41);
    assert.deepEqual(
      empty.rows.map((row: Json) => row.strike),
      empty.rows.map((row: Json) => row.strike).toSorted((a: number, b: number) => a - b),
    );
    assert.equal(empty.sessionOpen, true);
    assert.equal(empty.rows[20].call.mid, null);
    await venue.quote({
      rows: [
        [
          atTheMoney.sid,
          [
            [1000, 5],
            [990, 1],
          ],
          [],
          0.61,
          0.52,
        ],
      ],
    });
    const row = (await venue.get(path)).body.rows[20];
    assert.deepEqual(row.call, {
      seriesId: atTheMoney.seriesId,
      sid: atTheMoney.sid,
      bid: { price: 1000, qty: 5 },
      ask: null,
      mid: 1000,
      iv: 0.61,
      delta: 0.52,
      openInterest: 0,
      volume: 0,
    });
    assert.equal(row.put.iv, 0);
  });

  it('chain of an expiry that is not listed has no rows', async () => {
    assert.deepEqual((await venue.get('/v1/chain?symbol=BTC&expiryTs=1')).body.rows, []);
  });

  it('book aggregates by price, best first, at most twelve levels a side', async () => {
    const bids = Array.from({ length: 15 }, (_, i) => [900 - i, 1]);
    const asks = Array.from({ length: 15 }, (_, i) => [1100 + i, 2.5]);
    await venue.quote({ quotes: [{ seriesId: atTheMoney.seriesId, bids, asks }] });
    const session = await openSession(venue);
    await venue.post(
      '/v1/order',
      await session.order({ seriesId: atTheMoney.seriesId, side: 'buy', qty: 0.5, price: 900 }),
    );
    const { body } = await venue.get(`/v1/book?seriesId=${atTheMoney.seriesId}`);
    assertShape(BookSchema, body);
    assert.equal(body.seriesId, atTheMoney.seriesId);
    assert.deepEqual(body.bids[0], { price: 900, qty: 1.5 });
    assert.deepEqual(
      body.bids.map((level: Json) => level.price),
      bids.slice(0, 12).map(([price]) => price),
    );
    assert.deepEqual(
      body.asks.map((level: Json) => level.price),
      asks.slice(0, 12).map(([price]) => price),
    );
  });

  it('tape shows the newest 50, newest first, by the side of the taker', async () => {
    const session = await openSession(venue);
    await venue.quote({ rows: [[atTheMoney.sid, [], [[10, 100]]]] });
    for (let i = 1; i <= 60; i++) {
      const order = { seriesId: atTheMoney.seriesId, side: 'buy', qty: i / 100, price: 10 } as const;
      await venue.post('/v1/order', await session.order(order));
    }
    const { body } = await venue.get('/v1/tape?symbol=BTC');
    assertShape(TapeSchema, body);
    assert.equal(body.symbol, 'BTC');
    assert.equal(body.fills.length, 50);
    assert.deepEqual([body.fills[0].qty, body.fills[49].qty], [0.6, 0.11]);
    assert.equal(body.fills[0].side, 'buy');
    assert.deepEqual((await venue.get('/v1/tape?symbol=ETH')).body, { symbol: 'ETH', fills: [] });
  });

  const REFUSALS: [string, number, string][] = [
    ['/v1/series', 400, 'symbol required'],
    ['/v1/series?symbol=', 400, 'symbol required'],
    ['/v1/series?symbol=BTC&symbol=ETH', 400, 'symbol must be a string'],
    ['/v1/series?symbol=NOPE', 404, 'unknown symbol'],
    ['/v1/series?symbol=__proto__', 404, 'unknown symbol'],
    ['/v1/chain?expiryTs=1', 400, 'symbol required'],
    ['/v1/chain?symbol=BTC', 400, 'expiryTs required'],
    ['/v1/chain?symbol=BTC&expiryTs=soon', 400, 'expiryTs malformed'],
    ['/v1/chain?symbol=BTC&expiryTs=1.5', 400, 'expiryTs malformed'],
    ['/v1/chain?symbol=BTC&expiryTs=-1', 400, 'expiryTs malformed'],
    ['/v1/chain?symbol=NOPE&expiryTs=1', 404, 'unknown symbol'],
    ['/v1/book', 400, 'seriesId required'],
    ['/v1/book?seriesId=BTC-1-C-1', 404, 'unknown series'],
    ['/v1/book?seriesId=%00', 404, 'unknown series'],
    ['/v1/tape', 400, 'symbol required'],
    ['/v1/tape?symbol=NOPE', 404, 'unknown symbol'],
    ['/v1/me', 401, 'missing or unknown token'],
    ['/v1/fills', 401, 'missing or unknown token'],
    ['/v1/auth/challenge', 400, 'address required'],
    ['/v1/auth/challenge?address=0x12', 400, 'address malformed'],
    ['/v1/auth/session', 400, 'address required'],
  ];
  for (const [path, status, error] of REFUSALS) {
    it(`GET ${path} answers ${status} ${error}`, async () => {
      const reply = await venue.get(path);
      assert.deepEqual([reply.status, reply.body], [status, { error }]);
    });
  }
});
