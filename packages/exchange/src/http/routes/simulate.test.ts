import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { SimulationSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import {
  type Json,
  type LocalVenue,
  openSession,
  pricedVenue,
  type Session,
  waitFor,
} from '../../../test/support.ts';
import { CurveThread } from '../../views/curve-thread.ts';

/** Spot and strike are 100,000, and the book stands at 1,000 to 1,010, so that the mark is 1,005. */
describe('POST /v1/simulate', () => {
  let venue: LocalVenue;
  let seriesId: string;
  let expiryTs: number;
  let token: string;
  before(async () => {
    venue = await pricedVenue();
    let sid: number;
    ({ seriesId, sid, expiryTs } = await venue.listed('BTC'));
    await venue.quote({ rows: [[sid, [[1000, 50]], [[1010, 50]]]] });
  });
  after(() => venue.exchange.stop());
  beforeEach(async () => {
    ({ token } = (await openSession(venue)) as Session & { token: string });
    await venue.post('/v1/margin', { enabled: true }, { token });
  });

  const simulate = (body: object) => venue.post('/v1/simulate', body, { token });
  const simulated = async (body: object): Promise<Json> => {
    const { status, body: answer } = await simulate(body);
    assert.equal(status, 200, JSON.stringify(answer));
    assert.ok(Compile(SimulationSchema).Check(answer), JSON.stringify(answer));
    return answer;
  };

  it('CMB-4: account, margin and curves as if the legs had been filled, and nothing has changed', async () => {
    await venue.post('/v1/order', { seriesId, side: 'buy', qty: 1, price: 900 }, { token });
    await venue.post('/v1/order', { seriesId, side: 'sell', qty: 3, price: 1_500 }, { token });
    const { body: untouched, headers } = await venue.get('/v1/me', { token });
    const { account, margin, curves } = await simulated({
      legs: [
        { seriesId, side: 'sell', qty: 2, price: 1_000 },
        { seriesId, side: 'buy', qty: 1 },
      ],
    });
    // 100,000 + 2,000 - 1,005, less one at the mark; short are four if all fills, and one now.
    assert.deepEqual([account.cash, account.equity, account.locked], [100_995, 99_990, 900 + 4 * 21_005]);
    assert.deepEqual([margin.locked, margin.maintenanceMargin, margin.orders.length], [84_920, 13_005, 2]);
    assert.deepEqual([account.openOrderCount, account.openOrders], [2, untouched.openOrders]);
    assert.deepEqual(
      account.positions.map(({ qty }: Json) => qty),
      [-1],
    );
    const [{ symbol, prices, now, expiries }] = curves;
    assert.deepEqual([symbol, prices[0], prices[20], prices[40]], ['BTC', 50_000, 100_000, 150_000]);
    // Sold at 1,000 on average but for five lost on the one bought back; the model goes through the mark of 1,005.
    assert.equal(now[20], -10);
    assert.deepEqual(
      expiries.map((one: Json) => [one.expiryTs, one.pnl[20], one.pnl[40], one.pnl[0]]),
      [[expiryTs, 995, 995 - 50_000, 995]],
    );
    const { body: after } = await venue.get('/v1/me', { token });
    assert.deepEqual(after, untouched);
    assert.ok(Number(headers.get('x-venue-seq')) > 0);
  });

  it('CMB-4: without legs it is the account as it is, or in a market that has moved', async () => {
    await venue.post('/v1/order', { seriesId, side: 'buy', qty: 2 }, { token });
    const { body: me } = await venue.get('/v1/me', { token });
    const { guardAt: _, ...shown } = me;
    const still = await simulated({ legs: [] });
    assert.deepEqual(still.account, shown);
    assert.equal(still.curves[0].now[20], me.unrealizedPnl);
    const { body: margin } = await venue.get('/v1/margin', { token });
    assert.deepEqual(still.margin, margin);
    const moved = await simulated({ legs: [], spotShift: 0.25, volShift: -5 });
    // No volatility is left, so that the call is worth its payoff.
    assert.equal(moved.account.positions[0].mark, 25_000);
    assert.deepEqual([moved.curves[0].prices[20], moved.curves[0].now[20]], [125_000, 50_000 - 2_020]);
    const dearer = await simulated({ legs: [], volShift: 0.5 });
    assert.ok(dearer.account.equity > me.equity);
  });

  describe('beside an account that asks a lot (CMB-4)', () => {
    let gate = Promise.withResolvers<void>();
    let stranger: string;
    before(async () => {
      ({ token: stranger } = (await openSession(venue)) as Session & { token: string });
    });
    const told = async (body: object, whose: string) => {
      const answer = await venue.post('/v1/simulate', body, { token: whose });
      return [answer.status, answer.body];
    };
    const hold = (t: TestContext) => {
      gate = Promise.withResolvers<void>();
      t.mock.method(CurveThread.prototype, 'curves', async () => {
        await gate.promise;
        return [];
      });
    };
    /** Requests that were sent before have arrived once others were answered. */
    const arrived = async () => {
      for (let i = 0; i < 5; i++) await venue.get('/healthz');
    };

    it('waits for the one that is under way, and not for all that wait', async (t) => {
      hold(t);
      const done: string[] = [];
      const ask = async (whose: string, name: string) => {
        const { status } = await venue.post('/v1/simulate', { legs: [] }, { token: whose });
        assert.equal(status, 200);
        done.push(name);
      };
      const asked = Array.from({ length: 20 }, () => ask(token, 'other'));
      await arrived();
      asked.push(ask(stranger, 'own'));
      await arrived();
      gate.resolve();
      await Promise.all(asked);
      // The answers of two turns may reach their clients in either order.
      assert.ok(done.indexOf('own') <= 3, done.join());
    });

    it('is told what is wrong with its own at once, however many wait (CMB-4)', async (t) => {
      hold(t);
      const asked = Array.from({ length: 3 }, () => venue.post('/v1/simulate', { legs: [] }, { token }));
      await arrived();
      const leg = { seriesId, side: 'buy', qty: 1 };
      // Nothing lets those go that wait before these have their answers.
      for (const [body, error] of [
        [{ legs: [{ ...leg, side: 'up' }] }, 'legs[0].side must be buy or sell'],
        [{ legs: [{ ...leg, seriesId: 'BTC-1-C-1' }] }, 'legs[0]: unknown series'],
        [{ legs: [{ ...leg, qty: -1 }] }, 'legs[0]: bad qty'],
        [{ legs: [], spotShift: -1 }, 'spotShift malformed'],
      ] as const)
        for (const whose of [token, stranger])
          assert.deepEqual(await told(body, whose), [400, { error }], JSON.stringify(body));
      gate.resolve();
      for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
    });

    it('is not refused where the other is, once too many wait', async (t) => {
      hold(t);
      const refused: unknown[] = [];
      const ask = async (whose: string) => {
        const { status, body } = await venue.post('/v1/simulate', { legs: [] }, { token: whose });
        if (status !== 200) refused.push({ status, body });
        return status;
      };
      const asked = Array.from({ length: 300 }, () => ask(token));
      await waitFor(async () => refused.length === 300 - 1 - 256 || undefined);
      const own = ask(stranger);
      await waitFor(async () => refused.length === 300 - 256 || undefined);
      gate.resolve();
      assert.equal(await own, 200);
      await Promise.all(asked);
      const full = { status: 400, body: { error: 'too many simulations wait — retry' } };
      assert.deepEqual(refused, Array(300 - 256).fill(full));
    });
  });

  it('CMB-4: answers what is wrong, and to nobody but the holder of a token', async () => {
    const leg = { seriesId, side: 'buy', qty: 1 };
    const cases: readonly (readonly [object, string])[] = [
      [{}, 'legs required'],
      [{ legs: {} }, 'legs must be an array'],
      [{ legs: Array(65).fill(leg) }, 'legs malformed'],
      [{ legs: [leg, { ...leg, side: 'up' }] }, 'legs[1].side must be buy or sell'],
      [{ legs: [{ ...leg, qty: '1' }] }, 'legs[0].qty must be a number'],
      [{ legs: [leg, { ...leg, seriesId: 'BTC-1-C-1' }] }, 'legs[1]: unknown series'],
      [{ legs: [{ ...leg, qty: -1 }] }, 'legs[0]: bad qty'],
      [{ legs: [{ ...leg, qty: 0.000_000_1 }] }, 'legs[0]: bad qty'],
      [{ legs: [{ ...leg, price: 0 }] }, 'legs[0]: bad price'],
      [{ legs: [{ ...leg, seriesId: seriesId.replace('-C-', '-P-') }] }, 'legs[0].price required'],
      [{ legs: [], spotShift: -1 }, 'spotShift malformed'],
      [{ legs: [], spotShift: 0.000_000_1 }, 'spotShift malformed'],
      [{ legs: [], volShift: 6 }, 'volShift malformed'],
      [{ legs: [], volShift: 'up' }, 'volShift must be a number'],
    ];
    for (const [body, error] of cases) {
      const answer = await simulate(body);
      assert.deepEqual([answer.status, answer.body], [400, { error }], JSON.stringify(body));
    }
    assert.equal((await venue.post('/v1/simulate', { legs: [] })).status, 401);
    await simulated({ legs: Array(64).fill(leg) });
  });
});
