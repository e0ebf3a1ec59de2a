import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sessionApprovalMessage, sessionRevokeMessage } from '@venue/protocol';
import {
  addressOf,
  approval,
  type LocalVenue,
  newWallet,
  openSession,
  pricedVenue,
  signIn,
} from '../../../test/support.ts';

const DAY_MS = 86_400_000;

describe('sign-in and session keys', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await pricedVenue();
  });
  after(() => venue.exchange.stop());

  const refused = async (
    reply: Promise<{ status: number; body: unknown }>,
    status: number,
    error: string,
  ) => {
    const { status: given, body } = await reply;
    assert.deepEqual([given, body], [status, { error }]);
  };

  describe('by challenge (AUTH-1, AUTH-2)', () => {
    it('gives a token for the caller’s own account, funded once', async () => {
      const wallet = newWallet();
      const first = await signIn(venue, wallet);
      assert.match(first.token, /^[0-9a-f]{128}$/);
      assert.deepEqual([first.account.address, first.account.cash], [addressOf(wallet), 100_000]);
      const second = await signIn(venue, wallet);
      assert.equal(second.account.cash, 100_000);
      assert.notEqual(second.token, first.token);
      for (const { token } of [first, second])
        assert.equal((await venue.get('/v1/me', { token })).status, 200);
    });

    it('takes the address in any case and returns the same challenge while it is outstanding', async () => {
      const { address } = newWallet();
      const [upper, lower] = await Promise.all(
        [`0x${address.slice(2).toUpperCase()}`, address.toLowerCase()].map((text) =>
          venue.get(`/v1/auth/challenge?address=${text}`),
        ),
      );
      assert.equal(upper!.body.message, lower!.body.message);
      const [title, blank, line, nonce] = lower!.body.message.split('\n');
      assert.equal(title, 'Venue: sign in to prove you own this address.');
      assert.equal(blank, '');
      assert.equal(line, `Address: ${address.toLowerCase()}`);
      assert.match(nonce, /^Nonce: [0-9a-f]+$/);
    });

    it('consumes the challenge even for a bad signature', async () => {
      const wallet = newWallet();
      const { body } = await venue.get(`/v1/auth/challenge?address=${wallet.address}`);
      const signature = await wallet.signMessage({ message: body.message });
      const verify = (posted: string) =>
        venue.post('/v1/auth/verify', { address: wallet.address, signature: posted });
      await refused(verify(`${signature.slice(0, -2)}ff`), 401, 'bad signature');
      await refused(verify(signature), 401, 'no challenge');
    });

    it('refuses the signature of another wallet', async () => {
      const wallet = newWallet();
      const { body } = await venue.get(`/v1/auth/challenge?address=${wallet.address}`);
      const signature = await newWallet().signMessage({ message: body.message });
      await refused(
        venue.post('/v1/auth/verify', { address: wallet.address, signature }),
        401,
        'bad signature',
      );
    });

    it('reads the token from either header, and refuses two that differ', async () => {
      const [alice, bob] = [await signIn(venue), await signIn(venue)];
      const bearer = { authorization: `Bearer ${alice.token}` };
      assert.equal((await venue.get('/v1/me', { headers: bearer })).body.address, alice.address);
      assert.equal((await venue.get('/v1/me', { token: alice.token, headers: bearer })).status, 200);
      await refused(venue.get('/v1/me', { token: bob.token, headers: bearer }), 401, 'two different tokens');
      await refused(venue.get('/v1/me', { token: 'f'.repeat(64) }), 401, 'missing or unknown token');
    });
  });

  describe('approval (KEY-1, KEY-2)', () => {
    it('opens and funds an account that never signed in', async () => {
      const [wallet, key] = [newWallet(), newWallet()];
      const posted = await approval(wallet, key);
      const { status, body } = await venue.post('/v1/auth/session', posted);
      assert.equal(status, 200);
      assert.deepEqual([body.ok, body.sessionKey, body.expiresAt], [true, addressOf(key), posted.expiresAt]);
      assert.equal(body.account.cash, 100_000);
      assert.equal((await venue.get('/v1/me', { token: body.token })).body.address, addressOf(wallet));
      const { body: listed } = await venue.get(`/v1/auth/session?address=${wallet.address}`);
      assert.equal(listed.sessions.length, 1);
      assert.deepEqual(Object.keys(listed.sessions[0]), ['sessionKey', 'expiresAt', 'approvedAt']);
      const again = await venue.post('/v1/auth/session', posted);
      assert.equal(again.status, 200);
      assert.equal((await venue.get(`/v1/auth/session?address=${wallet.address}`)).body.sessions.length, 1);
    });

    it('says whose mistake a bad signature is', async () => {
      const posted = await approval(newWallet(), newWallet());
      const other = await approval(newWallet(), newWallet());
      const approve = (change: object) => venue.post('/v1/auth/session', { ...posted, ...change });
      await refused(
        approve({ signature: other.signature }),
        401,
        'approval was not signed by the account it names',
      );
      await refused(
        approve({ expiresAt: posted.expiresAt + 1 }),
        401,
        'approval was not signed by the account it names',
      );
      await refused(approve({ signature: '0x12' }), 401, 'bad signature');
    });

    it('bounds the lifetime', async () => {
      const refusal = 'expiry must be in the future and within 30 days';
      for (const expiresAt of [Date.now() - 1, 0, -1, Date.now() + 30 * DAY_MS + 60_000]) {
        await refused(
          venue.post('/v1/auth/session', await approval(newWallet(), newWallet(), expiresAt)),
          401,
          refusal,
        );
      }
      const month = await approval(newWallet(), newWallet(), Date.now() + 30 * DAY_MS - 1_000);
      assert.equal((await venue.post('/v1/auth/session', month)).status, 200);
    });

    it('lists nothing for an unknown wallet', async () => {
      assert.deepEqual((await venue.get(`/v1/auth/session?address=${newWallet().address}`)).body, {
        sessions: [],
      });
    });
  });

  describe('revocation (KEY-2, KEY-3, FINE-13)', () => {
    const setUp = async () => {
      const [wallet, key] = [newWallet(), newWallet()];
      const posted = await approval(wallet, key);
      await venue.post('/v1/auth/session', posted);
      const terms = { account: addressOf(wallet), sessionKey: addressOf(key), expiresAtMs: posted.expiresAt };
      const signature = await wallet.signMessage({ message: sessionRevokeMessage(terms) });
      const revoke = (change: object = {}) =>
        venue.post('/v1/auth/session/revoke', {
          address: wallet.address,
          sessionKey: key.address,
          signature,
          ...change,
        });
      return { wallet, key, posted, terms, revoke };
    };

    it('ends the session permanently, and repeating it changes nothing', async () => {
      const { wallet, posted, terms, revoke } = await setUp();
      const first = await revoke();
      assert.equal(first.status, 200);
      assert.deepEqual([first.body.ok, first.body.sessionKey], [true, terms.sessionKey]);
      assert.deepEqual((await revoke()).body, first.body);
      assert.deepEqual((await venue.get(`/v1/auth/session?address=${wallet.address}`)).body, {
        sessions: [],
      });
      await refused(venue.post('/v1/auth/session', posted), 401, 'unknown or revoked session key');
    });

    it("takes the approval's own signature as proof", async () => {
      const { wallet, terms, revoke } = await setUp();
      const signature = await wallet.signMessage({ message: sessionApprovalMessage(terms) });
      assert.equal((await revoke({ signature })).status, 200);
    });

    it('refuses a request without proof of the wallet; a token is no proof', async () => {
      const { key, terms, revoke } = await setUp();
      const signature = await key.signMessage({ message: sessionRevokeMessage(terms) });
      await refused(revoke({ signature }), 401, 'bad signature');
      await refused(revoke({ signature: '0x' }), 401, 'bad signature');
      await refused(revoke({ signature: undefined }), 400, 'signature required');
    });

    it("403 for another's key, 401 for a key that nobody approved", async () => {
      const { revoke } = await setUp();
      const other = await openSession(venue);
      await refused(revoke({ sessionKey: other.key.address }), 403, 'not your session key');
      await refused(revoke({ sessionKey: newWallet().address }), 401, 'unknown or revoked session key');
    });
  });

  const MALFORMED: [string, object, string][] = [
    ['/v1/auth/verify', {}, 'address required'],
    ['/v1/auth/verify', { address: 'x', signature: 'y' }, 'address malformed'],
    ['/v1/auth/verify', { address: 5, signature: 'y' }, 'address must be a string'],
    ['/v1/auth/verify', { address: `0x${'0'.repeat(40)}`, signature: 5 }, 'signature must be a string'],
    ['/v1/auth/session', { address: `0x${'0'.repeat(40)}` }, 'sessionKey required'],
    ['/v1/auth/session', body({ expiresAt: '1' }), 'expiresAt must be an integer'],
    ['/v1/auth/session', body({ expiresAt: 1.5 }), 'expiresAt must be an integer'],
    ['/v1/auth/session', body({ expiresAt: null }), 'expiresAt must be an integer'],
    ['/v1/auth/session', body({ expiresAt: 1e300 }), 'expiresAt malformed'],
    ['/v1/auth/session', body({ sessionKey: 'k' }), 'sessionKey malformed'],
    ['/v1/auth/session', body({ address: `0x${'0'.repeat(39)}\n` }), 'address malformed'],
    ['/v1/auth/session/revoke', {}, 'address required'],
  ];
  for (const [path, posted, error] of MALFORMED) {
    it(`POST ${path} ${JSON.stringify(posted)} answers 400 ${error}`, () =>
      refused(venue.post(path, posted), 400, error));
  }
});

function body(change: object): object {
  const address = `0x${'0'.repeat(40)}`;
  return { address, sessionKey: address, expiresAt: 1, signature: 's', ...change };
}
