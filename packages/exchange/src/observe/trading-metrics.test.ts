import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LocalVenue, pricedVenue, signIn } from '../../test/support.ts';

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
    const refused = [...(await samples())].filter(([name]) => name.startsWith('venue_entries_refused_total'));
    assert.deepEqual(refused, [
      ['venue_entries_refused_total{kind="margin",refusal="marginShortExposure"}', 1],
    ]);
  });
});
