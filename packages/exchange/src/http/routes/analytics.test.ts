import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { priceOption } from '@venue/protocol/black76';
import { EquityListSchema, IvListSchema, TickerListSchema, VolatilitySchema } from '@venue/protocol/wire';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { ExpiringVenue } from '../../../test/expiring.ts';
import { QuotedVenue, SPOT, VOL } from '../../../test/quoted-venue.ts';
import { type Json, signIn, type Trader, type Venue } from '../../../test/support.ts';

const HOUR_MS = 3_600_000;

const reads = (venue: Venue, schema: TSchema) => {
  const shape = Compile(schema);
  return async (path: string, trader?: Trader): Promise<Json> => {
    const { status, body } = await venue.get(path, trader);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(shape.Check(body), JSON.stringify(shape.Errors(body)[0]));
    return body;
  };
};

describe('tickers over HTTP', () => {
  let quoted: QuotedVenue;
  let alice: Trader;
  let tickers: (path: string) => Promise<Json>;
  before(async () => {
    quoted = await QuotedVenue.start();
    await quoted.quote();
    alice = await signIn(quoted.venue);
    tickers = reads(quoted.venue, TickerListSchema);
  });
  after(() => quoted.stop());

  const tickerOf = async (seriesId: string) =>
    (await tickers('/v1/tickers?symbol=btc')).tickers.find((row: Json) => row.seriesId === seriesId);

  it('have the volatility that the mark implies, and greeks that are its price’s slopes (HIS-3)', async () => {
    const { symbol, spot, tickers: rows, settlementSoFar } = await tickers('/v1/tickers?symbol=BTC');
    assert.deepEqual([symbol, spot, settlementSoFar], ['BTC', SPOT, undefined]);
    const listed = await quoted.series();
    assert.deepEqual(
      rows.map((row: Json) => row.seriesId),
      listed.map(({ seriesId }) => seriesId),
    );
    let checked = 0;
    for (const [i, { right, strike, expiryTs }] of listed.entries()) {
      const row = rows[i];
      const years = Math.ceil((expiryTs * 1_000 - quoted.nowMs) / 60_000) / 525_600;
      const price = (more: Partial<{ forward: number; vol: number; years: number }>) =>
        priceOption({ right, forward: SPOT, strike, years, vol: row.iv, ...more });
      if (row.iv === null) continue;
      checked += 1;
      assert.ok(Math.abs(price({}) - row.mark) < 1e-3, `${row.seriesId}: ${price({})} ${row.mark}`);
      const slope = (of: (by: number) => number, by: number) => (of(by) - of(-by)) / (2 * by);
      const close = (value: number, expected: number, unit: number) =>
        assert.ok(
          Math.abs(value - expected) < 1e-4 * Math.max(Math.abs(expected), unit),
          `${row.seriesId} ${value} ${expected}`,
        );
      close(
        row.delta,
        slope((by) => price({ forward: SPOT + by }), 1),
        1,
      );
      close(row.vega, slope((by) => price({ vol: row.iv + by }), 1e-5) / 100, 1);
      const second = (price({ forward: SPOT + 50 }) - 2 * price({}) + price({ forward: SPOT - 50 })) / 2_500;
      assert.ok(Math.abs(row.gamma / second - 1) < 0.01 || second < 1e-9, `${row.gamma} ${second}`);
      close(row.theta, slope((by) => price({ years: years - by }), 1e-6) / 365, 1);
    }
    assert.ok(checked > 0.8 * listed.length, `${checked} of ${listed.length}`);
  });

  it('have no volatility where the mark is at or under intrinsic, and the greeks of the payoff (HIS-3)', async () => {
    const atPayoff = ({ mark }: Json, { right, strike }: Json) => {
      if (mark === null) return [null, null, null, null];
      const isInTheMoney = right === 'C' ? SPOT > strike : SPOT < strike;
      return [isInTheMoney ? (right === 'C' ? 1 : -1) : 0, 0, 0, 0];
    };
    const rows: Json[] = (await tickers('/v1/tickers?symbol=BTC')).tickers;
    const listed = await quoted.series();
    const isUnder = ({ mark }: Json, { right, strike }: Json) =>
      mark === null || mark <= Math.max(0, right === 'C' ? SPOT - strike : strike - SPOT);
    for (const [i, row] of rows.entries()) {
      assert.equal(row.iv === null, isUnder(row, listed[i]), row.seriesId);
      if (row.iv === null)
        assert.deepEqual([row.delta, row.gamma, row.vega, row.theta], atPayoff(row, listed[i]), row.seriesId);
    }
  });

  it('have last price, open interest and the volume of 24 h, which passes (HIS-3)', async () => {
    const { seriesId } = (await quoted.series()).at(-1);
    assert.deepEqual([(await tickerOf(seriesId)).last, (await tickerOf(seriesId)).volume24h], [null, 0]);
    const { ask } = await tickerOf(seriesId);
    for (const qty of [0.5, 0.25])
      await quoted.venue.post('/v1/order', { seriesId, side: 'buy', qty, price: ask }, alice);
    const shown = async () => {
      const { last, volume24h, openInterest } = await tickerOf(seriesId);
      return [last, volume24h, openInterest];
    };
    assert.deepEqual(await shown(), [ask, 0.75, 0.75]);
    await quoted.passTo(quoted.nowMs + 24 * HOUR_MS - 60_000);
    assert.deepEqual(await shown(), [ask, 0.75, 0.75]);
    await quoted.passTo(quoted.nowMs + 60_000);
    assert.deepEqual(await shown(), [ask, 0, 0.75]);
  });

  it('are of one symbol, which exists (HIS-3)', async () => {
    const fault = async (path: string) => {
      const { status, body } = await quoted.venue.get(path);
      return [status, body.error];
    };
    assert.deepEqual(await fault('/v1/tickers'), [400, 'symbol required']);
    assert.deepEqual(await fault('/v1/tickers?symbol=XYZ'), [404, 'unknown symbol']);
    const { tickers: none } = await tickers('/v1/tickers?symbol=ETH');
    assert.deepEqual(none, []);
  });
});

describe('the settlement so far', () => {
  it('is the median of the averages up to now, and only in the half hour before a cutoff (HIS-3, ORA-1)', async () => {
    const expiring = await ExpiringVenue.start();
    const soFar = async () => (await expiring.venue.get('/v1/tickers?symbol=BTC')).body.settlementSoFar;
    assert.equal(await soFar(), undefined);
    for (const [minutes, a, b] of [
      [29, 100_000, 100_100],
      [28.5, 100_200, 100_100],
      [28, 100_200, 100_100],
    ] as const) {
      expiring.toBeforeExpiry(minutes * 60_000);
      await expiring.print({ a, b });
    }
    // Two minutes: the first price counts for a minute and a half, as it is extended back to the start.
    const a = (100_000 * 90 + 100_200 * 30) / 120;
    assert.equal(await soFar(), (a + 100_100) / 2);
    await expiring.expireAt({ a: 100_200, b: 100_100 });
    assert.equal(await soFar(), undefined);
    await expiring.stop();
  });
});

describe('volatility and equity by the hour over HTTP', () => {
  let quoted: QuotedVenue;
  let alice: Trader;
  let bob: Trader;
  let hour: number;
  before(async () => {
    quoted = await QuotedVenue.start();
    await quoted.quote();
    alice = await signIn(quoted.venue);
    bob = await signIn(quoted.venue);
    hour = Math.ceil(quoted.nowMs / HOUR_MS) * HOUR_MS;
    const { seriesId } = (await quoted.series()).at(-1);
    await quoted.venue.post('/v1/order', { seriesId, side: 'buy', qty: 1, price: 50_000 }, alice);
    for (const seconds of [1, 30, 90]) await quoted.passTo(hour + seconds * 1_000);
    await quoted.passTo(hour + HOUR_MS + 60_000);
  });
  after(() => quoted.stop());

  it('is the index of the quotes, now and at the start of each hour (HIS-4)', async () => {
    const volatility = reads(quoted.venue, VolatilitySchema);
    const { symbol, index, rows, next } = await volatility('/v1/volatility?symbol=btc');
    assert.deepEqual([symbol, next], ['BTC', undefined]);
    // The strikes end within a deviation of the spot, so the sum is short of the whole.
    assert.ok(index > 0.4 * 100 * VOL && index < 100 * VOL, `${index}`);
    assert.deepEqual(
      rows.map(({ t }: Json) => t),
      [hour, hour + HOUR_MS],
    );
    assert.ok(Math.abs(rows[0].index - index) < 0.5, `${rows[0].index} ${index}`);
    const first = await volatility(`/v1/volatility?symbol=BTC&from=${hour}&to=${hour + 1}`);
    assert.deepEqual(first.rows, rows.slice(0, 1));
    const none = await volatility('/v1/volatility?symbol=ETH');
    assert.deepEqual([none.index, none.rows], [null, []]);
  });

  it('is the implied volatility at the money of an expiry (HIS-4)', async () => {
    const iv = reads(quoted.venue, IvListSchema);
    const { expiryTs } = (await quoted.series()).at(-1);
    const { rows } = await iv(`/v1/iv?symbol=BTC&expiryTs=${expiryTs}`);
    assert.deepEqual(
      rows.map(({ t }: Json) => t),
      [hour, hour + HOUR_MS],
    );
    for (const row of rows) assert.ok(Math.abs(row.iv / VOL - 1) < 0.02, `${row.iv}`);
    assert.deepEqual((await iv('/v1/iv?symbol=BTC&expiryTs=1')).rows, []);
  });

  it('is the equity of the account that asks, where it changed (HIS-4)', async () => {
    const equity = reads(quoted.venue, EquityListSchema);
    const { rows, completeFrom } = await equity('/v1/equity', alice);
    const { body: me } = await quoted.venue.get('/v1/me', alice);
    assert.deepEqual(
      [rows.length, rows[0].t, rows.at(-1).equity, completeFrom],
      [1, hour, me.equity, undefined],
    );
    assert.deepEqual((await equity('/v1/equity', bob)).rows, [{ t: hour, equity: 100_000 }]);
    assert.equal((await quoted.venue.get('/v1/equity')).status, 401);
  });

  it('is refused where a query means nothing (HIS-4)', async () => {
    const fault = async (path: string, trader?: Trader) => {
      const { status, body } = await quoted.venue.get(path, trader);
      return [status, body.error];
    };
    assert.deepEqual(await fault('/v1/volatility?symbol=XYZ'), [404, 'unknown symbol']);
    assert.deepEqual(await fault('/v1/volatility'), [400, 'symbol required']);
    assert.deepEqual(await fault('/v1/iv?symbol=XYZ&expiryTs=1'), [404, 'unknown symbol']);
    assert.deepEqual(await fault('/v1/iv?symbol=BTC'), [400, 'expiryTs required']);
    assert.deepEqual(await fault('/v1/iv?symbol=BTC&expiryTs=x'), [400, 'expiryTs malformed']);
    for (const path of ['/v1/volatility?symbol=BTC', '/v1/iv?symbol=BTC&expiryTs=1', '/v1/equity?']) {
      assert.deepEqual(await fault(`${path}&from=2&to=1`, alice), [400, 'from malformed']);
      assert.deepEqual(await fault(`${path}&to=-1`, alice), [400, 'to malformed']);
    }
  });
});
