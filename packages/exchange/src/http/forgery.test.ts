// @process exchange-http
// @seconds 5

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  approval,
  type LocalVenue,
  newWallet,
  type OpenSession,
  openSession,
  pricedVenue,
  signIn,
  startVenue,
  Venue,
} from '../../test/support.ts';

/** Bits, in turn, that change a byte of JSON without changing the case of a letter, which addresses and hex ignore. */
const BITS = [0x01, 0x10];
/** As late as a nonce may be, so that it is still in time after all its forgeries. */
const LATEST_MS = 50_000;

describe('a signed request with any byte flipped is refused, and burns nothing (SIG-1, SIG-4)', () => {
  let venue: LocalVenue;
  let alice: OpenSession;
  let venueId: string;
  let seriesId: string;
  before(async () => {
    venue = await pricedVenue();
    venueId = (await venue.get('/v1/venue')).body.venue;
    ({ seriesId } = await venue.listed('BTC'));
    alice = await openSession(venue);
  });
  after(() => venue.exchange.stop());

  const post = (path: string, bytes: Uint8Array<ArrayBuffer>) =>
    venue.send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: bytes });

  const CASES: [string, () => Promise<unknown>][] = [
    ['/v1/order', () => alice.order({ seriesId, side: 'buy', qty: 1.5, price: 20 })],
    ['/v1/cancel', () => alice.cancel(['BTC', 'ETH'])],
    ['/v1/order/cancel', () => alice.cancelOrder(77)],
    ['/v1/margin', () => alice.margin(true)],
    ['/v1/batch', () => alice.batch(venueId, everyAction(seriesId), Date.now() + LATEST_MS)],
    ['/v1/auth/session', () => approval(newWallet(), newWallet())],
  ];
  for (const [path, sign] of CASES) {
    it(path, async () => {
      const genuine = new TextEncoder().encode(JSON.stringify(await sign()));
      const forgeries = [...genuine.keys()].map((i) =>
        genuine.map((byte, at) => (at === i ? byte ^ BITS[i % BITS.length]! : byte)),
      );
      while (forgeries.length > 0) {
        const replies = await Promise.all(
          forgeries.splice(0, 50).map(async (bytes) => ({ bytes, reply: await post(path, bytes) })),
        );
        for (const { bytes, reply } of replies) {
          const shown = `${reply.status} ${new TextDecoder().decode(bytes)}`;
          assert.ok((reply.status === 400 || reply.status === 401) && 'error' in reply.body, shown);
        }
      }
      assert.equal((await post(path, genuine)).status, 200);
    });
  }
});

describe('a recorded sequence of requests', () => {
  it('changes nothing when every request is sent again, before a restart and after (SIG-4, KEY-2, AUTH-1)', async (t) => {
    const venue = await pricedVenue();
    const recorder = new Recorder(venue);
    const alice = await recordSession(recorder);
    const before = await readAll(venue, alice);
    await replayAll(venue, recorder.posts);
    assert.deepEqual(await readAll(venue, alice), before);
    await venue.exchange.stop();

    const again = await startVenue({}, { store: venue.store });
    t.after(() => again.exchange.stop());
    await replayAll(again, recorder.posts);
    assert.deepEqual(await readAll(again, alice), before);
  });
});

describe('a recorded session at another deployment', () => {
  let recorder: Recorder;
  let alice: OpenSession;
  let other: LocalVenue;
  let seriesId: string;
  before(async () => {
    const venue = await pricedVenue();
    recorder = new Recorder(venue);
    alice = await recordSession(recorder);
    await venue.exchange.stop();
    other = await pricedVenue();
    ({ seriesId } = await other.listed('BTC'));
    await openSession(other, alice.wallet);
  });
  after(() => other.exchange.stop());

  it('changes nothing as long as its keys are not approved there (KEY-1)', async () => {
    const before = await readAll(other, alice);
    const writes = recorder.posts.filter(({ path }) => !path.startsWith('/v1/auth'));
    assert.ok(writes.length >= 7);
    await replayAll(other, writes);
    assert.deepEqual(await readAll(other, alice), before);
  });

  it('trades nothing that it batched, even with its keys approved there, and burns no nonce (VEN-1)', async () => {
    for (const { path, body } of recorder.posts)
      if (path === '/v1/auth/session') assert.equal((await other.post(path, body)).status, 200);
    const { venue } = (await other.get('/v1/venue')).body;
    const before = await readAll(other, alice);
    const batches = recorder.posts.filter(({ path }) => path === '/v1/batch');
    assert.equal(batches.length, 2);
    for (const { path, body } of batches) {
      const { status, body: answer } = await other.post(path, body);
      assert.deepEqual([status, answer.error], [401, 'bad signature']);
    }
    assert.deepEqual(await readAll(other, alice), before);
    for (const { path, body } of batches) {
      const { nonce } = body as { nonce: number };
      const signed = await alice.batch(venue, [{ type: 'cancel-all', seriesIds: [seriesId] }], nonce);
      assert.equal((await other.post(path, signed)).status, 200);
    }
  });
});

/** One of each kind that a batch can carry. */
function everyAction(seriesId: string): readonly object[] {
  const place = { type: 'place', seriesId, side: 'buy', qty: 1.5, price: 20 };
  return [
    { ...place, tif: 'gtd', expiresAt: Date.now() + 600_000, postOnly: true, stp: 'both', clientId: 'a-1' },
    { type: 'amend', clientId: 'a-1', qty: 2.5, price: 21, filledAtMost: 0.5 },
    { type: 'cancel', orderId: 77 },
    { type: 'cancel-all', symbols: ['ETH'], side: 'sell' },
    { type: 'guard', ms: 600_000 },
  ];
}

/** Forwards requests and keeps them. */
class Recorder extends Venue {
  readonly posts: { path: string; body: unknown }[] = [];

  constructor({ url }: Venue) {
    super(url);
  }

  override async post(path: string, body: unknown) {
    const reply = await super.post(path, body);
    if (path.startsWith('/v1/feed')) return reply;
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    this.posts.push({ path, body });
    return reply;
  }
}

/** Sends one of each kind of signed request. */
async function recordSession(venue: Recorder): Promise<OpenSession> {
  const { seriesId } = await venue.listed('BTC');
  const wallet = newWallet();
  await signIn(venue, wallet);
  const [alice, old] = [await openSession(venue, wallet), await openSession(venue, wallet)];
  const order = { seriesId, side: 'buy', qty: 1, price: 20 } as const;
  await venue.post('/v1/order', await alice.order(order));
  const { body } = await venue.post('/v1/order', await old.order(order));
  await venue.post('/v1/order/cancel', await alice.cancelOrder(body.orderId));
  await venue.post('/v1/cancel', await alice.cancel(['ETH']));
  await venue.post('/v1/margin', await alice.margin(true));
  const { venue: venueId } = (await venue.get('/v1/venue')).body;
  await venue.post('/v1/batch', await alice.batch(venueId, everyAction(seriesId)));
  await venue.post('/v1/batch', await alice.batch(venueId, [{ type: 'guard', ms: 600_000 }]));
  const { address, sessionKey, signature } = old.approval;
  await venue.post('/v1/auth/session/revoke', { address, sessionKey, signature });
  return alice;
}

/** An approval in force and a revocation are idempotent; everything else is refused. */
async function replayAll(venue: Venue, posts: Recorder['posts']): Promise<void> {
  for (const { path, body } of posts) {
    const { status } = await venue.post(path, body);
    if (!path.startsWith('/v1/auth/session')) assert.equal(status, 401, path);
  }
}

async function readAll(venue: Venue, { wallet, account }: OpenSession): Promise<unknown> {
  const { token } = await signIn(venue, wallet);
  const paths = ['/v1/me', '/v1/fills', '/v1/orders', `/v1/auth/session?address=${account}`];
  return Promise.all(paths.map(async (path) => (await venue.get(path, { token })).body));
}
