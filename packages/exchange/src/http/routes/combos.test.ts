import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  BatchAnswerSchema,
  ComboPreviewAnswerSchema,
  ComboRecordSchema,
  StatementSchema,
} from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import {
  type Json,
  type LocalVenue,
  openSession,
  pricedVenue,
  type Session,
  waitFor,
} from '../../../test/support.ts';

const answer = Compile(BatchAnswerSchema);
const record = Compile(ComboRecordSchema);
const previewed = Compile(ComboPreviewAnswerSchema);
const statement = Compile(StatementSchema);

describe('CMB-3 combos over HTTP', () => {
  let venue: LocalVenue;
  let venueId: string;
  let near: Json;
  let far: Json;
  let alice: Session & { token: string };
  before(async () => {
    venue = await pricedVenue();
    venueId = (await venue.get('/v1/venue')).body.venue;
    near = await venue.listed('BTC');
    const { body } = await venue.get('/v1/series?symbol=BTC');
    far = body.series.find(
      (one: Json) => one.expiryTs === near.expiryTs && one.right === 'C' && one.strike > near.strike,
    );
  });
  after(() => venue.exchange.stop());
  beforeEach(async () => {
    alice = await openSession(venue);
    await venue.post('/v1/margin', { enabled: true }, { token: alice.token });
    await venue.quote({
      rows: [
        [near.sid, [[1000, 5]], [[1010, 5]]],
        [
          far.sid,
          [
            [400, 0.3],
            [390, 5],
          ],
          [[410, 5]],
        ],
      ],
    });
  });

  const spread = (change: object = {}) => ({
    type: 'combo',
    legs: [
      { seriesId: near.seriesId, side: 'buy', ratio: 1 },
      { seriesId: far.seriesId, side: 'sell', ratio: 1 },
    ],
    qty: 1,
    ...change,
  });
  const get = async (path: string): Promise<Json> => {
    const { status, body } = await venue.get(path, { token: alice.token });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const combo = async (change: object): Promise<Json> => {
    const body = await alice.batch(venueId, [spread(change)]);
    const reply = await venue.post('/v1/batch', body);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    assert.ok(answer.Check(reply.body), JSON.stringify(answer.Errors(reply.body)));
    return reply.body.results[0];
  };
  const [buy, sell] = [
    (price: number, qty: number) => ({ seriesId: near.seriesId, side: 'buy', price, qty }),
    (price: number, qty: number) => ({ seriesId: far.seriesId, side: 'sell', price, qty }),
  ];

  it('BAT-1 BAT-3: a signed combo answers the fills of its legs', async () => {
    const { orderId, ...result } = await combo({ net: 620, clientId: 'a' });
    assert.ok(orderId > 0);
    assert.deepEqual(result, {
      ...{ type: 'combo', status: 'filled', clientId: 'a', restedQty: 0 },
      fills: [buy(1010, 1), sell(400, 0.3), sell(390, 0.7)],
    });
    const again = await combo({ net: 620, clientId: 'a' });
    assert.deepEqual(again, {
      type: 'combo',
      status: 'duplicate',
      orderId,
      clientId: 'a',
      fills: [],
      restedQty: 0,
    });
  });

  it('a declined combo has a reason and no size', async () => {
    assert.deepEqual(await combo({ net: 609, tif: 'fok' }), {
      ...{
        type: 'combo',
        status: 'rejected',
        orderId: 0,
        fills: [],
        reason: 'fok cannot fill',
        code: 'fok-cannot-fill',
      },
    });
  });

  it('BAT-1 DET-6: legs that make no combo are refused with the whole batch', async () => {
    const [first, second] = spread().legs;
    const eth = { ...second, seriesId: 'ETH-1-C-1' };
    const bad = [
      [first],
      [first, first],
      [first, eth],
      [first, { ...second, ratio: 0 }],
      [first, { ...second, ratio: 11 }],
    ];
    for (const legs of bad) {
      const { status, body } = await venue.post(
        '/v1/batch',
        { actions: [spread({ legs })] },
        { token: alice.token },
      );
      assert.deepEqual([status, body], [400, { error: 'actions[0].legs malformed' }]);
    }
    const { status, body } = await venue.post(
      '/v1/batch',
      { actions: [spread({ net: 1e-7 })] },
      { token: alice.token },
    );
    assert.deepEqual([status, body], [400, { error: 'actions[0].net malformed' }]);
  });

  it('CID-2: it is among the closed orders, with legs and net, what a unit cost, and why it closed', async () => {
    const { orderId } = await combo({ net: 610, clientId: 'b' });
    const found = await get(`/v1/orders/${orderId}`);
    assert.ok(record.Check(found), JSON.stringify(record.Errors(found)));
    const { ts, closedAt, ...rest } = found;
    assert.equal(ts, closedAt);
    const expected = {
      ...{ id: orderId, clientId: 'b', legs: spread().legs, symbol: 'BTC', net: 610, qty: 1, remaining: 0 },
      ...{ filledQty: 0.3, avgPrice: 610, tif: 'ioc', flag: null, status: 'cancelled', cause: 'ioc' },
    };
    assert.deepEqual(rest, expected);
    assert.deepEqual(await get('/v1/orders/client/b'), found);
    assert.deepEqual((await get('/v1/orders?status=closed&symbol=BTC')).orders, [found]);
    assert.deepEqual((await get('/v1/orders?status=open')).orders, []);
  });

  it('a unit that brings in has a negative average, rounded down', async () => {
    const legs = [
      { seriesId: near.seriesId, side: 'sell', ratio: 1 },
      { seriesId: far.seriesId, side: 'buy', ratio: 2 },
    ];
    await venue.quote({
      rows: [
        [
          near.sid,
          [
            [1000, 0.1],
            [999, 0.2],
          ],
          null,
        ],
        [far.sid, null, [[410, 5]]],
      ],
    });
    const { orderId, status } = await combo({ legs, qty: 0.3, net: -179 });
    assert.equal(status, 'filled');
    const { filledQty, avgPrice, net } = await get(`/v1/orders/${orderId}`);
    assert.deepEqual([filledQty, avgPrice, net], [0.3, -179.333334, -179]);
  });

  it('its fills stand in fills, tape and statement like any others', async () => {
    const { orderId } = await combo({ net: 610 });
    const { fills } = await get('/v1/fills');
    const own = fills.filter((fill: Json) => fill.orderId === orderId);
    assert.deepEqual(
      own.map(({ seriesId, side, price, qty, taker }: Json) => ({ seriesId, side, price, qty, taker })),
      [sell(400, 0.3), buy(1010, 0.3)].map((fill) => ({ ...fill, taker: true })),
    );
    const { fills: tape } = (await venue.get('/v1/tape?symbol=BTC')).body;
    assert.deepEqual(
      tape
        .slice(0, 2)
        .map(({ price, qty }: Json) => [price, qty])
        .sort(),
      [
        [1010, 0.3],
        [400, 0.3],
      ],
    );
    const rows = await waitFor(async () => {
      const found = await get('/v1/statement');
      assert.ok(statement.Check(found));
      const of = found.rows.filter((row: Json) => row.orderId === orderId);
      return of.length === 2 ? of : undefined;
    });
    assert.deepEqual(rows.map(({ premium }: Json) => premium).sort(), [-303, 120]);
  });

  it('POST /v1/order/preview takes a combo as a batch does, and its faults without their place', async () => {
    const post = (body: object) => venue.post('/v1/order/preview', body, { token: alice.token });
    const { status, body } = await post(spread({ net: 610, clientId: 'p' }));
    assert.equal(status, 200);
    assert.ok(previewed.Check(body), JSON.stringify(body));
    const { before: was, after: then, ...rest } = body;
    assert.deepEqual(rest, {
      ...{ status: 'partial', filledQty: 0.3, cost: 183, fee: 2.115 },
      fills: [buy(1010, 0.3), sell(400, 0.3)],
    });
    assert.equal(then.cash, was.cash - 185.115);
    const { account } = (await venue.post('/v1/batch', await alice.batch(venueId, [spread({ net: 610 })])))
      .body;
    assert.deepEqual([account.cash, account.buyingPower], [then.cash, then.buyingPower]);
    const refused = await post(spread({ tif: 'fok', net: 0 }));
    assert.deepEqual(
      [refused.status, refused.body.status, refused.body.reason],
      [200, 'rejected', 'fok cannot fill'],
    );
    for (const [change, error] of [
      [{ legs: spread().legs.slice(1) }, 'legs malformed'],
      [{ qty: undefined }, 'qty required'],
      [{ seriesId: near.seriesId }, 'seriesId malformed'],
    ] as const) {
      const { status, body } = await post(spread(change));
      assert.deepEqual([status, body], [400, { error }]);
    }
    assert.deepEqual((await post({})).body, { error: 'seriesId required' });
  });
});
