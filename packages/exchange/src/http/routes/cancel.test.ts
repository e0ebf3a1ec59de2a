import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { CancelAnswerSchema } from '@venue/protocol/wire';
import { answersWith, assertShape } from '../../../test/replies.ts';
import { type Json, type LocalVenue, openSession, pricedVenue, type Session } from '../../../test/support.ts';

describe('cancel (ORD-9, ORD-10, ORD-12)', () => {
  let venue: LocalVenue;
  let seriesId: string;
  let sid: number;
  let alice: Session & { token: string };
  before(async () => {
    venue = await pricedVenue();
    ({ seriesId, sid } = await venue.listed('BTC'));
  });
  after(() => venue.exchange.stop());
  beforeEach(async () => {
    alice = await openSession(venue);
    await venue.quote({ rows: [[sid, [[1000, 5]], [[1010, 5]]]] });
  });

  const buy = (change: object = {}) => ({ seriesId, side: 'buy' as const, qty: 1, price: 1010, ...change });
  const me = async () => {
    const { guardAt: _, ...account } = (await venue.get('/v1/me', { token: alice.token })).body;
    return account;
  };
  const rest = async (price: number): Promise<number> =>
    (await venue.post('/v1/order', await alice.order(buy({ price })))).body.orderId;

  it('cancels everything, or the orders of some symbols; cancelling nothing is no error', async () => {
    await rest(1);
    await rest(2);
    const none = await venue.post('/v1/cancel', await alice.cancel(['ETH']));
    assert.deepEqual([none.status, none.body.ok, none.body.pulled], [200, false, 0]);
    const some = await venue.post('/v1/cancel', await alice.cancel(['eth', 'btc']));
    assertShape(CancelAnswerSchema, some.body);
    assert.deepEqual([some.body.ok, some.body.pulled, some.body.account.openOrderCount], [true, 2, 0]);
    await rest(3);
    const all = await venue.post('/v1/cancel', await alice.cancel('all'));
    assert.deepEqual([all.body.ok, all.body.pulled], [true, 1]);
  });

  it('takes symbol as a list of one, and an unsigned request with a token', async () => {
    await rest(1);
    const { body } = await venue.post('/v1/cancel', { symbol: 'btc' }, { token: alice.token });
    assert.deepEqual([body.ok, body.pulled], [true, 1]);
  });

  it('cannot be widened after signing', async () => {
    await rest(1);
    const { symbols: _, ...widened } = (await alice.cancel(['ETH'])) as Json;
    answersWith(await venue.post('/v1/cancel', widened), 401, 'bad signature');
    const other = { ...(await alice.cancel(['ETH'])), symbols: ['BTC'] };
    answersWith(await venue.post('/v1/cancel', other), 401, 'bad signature');
    assert.equal((await me()).openOrderCount, 1);
  });

  const MALFORMED: [object, string][] = [
    [{ symbols: [] }, 'symbols must not be empty'],
    [{ symbols: ['BTC'], symbol: 'BTC' }, 'symbol and symbols exclude each other'],
    [{ symbol: 'all' }, 'all is not a symbol'],
    [{ symbols: ['BTC', 'ALL'] }, 'all is not a symbol'],
    [{ symbols: ['BTC,ETH'] }, 'symbol contains a comma'],
    [{ symbols: 'BTC' }, 'symbols must be an array'],
    [{ symbols: [5] }, 'symbols[0] must be a string'],
    [{ symbols: null }, 'symbols must be an array'],
    [{ symbol: null }, 'symbol must be a string'],
    [{ symbol: '' }, 'symbol malformed'],
    [{ symbol: 'X'.repeat(65) }, 'symbol malformed'],
    [{ symbols: ['X'.repeat(65)] }, 'symbols[0] malformed'],
  ];
  for (const [body, error] of MALFORMED) {
    it(`of ${JSON.stringify(body)} is malformed: ${error}`, async () => {
      answersWith(await venue.post('/v1/cancel', body, { token: alice.token }), 400, error);
    });
  }

  it('names at most 1,000 symbols', async () => {
    const cancel = (count: number) =>
      venue.post('/v1/cancel', { symbols: Array(count).fill('ETH') }, { token: alice.token });
    assert.equal((await cancel(1_000)).status, 200);
    answersWith(await cancel(1_001), 400, 'symbols malformed');
  });

  it('BAT-7: logs signed symbols as signed, and of unsigned ones each that is listed, once', async () => {
    const loggedSymbols = () => {
      const logged = venue.store.entries.findLast(({ kind }) => kind === 'cancel');
      return JSON.parse(new TextDecoder().decode(logged?.body)).symbols;
    };
    await rest(1);
    const { body } = await venue.post('/v1/cancel', await alice.cancel(['btc', 'ETH', 'BTC', 'eth']));
    assert.deepEqual([body.ok, body.pulled], [true, 1]);
    assert.deepEqual(loggedSymbols(), ['BTC', 'ETH', 'BTC', 'ETH']);
    const named = ['btc', 'NONE', 'BTC'];
    await venue.post('/v1/cancel', { symbols: named }, { token: alice.token });
    assert.deepEqual(loggedSymbols(), ['BTC']);
  });

  it('BAT-7: writes of an unsigned one little more than what it pulls', async () => {
    const written = async (symbols: string[]) => {
      await venue.post('/v1/cancel', { symbols }, { token: alice.token });
      return venue.store.entries.findLast(({ kind }) => kind === 'cancel')!.body.length;
    };
    const unlisted = Array.from({ length: 998 }, (_, i) => `${i}`.padStart(64, 'X'));
    const alone = await written(['BTC']);
    const many = await written(['BTC', ...unlisted, 'BTC']);
    assert.ok(many <= 1.2 * alone, `${many} for ${alone}`);
  });

  it('with a line break in a signed symbol is 401', async () => {
    const signed = { ...(await alice.cancel(['BTC'])), symbols: ['BTC\nnonce: 1'] };
    answersWith(await venue.post('/v1/cancel', signed), 401, 'field contains a newline');
  });

  it("of one order cancels only that one; another's and an absent one are no error", async () => {
    const [first, second] = [await rest(1), await rest(2)];
    const bob = await openSession(venue);
    const others = await venue.post('/v1/order/cancel', await bob.cancelOrder(first));
    assert.deepEqual([others.status, others.body.ok, others.body.orderId], [200, false, first]);
    const own = await venue.post('/v1/order/cancel', await alice.cancelOrder(first));
    assert.deepEqual([own.body.ok, own.body.account.openOrders.map(({ id }: Json) => id)], [true, [second]]);
    assert.equal((await venue.post('/v1/order/cancel', await alice.cancelOrder(first))).body.ok, false);
    for (const orderId of [0, -1, 2 ** 53 - 1]) {
      assert.equal(
        (await venue.post('/v1/order/cancel', { orderId }, { token: alice.token })).body.ok,
        false,
      );
    }
    const malformed: [unknown, string][] = [
      [undefined, 'orderId required'],
      ['1', 'orderId must be an integer'],
      [1.5, 'orderId must be an integer'],
      [1e300, 'orderId malformed'],
    ];
    for (const [orderId, error] of malformed) {
      answersWith(await venue.post('/v1/order/cancel', { orderId }, { token: alice.token }), 400, error);
      const signed = { ...(await alice.cancelOrder(first)), orderId };
      answersWith(await venue.post('/v1/order/cancel', signed), 400, error);
    }
  });
});
