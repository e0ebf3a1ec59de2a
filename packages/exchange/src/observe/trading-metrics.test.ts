import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LocalVenue, openSession, pricedVenue, signIn } from '../../test/support.ts';

describe('the trading metrics', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await pricedVenue();
  });
  after(() => venue.exchange.stop());

  async function samples(): Promise<ReadonlyMap<string, number>> {
    const lines = (await (await fetch(`${venue.url}/metrics`)).text()).split('\n');
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))] as const),
    );
  }

  it('count orders by status, rejections by reason without amounts, cancels, trades and contracts', async () => {
    const { seriesId, sid } = await venue.listed('BTC');
    const { token } = await signIn(venue);
    await venue.quote({ rows: [[sid, [[3, 1]], [[4, 5]], 0.5, 0.5]] });
    const order = (body: object) => venue.post('/v1/order', { seriesId, ...body }, { token });
    await order({ side: 'buy', qty: 1.5 });
    await order({ side: 'buy', qty: 1, price: 1 });
    await order({ side: 'buy', qty: 1e6, price: 5 });
    await order({ side: 'sell', qty: 100 });
    await order({ side: 'buy', qty: 0 });
    await venue.post('/v1/cancel', {}, { token });
    const counted = await samples();
    const of = (name: string) => counted.get(name) ?? 0;
    assert.equal(of('venue_orders_total{status="filled"}'), 1);
    assert.equal(of('venue_orders_total{status="rested"}'), 1);
    assert.equal(of('venue_orders_total{status="rejected"}'), 3);
    assert.equal(of('venue_orders_rejected_total{reason="insufficient buying power"}'), 1);
    assert.equal(of('venue_orders_rejected_total{reason="margin is off — enable margin to sell short"}'), 1);
    assert.equal(of('venue_orders_rejected_total{reason="bad qty"}'), 1);
    assert.equal(of('venue_orders_cancelled_total'), 1);
    assert.equal(of('venue_fills_total{kind="trade"}'), 1, 'one trade, though both sides have a row of it');
    assert.equal(of('venue_traded_contracts_total{symbol="BTC"}'), 1.5);
    assert.equal(of('venue_fills_total{kind="liquidation"}'), 0);
  });

  it('count refused entries by refusal', async () => {
    const { seriesId } = await venue.listed('BTC');
    const { token } = await signIn(venue);
    await venue.post('/v1/margin', { enabled: true }, { token });
    await venue.post('/v1/order', { seriesId, side: 'sell', qty: 0.5 }, { token });
    assert.equal((await venue.post('/v1/margin', { enabled: false }, { token })).status, 400);
    const refused = [...(await samples())].filter(([name]) =>
      name.startsWith('venue_entries_refused_total{kind="margin"'),
    );
    assert.deepEqual(refused, [
      ['venue_entries_refused_total{kind="margin",refusal="marginShortExposure"}', 1],
    ]);
  });

  it('QTS-3: count pushes to quote sets, their rows, and sets that are used up', async () => {
    const { seriesId, sid } = await venue.listed('BTC');
    await venue.quote({ rows: [[sid, [], []]] });
    const [alice, bob] = [await openSession(venue), await openSession(venue)];
    const { body } = await venue.get('/v1/venue');
    const protection = { symbol: 'BTC', windowMs: 1_000, qty: 1, frozenMs: 0 };
    await venue.post(
      '/v1/batch',
      await alice.batch(body.venue, [{ type: 'protect', set: 1, ...protection }]),
    );
    const push = async (quotes: object[]) =>
      venue.post('/v1/quote-sets/1', { quotes }, { token: alice.token });
    await push([
      {
        seriesId,
        bids: [
          [2, 1],
          [1.5, 1],
        ],
      },
      { seriesId, bids: [[2, 2]] },
      {
        seriesId,
        bids: [
          [2, 1],
          [1.5, 1],
        ],
      },
    ]);
    await venue.post('/v1/margin', { enabled: true }, { token: bob.token });
    await venue.post('/v1/order', { seriesId, side: 'sell', qty: 1, price: 2 }, { token: bob.token });
    await push([{ seriesId, bids: [[2, 1]] }]);
    const late = JSON.stringify({ quotes: [{ seriesId, bids: [[2, 1]] }] });
    const headers = await alice.pushHeaders({ venueId: body.venue, set: 1, body: late });
    await venue.send('/v1/quote-sets/1', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: late,
    });
    const counted = await samples();
    const of = (name: string) => counted.get(`venue_${name}`) ?? 0;
    assert.equal(of('set_pushes_total{result="carried out"}'), 1);
    // Without a signature the set's refusal is no entry.
    assert.equal(of('set_pushes_total{result="declined"}'), 1);
    assert.equal(of('set_rows_total{result="applied"}'), 1);
    assert.equal(of('set_rows_total{result="kept"}'), 0);
    assert.equal(of('set_rows_total{result="error"}'), 0);
    assert.deepEqual([of('quote_sets'), of('quote_sets_frozen')], [1, 1]);
    await venue.post(
      '/v1/batch',
      await alice.batch(body.venue, [{ type: 'protect', set: 1, ...protection, qty: 0 }]),
    );
  });
});
