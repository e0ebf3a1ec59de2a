import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { MarginReportSchema, OrderPreviewAnswerSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { type Json, type LocalVenue, openSession, pricedVenue, type Session } from '../../../test/support.ts';

/**
 * Spot and strike are 100,000, the book stands at 1,000 to 1,010, so the mark is 1,005. One short call locks
 * 1,005 + max(20,000 - 0, 10,000) = 21,005 and is called at 1,005 + max(12,000 - 0, 6,000) = 13,005.
 */
describe('margin, line by line', () => {
  let venue: LocalVenue;
  let seriesId: string;
  let alice: Session & { token: string };
  before(async () => {
    venue = await pricedVenue();
    let sid: number;
    ({ seriesId, sid } = await venue.listed('BTC'));
    await venue.quote({ rows: [[sid, [[1000, 50]], [[1010, 50]]]] });
  });
  after(() => venue.exchange.stop());
  beforeEach(async () => {
    alice = await openSession(venue);
    await venue.post('/v1/margin', { enabled: true }, { token: alice.token });
  });

  const order = (change: object) => ({ seriesId, side: 'sell', qty: 2, ...change });
  const place = async (change: object): Promise<Json> =>
    (await venue.post('/v1/order', order(change), { token: alice.token })).body;
  const preview = async (change: object): Promise<Json> => {
    const { status, body } = await venue.post('/v1/order/preview', order(change), { token: alice.token });
    assert.equal(status, 200);
    assert.ok(Compile(OrderPreviewAnswerSchema).Check(body), JSON.stringify(body));
    return body;
  };
  const report = async (): Promise<Json> => {
    const { status, body } = await venue.get('/v1/margin', { token: alice.token });
    assert.equal(status, 200);
    assert.ok(Compile(MarginReportSchema).Check(body), JSON.stringify(body));
    return body;
  };

  it('a preview shows what the order then does, and places nothing (MAR-1, NUM-3)', async () => {
    const { after: foreseen, ...rest } = await preview({});
    assert.deepEqual(rest, {
      status: 'filled',
      fills: [{ price: 1000, qty: 2 }],
      restedQty: 0,
      cost: 2000,
      fee: 10,
      before: {
        cash: 100_000,
        equity: 100_000,
        locked: 0,
        buyingPower: 100_000,
        maintenanceMargin: 0,
        marginCall: false,
      },
    });
    assert.deepEqual(foreseen, {
      cash: 101_990,
      equity: 99_980,
      locked: 42_010,
      buyingPower: 59_980,
      maintenanceMargin: 26_010,
      marginCall: false,
    });
    const { body: untouched } = await venue.get('/v1/me', { token: alice.token });
    assert.deepEqual([untouched.cash, untouched.positions, untouched.openOrderCount], [100_000, [], 0]);
    const { account } = await place({});
    for (const [field, value] of Object.entries(foreseen)) assert.equal(account[field], value, field);
  });

  it('BAT-6: a preview of a place knows its terms, and a single order ignores them', async () => {
    const terms = { tif: 'fok', qty: 1_000 };
    assert.match((await preview(terms)).reason, /^insufficient margin/);
    assert.equal((await preview({ type: 'place', ...terms })).reason, 'fok cannot fill');
    const flagged = await preview({ type: 'place', price: undefined, reduceOnly: true });
    assert.equal(flagged.reason, 'nothing to reduce');
    const body = order({ type: 'place', price: 1_000, tif: 'gtd' });
    const malformed = await venue.post('/v1/order/preview', body, { token: alice.token });
    assert.deepEqual([malformed.status, malformed.body.error], [400, 'expiresAt required']);
  });

  it('a preview of a declined order gives the reason and leaves the amounts unchanged', async () => {
    const declined = await preview({ qty: 5 });
    assert.equal(declined.status, 'rejected');
    assert.equal(declined.reason, 'insufficient margin for short (need ~105025.00, have 100000.00)');
    assert.deepEqual([declined.fills, declined.cost, declined.after], [[], 0, declined.before]);
    assert.equal((await preview({ seriesId: 'BTC-1-C-1' })).reason, 'unknown series');
    assert.equal((await preview({ qty: 0 })).reason, 'bad qty');
  });

  it('locked is the sum of its lines to the micro (MAR-3, ORD-4)', async () => {
    await place({});
    const buy = await place({ side: 'buy', qty: 1, price: 900 });
    const sell = await place({ qty: 1.5, price: 2000 });
    const { series, orders, ...totals } = await report();
    assert.deepEqual(series, [
      {
        seriesId,
        qty: -2,
        restingSell: 1.5,
        spot: 100_000,
        mark: 1005,
        premium: 1005,
        entry: { shock: 20_000, floor: 10_000, unit: 21_005, qty: 3.5, amount: 73_517.5 },
        maintenance: { shock: 12_000, floor: 6_000, unit: 13_005, qty: 2, amount: 26_010 },
      },
    ]);
    assert.deepEqual(orders, [
      { id: buy.orderId, seriesId, side: 'buy', price: 900, remaining: 1, reserve: 900, openingQty: 0 },
      { id: sell.orderId, seriesId, side: 'sell', price: 2000, remaining: 1.5, reserve: 0, openingQty: 1.5 },
    ]);
    assert.deepEqual([totals.reserved, totals.locked, totals.maintenanceMargin], [900, 74_417.5, 26_010]);
    assert.equal(totals.buyingPower, totals.cash - totals.locked);
  });

  it('a long position covers the oldest resting sells first, and only the rest of them opens (ORD-4)', async () => {
    await place({ side: 'buy', qty: 2 });
    for (const qty of [1.5, 1]) await place({ qty, price: 2000 });
    const { series, orders } = await report();
    assert.deepEqual(
      orders.map(({ openingQty }: Json) => openingQty),
      [0, 0.5],
    );
    assert.equal(series[0].entry.qty, 0.5);
  });

  it('DRM-5: in defined-risk mode the groups say what is locked and why', async () => {
    const act = async (...actions: object[]): Promise<Json> => {
      const { status, body } = await venue.post('/v1/batch', { actions }, { token: alice.token });
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    const { marginMode, groups: none } = await report();
    assert.deepEqual([marginMode, none], ['per-leg', undefined]);
    await act({ type: 'margin-mode', mode: 'defined-risk' });
    await place({ side: 'buy', qty: 1 });
    await place({ qty: 1.5, price: 2_000 });
    const { groups, locked, series, marginMode: now } = await report();
    const [group, ...others] = groups;
    const { entry } = series[0];
    assert.deepEqual([now, others, entry.qty], ['defined-risk', [], 0.5]);
    assert.deepEqual(group.uncovered, [{ seriesId, qty: 0.5, unit: entry.unit }]);
    assert.deepEqual([group.rule, group.covers, group.requirement], ['A', [], locked]);
    assert.equal(locked, entry.amount, 'one short alone requires its unit');
    const { results } = await act(
      { type: 'protect', set: 1, symbol: 'BTC', windowMs: 1_000, qty: 5, frozenMs: 0 },
      { type: 'margin-mode', mode: 'per-leg' },
    );
    assert.deepEqual(results, [
      { type: 'protect', ok: false, reason: 'margin mode bars quote sets', code: 'mode-bars-sets' },
      { type: 'margin-mode', ok: true },
    ]);
    assert.equal((await report()).groups, undefined);
  });

  it('an account without shorts or orders has no lines', async () => {
    const { series, orders, locked } = await report();
    assert.deepEqual([series, orders, locked], [[], [], 0]);
  });

  it('needs a token and a well-formed order', async () => {
    assert.equal((await venue.get('/v1/margin')).status, 401);
    assert.equal((await venue.post('/v1/order/preview', order({}))).status, 401);
    const malformed = await venue.post('/v1/order/preview', { side: 'buy', qty: 1 }, { token: alice.token });
    assert.deepEqual([malformed.status, malformed.body], [400, { error: 'seriesId required' }]);
    const priced = await venue.post('/v1/order/preview', order({ price: null }), { token: alice.token });
    assert.equal(priced.status, 400);
  });

  it('RSK-2: a report shows how the mark of every position comes about, long ones too', async () => {
    const { marks: none, riskMark } = await report();
    assert.deepEqual([none, riskMark], [[], 'book']);
    await place({ side: 'buy', qty: 1 });
    const [held, ...others] = (await report()).marks;
    assert.deepEqual(others, []);
    const { iv, model, ...book } = held;
    assert.deepEqual([iv, model], [null, null], 'nobody has annotated a volatility');
    assert.deepEqual(book, { seriesId, bid: 1_000, ask: 1_010, book: 1_005, risk: 1_005 });
  });
});

it('RSK-1 RSK-2: with marks of the model the report explains the mark that the account is valued at', async (t) => {
  const venue = await pricedVenue({ VENUE_RISK_MARK: 'model', VENUE_IMPACT_USD: '500' });
  t.after(() => venue.exchange.stop());
  const { seriesId, sid } = await venue.listed('BTC');
  // Nobody's contract is worth 9,000 a few days before its end: the mark stays within 1 % of spot of the model.
  await venue.quote({ rows: [[sid, [[9_000, 5]], [[9_010, 5]], 0.5]] });
  const { token } = await openSession(venue);
  await venue.post('/v1/order', { seriesId, side: 'buy', qty: 1 }, { token });
  const { body: report } = await venue.get('/v1/margin', { token });
  const [{ iv, model, bid, ask, book, risk }] = report.marks;
  assert.deepEqual([report.riskMark, iv, bid, ask, book], ['model', 0.5, 9_000, 9_010, 9_005]);
  assert.ok(model > 0 && model < 8_000, `model ${model}`);
  assert.equal(risk, Math.round((model + 1_000) * 1e6) / 1e6, 'the band is 1 % of a spot of 100,000');
  const { body: account } = await venue.get('/v1/me', { token });
  // A minute may have begun between the two reads.
  assert.ok(Math.abs(account.positions[0].mark - risk) < 10, `marked at ${account.positions[0].mark}`);
  const { body: chain } = await venue.get('/v1/venue');
  assert.equal(chain.riskMark, 'model');
});
