import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseSeriesId } from '@venue/protocol';
import { CandleListSchema, TradeListSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { ChannelClient } from '../../../test/channels.ts';
import { type Json, type LocalVenue, pricedVenue, signIn, type Trader } from '../../../test/support.ts';

const tradeShape = Compile(TradeListSchema);
const candleShape = Compile(CandleListSchema);

describe('the history of the market over HTTP', () => {
  let venue: LocalVenue;
  let seriesId: string;
  let seller: Trader;
  let buyer: Trader;
  before(async () => {
    venue = await pricedVenue();
    ({ seriesId } = await venue.listed('BTC'));
    seller = await signIn(venue);
    buyer = await signIn(venue);
    await venue.post('/v1/margin', { enabled: true }, seller);
    for (const price of [3, 5, 2]) {
      await order(seller, 'sell', price);
      await order(buyer, 'buy', price);
    }
  });
  after(() => venue.exchange.stop());

  const order = (trader: Trader, side: string, price: number, qty = 0.5) =>
    venue.post('/v1/order', { seriesId, side, qty, price }, trader);
  const trades = async (query: string): Promise<Json> => {
    const { status, body } = await venue.get(`/v1/trades?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(tradeShape.Check(body), JSON.stringify(body));
    return body;
  };
  const candles = async (query: string): Promise<Json[]> => {
    const { status, body } = await venue.get(`/v1/candles?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(candleShape.Check(body), JSON.stringify(body));
    return body.candles;
  };
  const chainVolume = async (): Promise<number> => {
    const { expiryTs } = parseSeriesId(seriesId)!;
    const { body } = await venue.get(`/v1/chain?symbol=BTC&expiryTs=${expiryTs}`);
    const legs = body.rows.flatMap(({ call, put }: Json) => [call, put]);
    return legs.find((leg: Json) => leg?.seriesId === seriesId).volume;
  };
  const fault = async (path: string): Promise<unknown[]> => {
    const { status, body } = await venue.get(path);
    return [status, body.error];
  };

  it('has a trade as soon as its order is answered, and pages to older ones (HIS-1)', async () => {
    const first = await trades('symbol=btc&limit=2');
    assert.deepEqual(
      first.trades.map(({ price, side, qty }: Json) => [price, side, qty]),
      [
        [2, 'buy', 0.5],
        [5, 'buy', 0.5],
      ],
    );
    assert.equal(first.before, first.trades[1].id);
    const rest = await trades(`seriesId=${seriesId}&before=${first.before}`);
    assert.deepEqual([rest.trades.length, rest.trades[0].price, rest.before], [1, 3, undefined]);
  });

  it('names the entry that it shows, which is no older than the last write (HIS-1, VEN-2)', async () => {
    const written = await fetch(`${venue.url}/v1/venue`);
    const shown = await fetch(`${venue.url}/v1/trades?symbol=BTC`);
    const seqOf = ({ headers }: Response) => Number(headers.get('x-venue-seq'));
    assert.ok(seqOf(shown) >= seqOf(written) && seqOf(written) > 0);
  });

  it('has candles of trades with their volume, and of a spot without (HIS-2)', async () => {
    const [day] = await candles(`of=trade:${seriesId}&interval=1d`);
    const { t, ...prices } = day;
    assert.deepEqual(prices, { o: 3, h: 5, l: 2, c: 2, v: 1.5 });
    assert.equal(t % 86_400_000, 0);
    const [spot] = await candles('of=spot:btc&interval=1h');
    assert.deepEqual([spot.c, 'v' in spot, spot.t % 3_600_000], [100_000, false, 0]);
    assert.deepEqual(await candles(`of=trade:${seriesId}&interval=1d&from=${t + 1}`), []);
    assert.deepEqual(await candles(`of=trade:${seriesId}&interval=1d&to=${t}`), []);
    assert.equal((await candles(`of=trade:${seriesId}&interval=1d&from=${t}&to=${t + 1}`)).length, 1);
  });

  it('shows what an account trades with itself, in no candle, last price or volume (HIS-1)', async () => {
    const ticker = async () => {
      const { body } = await venue.get('/v1/tickers?symbol=BTC');
      const { last, volume24h } = body.tickers.find((one: Json) => one.seriesId === seriesId);
      return { last, volume24h };
    };
    const client = await new ChannelClient(venue).opened();
    await client.subscribe('trades:BTC');
    await client.snapshot('trades:BTC');
    assert.deepEqual(await ticker(), { last: 2, volume24h: 1.5 });
    const candlesBefore = await candles(`of=trade:${seriesId}&interval=1m`);
    await order(seller, 'sell', 9_000, 0.000001);
    await order(seller, 'buy', 9_000, 0.000001);
    const [own, before] = (await trades('symbol=BTC&limit=2')).trades;
    const { id, ts } = own;
    const print = { seriesId, price: 9_000, qty: 0.000001, side: 'buy', ts };
    assert.deepEqual(own, { id, ...print, self: true });
    assert.ok(!('self' in before));
    const told = await client.message('trades:BTC', ({ type }) => type === 'delta');
    assert.deepEqual(told.trades, [own]);
    const second = await new ChannelClient(venue).opened();
    await second.subscribe('trades:BTC');
    assert.deepEqual((await second.snapshot('trades:BTC')).trades.at(-1), own);
    assert.deepEqual(await candles(`of=trade:${seriesId}&interval=1m`), candlesBefore);
    assert.deepEqual(await ticker(), { last: 2, volume24h: 1.5 });
    const metrics = await (await fetch(`${venue.url}/metrics`)).text();
    assert.match(metrics, /venue_traded_contracts_total\{symbol="BTC"\} 1\.5\n/);
    // The contract's tape and chain do not tell it apart.
    assert.deepEqual((await venue.get('/v1/tape?symbol=BTC')).body.fills[0], print);
    assert.equal(await chainVolume(), 1.500001);
    for (const { socket } of [client, second]) socket.terminate();
  });

  it('refuses every query that it cannot mean (HIS-1, HIS-2)', async () => {
    const one = 'one of symbol and seriesId is required, and not both';
    assert.deepEqual(await fault('/v1/trades'), [400, one]);
    assert.deepEqual(await fault(`/v1/trades?symbol=BTC&seriesId=${seriesId}`), [400, one]);
    assert.deepEqual(await fault('/v1/trades?symbol=XYZ'), [404, 'unknown symbol']);
    assert.deepEqual(await fault('/v1/trades?seriesId=BTC-1-C-1'), [404, 'unknown series']);
    for (const limit of ['0', '501', '-1', '1.5'])
      assert.deepEqual(await fault(`/v1/trades?symbol=BTC&limit=${limit}`), [400, 'limit malformed']);
    assert.deepEqual(await fault('/v1/trades?symbol=BTC&before=x'), [400, 'before malformed']);
    for (const name of ['BTC', 'spot:', 'mid:BTC', 'spot:B%20C'])
      assert.deepEqual(await fault(`/v1/candles?of=${name}&interval=1m`), [400, 'of malformed']);
    assert.deepEqual(await fault('/v1/candles?interval=1m'), [400, 'of required']);
    assert.deepEqual(await fault('/v1/candles?of=spot:BTC'), [400, 'interval required']);
    assert.deepEqual(await fault('/v1/candles?of=spot:BTC&interval=2m'), [
      400,
      'interval must be 1m or 5m or 15m or 1h or 4h or 1d',
    ]);
    assert.deepEqual(await fault('/v1/candles?of=spot:BTC&interval=1m&from=-1'), [400, 'from malformed']);
    assert.deepEqual(await fault('/v1/candles?of=spot:BTC&interval=1m&from=2&to=1'), [400, 'from malformed']);
    assert.deepEqual(await fault('/v1/candles?of=spot:XYZ&interval=1m'), [404, 'unknown symbol']);
    assert.deepEqual(await fault('/v1/candles?of=mark:BTC-1-C-1&interval=1m'), [404, 'unknown series']);
  });
});
