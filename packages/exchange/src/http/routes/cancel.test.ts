import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CancelAnswerSchema } from '@venue/protocol/wire';
import { quotedCall } from '../../../test/quoted-call.ts';
import { answersWith, assertShape } from '../../../test/replies.ts';
import { type Json, openSession } from '../../../test/support.ts';

describe('cancel (ORD-9, ORD-10, ORD-12)', () => {
  const at = quotedCall();
  const rest = async (price: number): Promise<number> =>
    (await at.venue.post('/v1/order', await at.alice.order(at.buy({ price })))).body.orderId;

  it('cancels everything, or the orders of some symbols; cancelling nothing is no error', async () => {
    await rest(1);
    await rest(2);
    const none = await at.venue.post('/v1/cancel', await at.alice.cancel(['ETH']));
    assert.deepEqual([none.status, none.body.ok, none.body.pulled], [200, false, 0]);
    const some = await at.venue.post('/v1/cancel', await at.alice.cancel(['eth', 'btc']));
    assertShape(CancelAnswerSchema, some.body);
    assert.deepEqual([some.body.ok, some.body.pulled, some.body.account.openOrderCount], [true, 2, 0]);
    await rest(3);
    const all = await at.venue.post('/v1/cancel', await at.alice.cancel('all'));
    assert.deepEqual([all.body.ok, all.body.pulled], [true, 1]);
  });

  it('takes symbol as a list of one, and an unsigned request with a token', async () => {
    await rest(1);
    const { body } = await at.venue.post('/v1/cancel', { symbol: 'btc' }, { token: at.alice.token });
    assert.deepEqual([body.ok, body.pulled], [true, 1]);
  });

  it('cannot be widened after signing', async () => {
    await rest(1);
    const { symbols: _, ...widened } = (await at.alice.cancel(['ETH'])) as Json;
    answersWith(await at.venue.post('/v1/cancel', widened), 401, 'bad signature');
    const other = { ...(await at.alice.cancel(['ETH'])), symbols: ['BTC'] };
    answersWith(await at.venue.post('/v1/cancel', other), 401, 'bad signature');
    assert.equal((await at.me()).openOrderCount, 1);
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
      answersWith(await at.venue.post('/v1/cancel', body, { token: at.alice.token }), 400, error);
    });
  }

  it('names at most 1,000 symbols', async () => {
    const cancel = (count: number) =>
      at.venue.post('/v1/cancel', { symbols: Array(count).fill('ETH') }, { token: at.alice.token });
    assert.equal((await cancel(1_000)).status, 200);
    answersWith(await cancel(1_001), 400, 'symbols malformed');
  });

  it('BAT-7: logs signed symbols as signed, and of unsigned ones each that is listed, once', async () => {
    const loggedSymbols = () => {
      const logged = at.venue.store.entries.findLast(({ kind }) => kind === 'cancel');
      return JSON.parse(new TextDecoder().decode(logged?.body)).symbols;
    };
    await rest(1);
    const { body } = await at.venue.post('/v1/cancel', await at.alice.cancel(['btc', 'ETH', 'BTC', 'eth']));
    assert.deepEqual([body.ok, body.pulled], [true, 1]);
    assert.deepEqual(loggedSymbols(), ['BTC', 'ETH', 'BTC', 'ETH']);
    const named = ['btc', 'NONE', 'BTC'];
    await at.venue.post('/v1/cancel', { symbols: named }, { token: at.alice.token });
    assert.deepEqual(loggedSymbols(), ['BTC']);
  });

  it('BAT-7: writes of an unsigned one little more than what it pulls', async () => {
    const written = async (symbols: string[]) => {
      await at.venue.post('/v1/cancel', { symbols }, { token: at.alice.token });
      return at.venue.store.entries.findLast(({ kind }) => kind === 'cancel')!.body.length;
    };
    const unlisted = Array.from({ length: 998 }, (_, i) => `${i}`.padStart(64, 'X'));
    const alone = await written(['BTC']);
    const many = await written(['BTC', ...unlisted, 'BTC']);
    assert.ok(many <= 1.2 * alone, `${many} for ${alone}`);
  });

  it('with a line break in a signed symbol is 401', async () => {
    const signed = { ...(await at.alice.cancel(['BTC'])), symbols: ['BTC\nnonce: 1'] };
    answersWith(await at.venue.post('/v1/cancel', signed), 401, 'field contains a newline');
  });

  it("of one order cancels only that one; another's and an absent one are no error", async () => {
    const [first, second] = [await rest(1), await rest(2)];
    const bob = await openSession(at.venue);
    const others = await at.venue.post('/v1/order/cancel', await bob.cancelOrder(first));
    assert.deepEqual([others.status, others.body.ok, others.body.orderId], [200, false, first]);
    const own = await at.venue.post('/v1/order/cancel', await at.alice.cancelOrder(first));
    assert.deepEqual([own.body.ok, own.body.account.openOrders.map(({ id }: Json) => id)], [true, [second]]);
    assert.equal((await at.venue.post('/v1/order/cancel', await at.alice.cancelOrder(first))).body.ok, false);
    for (const orderId of [0, -1, 2 ** 53 - 1]) {
      assert.equal(
        (await at.venue.post('/v1/order/cancel', { orderId }, { token: at.alice.token })).body.ok,
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
      answersWith(
        await at.venue.post('/v1/order/cancel', { orderId }, { token: at.alice.token }),
        400,
        error,
      );
      const signed = { ...(await at.alice.cancelOrder(first)), orderId };
      answersWith(await at.venue.post('/v1/order/cancel', signed), 400, error);
    }
  });
});
