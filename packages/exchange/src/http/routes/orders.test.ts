import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MarginAnswerSchema, OrderAcceptedSchema, OrderRejectedSchema } from '@venue/protocol/wire';
import { quotedCall } from '../../../test/quoted-call.ts';
import { answersWith, assertShape } from '../../../test/replies.ts';
import { addressOf, approval, type Json, newWallet, Session, signIn } from '../../../test/support.ts';

describe('trading writes', () => {
  const at = quotedCall();

  describe('a signed order', () => {
    it('trades at the price of the book, pays the fee, and echoes the account (NUM-3, ORD-6)', async () => {
      const { status, body } = await at.venue.post(
        '/v1/order',
        await at.alice.order(at.buy({ qty: 1.5, price: 1500 })),
      );
      assert.equal(status, 200);
      assertShape(OrderAcceptedSchema, body);
      assert.deepEqual([body.status, body.fills, body.restedQty], ['filled', [{ price: 1010, qty: 1.5 }], 0]);
      assert.equal(body.account.cash, 100_000 - 1515 - 7.575);
      assert.equal(body.account.positions[0].avgPrice, 1010);
      assert.deepEqual(body.account, await at.me());
      const { fills } = (await at.venue.get('/v1/fills', { token: at.alice.token })).body;
      assert.deepEqual(Object.keys(fills[0]), [
        'id',
        'orderId',
        'seriesId',
        'symbol',
        'side',
        'price',
        'qty',
        'fee',
        'realized',
        'taker',
        'ts',
        'kind',
        'signer',
      ]);
      assert.equal(fills[0].signer, at.alice.key.address.toLowerCase());
    });

    it('is first in the fills when it is the newest (ACC-4)', async () => {
      for (const qty of [0.1, 0.2, 0.3])
        await at.venue.post('/v1/order', await at.alice.order(at.buy({ qty })));
      const { fills } = (await at.venue.get('/v1/fills', { token: at.alice.token })).body;
      assert.deepEqual(
        fills.map((fill: Json) => fill.qty),
        [0.3, 0.2, 0.1],
      );
    });

    it('rests, and rows in openOrders have every field (ORD-11)', async () => {
      const { body } = await at.venue.post('/v1/order', await at.alice.order(at.buy({ price: 900, qty: 2 })));
      assert.deepEqual([body.status, body.fills, body.restedQty], ['rested', [], 2]);
      const [order] = body.account.openOrders;
      assert.deepEqual(
        { ...order, ts: 0 },
        {
          id: body.orderId,
          seriesId: at.seriesId,
          symbol: 'BTC',
          side: 'buy',
          price: 900,
          qty: 2,
          remaining: 2,
          ts: 0,
        },
      );
      assert.deepEqual([body.account.openOrderCount, body.account.locked], [1, 1800]);
    });

    it('fills in part and rests the remainder; a market remainder is cancelled (ORD-2)', async () => {
      const limit = await at.venue.post('/v1/order', await at.alice.order(at.buy({ qty: 7 })));
      assert.deepEqual([limit.body.status, limit.body.restedQty], ['partial', 2]);
      await at.venue.quote({ rows: [[at.sid, null, [[1020, 1]]]] });
      const market = await at.venue.post(
        '/v1/order',
        await at.alice.order({ seriesId: at.seriesId, side: 'buy', qty: 3 }),
      );
      assert.deepEqual([market.status, market.body.status, market.body.restedQty], [200, 'partial', 0]);
      assert.deepEqual(market.body.fills, [{ price: 1020, qty: 1 }]);
      await at.venue.post('/v1/cancel', await at.alice.cancel('all'));
    });

    it('needs no token, and somebody else’s token beside it is ignored', async () => {
      const bob = await signIn(at.venue);
      const { body } = await at.venue.post('/v1/order', await at.alice.order(at.buy()), { token: bob.token });
      assert.equal(body.account.address, at.alice.account);
    });

    it('spends its nonce once, even when rejected, and never for a bad signature (SIG-4)', async () => {
      const rejected = await at.alice.order(at.buy({ seriesId: 'BTC-1-C-1' }));
      const first = await at.venue.post('/v1/order', rejected);
      assert.deepEqual([first.status, first.body.reason], [400, 'unknown series']);
      answersWith(await at.venue.post('/v1/order', rejected), 401, 'nonce already used');
      const good = await at.alice.order(at.buy());
      answersWith(await at.venue.post('/v1/order', { ...good, qty: 2 }), 401, 'bad signature');
      assert.equal((await at.venue.post('/v1/order', good)).status, 200);
    });

    it('passes once when two requests race with one nonce', async () => {
      const order = await at.alice.order(at.buy({ qty: 0.1 }));
      const replies = await Promise.all(Array.from({ length: 8 }, () => at.venue.post('/v1/order', order)));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401, 401, 401]);
    });

    it('belongs to one account, no matter who else approved the same key (KEY-1)', async () => {
      const thief = newWallet();
      await at.venue.post('/v1/auth/session', await approval(thief, at.alice.key));
      const both = [at.alice, new Session(addressOf(thief), at.alice.key)];
      for (const session of both) {
        const { body } = await at.venue.post(
          '/v1/order',
          await session.order(at.buy({ qty: 0.1 }), at.alice.nonce()),
        );
        assert.equal(body.account.address, session.account);
      }
    });

    it('is refused for nonce, key or session in the words of the contract', async () => {
      const send = async (nonce: number, change: object = {}) =>
        at.venue.post('/v1/order', { ...(await at.alice.order(at.buy(), nonce)), ...change });
      answersWith(await send(Date.now() - 70_000), 401, 'nonce outside the accepted window');
      answersWith(await send(Date.now() + 70_000), 401, 'nonce outside the accepted window');
      answersWith(await send(-1), 401, 'nonce outside the accepted window');
      answersWith(
        await send(at.alice.nonce(), { sessionKey: newWallet().address }),
        401,
        'unknown or revoked session key',
      );
      answersWith(await send(at.alice.nonce(), { sessionKey: 'x' }), 400, 'sessionKey malformed');
      answersWith(
        await send(at.alice.nonce(), { seriesId: `${at.seriesId}\nside: sell` }),
        401,
        'field contains a newline',
      );
      answersWith(
        await send(at.alice.nonce(), { seriesId: `${at.seriesId}\r` }),
        401,
        'field contains a newline',
      );
    });

    const BAD_SIGNATURES: [string, (signature: string) => string][] = [
      ['64 bytes', (signature) => signature.slice(0, -2)],
      ['66 bytes', (signature) => `${signature}00`],
      ['no 0x', (signature) => signature.slice(2)],
      ['0X for 0x', (signature) => signature.replace('0x', '0X')],
      ['v of 29', (signature) => `${signature.slice(0, -2)}1d`],
      ['the other v', (signature) => signature.slice(0, -2) + (signature.endsWith('1b') ? '1c' : '1b')],
      ['zero r', (signature) => `0x${'0'.repeat(64)}${signature.slice(66)}`],
      ['r of all ones', (signature) => `0x${'f'.repeat(64)}${signature.slice(66)}`],
      ['high s', highS],
      ['not hex', (signature) => `0x${'z'.repeat(130)}${signature.slice(132)}`],
      ['nothing', () => ''],
    ];
    for (const [what, change] of BAD_SIGNATURES) {
      it(`with a signature of ${what} is a bad signature and burns no nonce (SIG-1)`, async () => {
        const order = (await at.alice.order(at.buy({ qty: 0.1 }))) as Json;
        answersWith(
          await at.venue.post('/v1/order', { ...order, signature: change(order.signature) }),
          401,
          'bad signature',
        );
        assert.equal((await at.venue.post('/v1/order', order)).status, 200);
      });
    }

    it('takes v of 0 and 1, and upper-case hex (SIG-1)', async () => {
      for (let i = 0; i < 4; i++) {
        const order = (await at.alice.order(at.buy({ qty: 0.1 }))) as Json;
        const v = order.signature.endsWith('1b') ? '00' : '01';
        const signature = `0x${(order.signature.slice(2, -2) + v).toUpperCase()}`;
        assert.equal((await at.venue.post('/v1/order', { ...order, signature })).status, 200);
      }
    });

    it('with a number that is not representable has no envelope (FINE-8)', async () => {
      const signed = await at.alice.order(at.buy());
      answersWith(await at.venue.post('/v1/order', { ...signed, qty: 1e-7 }), 400, 'bad qty');
      answersWith(await at.venue.post('/v1/order', { ...signed, price: 1e-7 }), 400, 'bad price');
      answersWith(await at.venue.post('/v1/order', { ...signed, qty: 1e300 }), 400, 'bad qty');
    });

    it('price 0 is a limit price with an envelope of its own, not a market order (ORD-5)', async () => {
      const free = await at.venue.post('/v1/order', await at.alice.order(at.buy({ price: 0 })));
      assert.deepEqual([free.status, free.body.reason], [400, 'bad price']);
      const { price: _, ...market } = await at.alice.order(at.buy({ price: 0 }));
      answersWith(await at.venue.post('/v1/order', market), 401, 'bad signature');
    });
  });

  describe('signing fields (AUTH-3)', () => {
    const REQUIRED = 'nonce and signature required with sessionKey';
    const PARTS: [string, (signed: Json) => object][] = [
      ['no nonce', ({ nonce: _, ...rest }) => rest],
      ['no signature', ({ signature: _, ...rest }) => rest],
      ['no session key', ({ sessionKey: _, ...rest }) => rest],
      ['only a session key', ({ nonce: _, signature: __, ...rest }) => rest],
      ['nonce as a string', (signed) => ({ ...signed, nonce: String(signed.nonce) })],
      ['nonce as a float', (signed) => ({ ...signed, nonce: signed.nonce + 0.5 })],
      ['nonce null', (signed) => ({ ...signed, nonce: null })],
      ['nonce beyond the exact range', (signed) => ({ ...signed, nonce: 2 ** 53 })],
      ['signature null', (signed) => ({ ...signed, signature: null })],
    ];
    for (const [what, part] of PARTS) {
      it(`${what} is 400, even with a token`, async () => {
        const signed = await at.alice.order(at.buy());
        answersWith(await at.venue.post('/v1/order', part(signed), { token: at.alice.token }), 400, REQUIRED);
      });
    }
  });

  describe('an unsigned order', () => {
    it('passes with a token while signing is optional', async () => {
      const { status, body } = await at.venue.post('/v1/order', at.buy(), { token: at.alice.token });
      assert.deepEqual([status, body.status], [200, 'filled']);
      const { fills } = (await at.venue.get('/v1/fills', { token: at.alice.token })).body;
      assert.equal('signer' in fills[0], false);
    });

    it('needs a token', async () => {
      answersWith(await at.venue.post('/v1/order', at.buy()), 401, 'missing or unknown token');
      answersWith(
        await at.venue.post('/v1/order', at.buy(), { token: 'x' }),
        401,
        'missing or unknown token',
      );
    });

    const REJECTED: [string, object, string][] = [
      ['an unknown series', { seriesId: 'BTC-1-C-1' }, 'unknown series'],
      ['a line break in the series', { seriesId: 'BTC\n' }, 'unknown series'],
      ['a series of 64 characters', { seriesId: 'X'.repeat(64) }, 'unknown series'],
      ['no quantity', { qty: 0 }, 'bad qty'],
      ['a negative quantity', { qty: -1 }, 'bad qty'],
      ['a quantity below a micro', { qty: 0.0000001 }, 'bad qty'],
      ['a quantity beyond the exact range', { qty: 1e16 }, 'bad qty'],
      ['a price of 0', { price: 0 }, 'bad price'],
      ['a negative price', { price: -5 }, 'bad price'],
      ['a price below a micro', { price: 1.0000001 }, 'bad price'],
      ['both bad', { qty: 0, price: 0 }, 'bad qty'],
      ['a short on a cash account', { side: 'sell' }, 'margin is off — enable margin to sell short'],
      [
        'too little money',
        { qty: 1000, price: 1010 },
        'insufficient buying power (need ~1010025.25, have 100000.00)',
      ],
    ];
    for (const [what, change, reason] of REJECTED) {
      it(`with ${what} is rejected: ${reason}`, async () => {
        const before = await at.me();
        const reply = await at.venue.post('/v1/order', at.buy(change), { token: at.alice.token });
        assert.equal(reply.status, 400);
        assertShape(OrderRejectedSchema, reply.body);
        const { account, ...rest } = reply.body;
        assert.deepEqual(rest, { status: 'rejected', reason, fills: [], orderId: 0 });
        assert.deepEqual(account, before);
        assert.deepEqual(await at.me(), before);
      });
    }

    it('at market with nothing to cross is rejected (ORD-2)', async () => {
      await at.venue.quote({ rows: [[at.sid, [], []]] });
      const { status, body } = await at.venue.post(
        '/v1/order',
        { seriesId: at.seriesId, side: 'buy', qty: 1 },
        { token: at.alice.token },
      );
      assert.deepEqual([status, body.reason], [400, 'no liquidity']);
    });

    const MALFORMED: [object, string][] = [
      [{ seriesId: undefined }, 'seriesId required'],
      [{ seriesId: 5 }, 'seriesId must be a string'],
      [{ seriesId: null }, 'seriesId must be a string'],
      [{ seriesId: 'X'.repeat(65) }, 'seriesId malformed'],
      [{ side: undefined }, 'side required'],
      [{ side: 'BUY' }, 'side must be buy or sell'],
      [{ side: 1 }, 'side must be buy or sell'],
      [{ qty: undefined }, 'qty required'],
      [{ qty: '1' }, 'qty must be a number'],
      [{ qty: true }, 'qty must be a number'],
      [{ qty: null }, 'qty must be a number'],
      [{ qty: [1] }, 'qty must be a number'],
      [{ price: null }, 'price must be a number'],
      [{ price: '' }, 'price must be a number'],
      [{ price: '1010' }, 'price must be a number'],
      [{ price: 'market' }, 'price must be a number'],
    ];
    for (const [change, error] of MALFORMED) {
      it(`with ${JSON.stringify(change)} is malformed: ${error} (NUM-2)`, async () => {
        answersWith(await at.venue.post('/v1/order', at.buy(change), { token: at.alice.token }), 400, error);
      });
    }

    it('with a malformed series id adds no entry to the log', async () => {
      const orders = () => at.venue.store.entries.filter(({ kind }) => kind === 'order').length;
      const before = orders();
      const order = at.buy({ seriesId: 'X'.repeat(1_000_000) });
      answersWith(
        await at.venue.post('/v1/order', order, { token: at.alice.token }),
        400,
        'seriesId malformed',
      );
      assert.equal(orders(), before);
    });

    it('with a number beyond the range of doubles is malformed (NUM-2)', async () => {
      const headers = { 'content-type': 'application/json', 'x-paper-token': at.alice.token };
      const body = `{"seriesId":"${at.seriesId}","side":"buy","qty":1e999}`;
      answersWith(
        await at.venue.send('/v1/order', { method: 'POST', headers, body }),
        400,
        'qty must be a number',
      );
    });
  });

  it('margin is switched by signature or token, and only by a boolean (ACC-3)', async () => {
    const on = await at.venue.post('/v1/margin', await at.alice.margin(true));
    assertShape(MarginAnswerSchema, on.body);
    assert.deepEqual([on.body.ok, on.body.marginEnabled, on.body.account.marginEnabled], [true, true, true]);
    const flipped = { ...(await at.alice.margin(true)), enabled: false };
    answersWith(await at.venue.post('/v1/margin', flipped), 401, 'bad signature');
    const off = await at.venue.post('/v1/margin', { enabled: false }, { token: at.alice.token });
    assert.equal(off.body.marginEnabled, false);
    answersWith(await at.venue.post('/v1/margin', { enabled: 'true' }), 400, 'enabled must be true or false');
    answersWith(await at.venue.post('/v1/margin', {}), 400, 'enabled required');
  });
});

/** The other signature of the same key and text, which SIG-1 refuses. */
function highS(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = order - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith('1b') ? '1c' : '1b';
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`;
}
