import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { answersWith } from '../../../test/replies.ts';
import { type LocalVenue, openSession, pricedVenue, signIn, type Trader } from '../../../test/support.ts';

describe('while signing is mandatory (AUTH-3, FINE-14)', () => {
  let venue: LocalVenue;
  let trader: Trader;
  before(async () => {
    venue = await pricedVenue({ VENUE_REQUIRE_SIGNED_ORDERS: '1' });
    trader = await signIn(venue);
  });
  after(() => venue.exchange.stop());

  const UNSIGNED: [string, object][] = [
    ['/v1/order', { seriesId: 'BTC-1-C-1', side: 'buy', qty: 1 }],
    ['/v1/cancel', {}],
    ['/v1/order/cancel', { orderId: 1 }],
    ['/v1/margin', { enabled: true }],
  ];
  for (const [path, body] of UNSIGNED) {
    it(`${path} with only a token is 401`, async () => {
      const reply = await venue.post(path, body, { token: trader.token });
      answersWith(reply, 401, 'this request must be signed — approve a trading session');
    });
  }

  it('/v1/quotes is 401 whatever it carries', async () => {
    const refusal = 'this request must be signed — approve a trading session';
    answersWith(await venue.quote({ rows: [] }), 401, refusal);
    answersWith(await venue.post('/v1/quotes', 'junk'), 401, refusal);
    answersWith(await venue.post('/v1/quotes', { sessionKey: 1 }), 401, refusal);
  });

  it('a signed order passes, and reads still take the token', async () => {
    const session = await openSession(venue, trader.wallet);
    const { seriesId } = await venue.listed('BTC');
    const { body } = await venue.post(
      '/v1/order',
      await session.order({ seriesId, side: 'buy', qty: 1, price: 1 }),
    );
    assert.equal(body.status, 'rested');
    assert.equal((await venue.get('/v1/me', { token: trader.token })).body.openOrderCount, 1);
  });
});
