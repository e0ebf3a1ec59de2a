import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hashMessage } from 'viem';
import {
  addressOf,
  approval,
  type Json,
  type LocalVenue,
  newWallet,
  openSession,
  pricedVenue,
  type Session,
} from '../../../test/support.ts';

describe('POST /v1/debug/envelope', () => {
  let venue: LocalVenue;
  let session: Session & { token: string };
  const order = { seriesId: 'BTC-1795309200-C-100000', side: 'buy', qty: 1.5, price: 1010 } as const;
  before(async () => {
    venue = await pricedVenue();
    session = await openSession(venue);
  });
  after(() => venue.exchange.stop());

  const spread = async () => {
    const legs = [
      { seriesId: 'BTC-1795309200-C-100000', side: 'sell', ratio: 1 },
      { seriesId: 'BTC-1795309200-C-102000', side: 'buy', ratio: 2 },
    ];
    const actions = [
      { type: 'margin-mode', mode: 'defined-risk' },
      { type: 'combo', legs, qty: 1, net: -2.5 },
    ];
    return session.batch((await venue.get('/v1/venue')).body.venue, actions);
  };
  const explain = (body: unknown) => venue.post('/v1/debug/envelope', body);

  it('answers text, digest and signer of an order as the service rebuilds it', async () => {
    const nonce = session.nonce();
    const { status, body } = await explain(await session.order(order, nonce));
    assert.equal(status, 200);
    const text = [
      'Venue order v1',
      `account: ${session.account}`,
      'series: BTC-1795309200-C-100000',
      'side: buy',
      'qty: 1500000',
      'price: 1010000000',
      `nonce: ${nonce}`,
    ].join('\n');
    const key = addressOf(session.key);
    assert.deepEqual(body, { text, digest: hashMessage(text), recovered: key, expected: key });
  });

  it('shows whose signature it would be if a value differs from what was signed', async () => {
    const { body } = await explain({ ...(await session.order(order)), qty: 2 });
    assert.match(body.text, /^qty: 2000000$/m);
    assert.notEqual(body.recovered, body.expected);
    assert.match(body.recovered, /^0x[0-9a-f]{40}$/);
    const shapeless = { ...(await session.order(order)), signature: 'junk' };
    assert.equal((await explain(shapeless)).body.recovered, null);
  });

  it('knows every kind of write', async () => {
    const cases: [object, RegExp][] = [
      [await session.cancel('all'), /^Venue cancel v1\n.*\nsymbols: all\n/],
      [await session.cancel(['eth', 'BTC']), /^Venue cancel v1\n.*\nsymbols: BTC,ETH\n/],
      [await session.cancelOrder(7), /^Venue cancel order v1\n.*\norder: 7\n/],
      [await session.margin(true), /^Venue margin v1\n.*\nenabled: true\n/],
      [
        await spread(),
        /^Venue batch v1\n.*\n.*\nactions: 2\nmargin-mode defined-risk\ncombo 1000000 -2500000 ioc - sell:1:BTC-1795309200-C-100000,buy:2:BTC-1795309200-C-102000\n/,
      ],
    ];
    for (const [posted, text] of cases) {
      const { body } = await explain(posted);
      assert.match(body.text, text);
      assert.equal(body.recovered, body.expected);
    }
    const withdraw = await explain({ ...(await session.margin(true)), enabled: undefined, amountUsd: 12.5 });
    assert.match(withdraw.body.text, /^Venue withdraw v1\n.*\namount: 12500000\n/);
  });

  it('explains what a wallet signs', async () => {
    const [wallet, key] = [newWallet(), newWallet()];
    const posted = await approval(wallet, key);
    const approved = await explain(posted);
    assert.match(approved.body.text, /^Venue: approve a trading session\./);
    assert.deepEqual(
      [approved.body.recovered, approved.body.expected],
      [addressOf(wallet), addressOf(wallet)],
    );
    await venue.post('/v1/auth/session', posted);
    const { expiresAt, ...revocation } = posted;
    const revoked = await explain(revocation);
    assert.match(revoked.body.text, /^Venue: revoke a trading session\./);
    assert.match(revoked.body.text, new RegExp(`Expires: ${expiresAt}$`));
  });

  it('changes nothing: the request it explained still passes, once', async () => {
    const posted = await session.margin(true);
    const entries = venue.store.entries.filter(({ kind }) => kind === 'margin').length;
    await explain(posted);
    assert.equal(venue.store.entries.filter(({ kind }) => kind === 'margin').length, entries);
    assert.equal((await venue.post('/v1/margin', posted)).status, 200);
  });

  it('refuses a request without a text, in the words of its own route', async () => {
    const cases: [Json, number, string][] = [
      [{}, 400, 'nonce and signature required with sessionKey'],
      [order, 400, 'nonce and signature required with sessionKey'],
      [{ ...(await session.order(order)), side: 'up' }, 400, 'side must be buy or sell'],
      [{ ...(await spread()), actions: [] }, 400, 'actions malformed'],
      [{ ...(await session.order(order)), qty: 1e-9 }, 400, 'bad qty'],
      [{ ...(await session.order(order)), seriesId: 'a\nb' }, 401, 'field contains a newline'],
      [
        { ...(await session.order(order)), sessionKey: newWallet().address },
        401,
        'unknown or revoked session key',
      ],
      [{ ...(await session.cancel('all')), symbols: [] }, 400, 'symbols must not be empty'],
      [{ address: 'x', sessionKey: 'y', expiresAt: 1, signature: 'z' }, 400, 'address malformed'],
      [[], 400, 'body must be a JSON object'],
    ];
    for (const [posted, status, error] of cases) {
      const reply = await explain(posted);
      assert.deepEqual([reply.status, reply.body], [status, { error }]);
    }
  });
});
