import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VenueClient } from '../client/client.ts';
import { VenueChangedError } from '../net/errors.ts';
import { exportSession, randomPrivateKey, walletFromPrivateKey } from './wallet.ts';

const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];
const url = 'http://venue.invalid';

/** A venue that can change its id, and the requests it gets. */
class Place {
  id: string | null = A;
  readonly asked: string[] = [];

  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    this.asked.push(`${init?.method ?? 'GET'} ${pathname}`);
    if (pathname === '/v1/venue')
      return this.id === null
        ? Response.json({ error: 'not found' }, { status: 404 })
        : Response.json({ venue: this.id });
    return Response.json({ token: 'token' });
  };
}

const approved = async (place: Place) => {
  const venue = new VenueClient({ url, fetch: place.fetch });
  return { venue, session: await venue.auth.approveSession(walletFromPrivateKey(randomPrivateKey())) };
};

test('VEN-1: a session key is pinned to the address and the deployment that it was approved at', async () => {
  const { session } = await approved(new Place());
  assert.deepEqual([session.url, session.venue], [url, A]);
  const other = new VenueClient({ url: 'http://other.invalid' });
  assert.throws(
    () => other.auth.useSession(session),
    /^TypeError: this session key is of http:\/\/venue.invalid: approve one of its own for http:\/\/other.invalid$/,
  );
});

test('VEN-1: a client that meets another deployment stops, before it signs in there', async () => {
  const place = new Place();
  const { venue } = await approved(place);
  place.id = B;
  const error = await venue.auth.renew().catch((thrown: unknown) => thrown);
  assert.ok(error instanceof VenueChangedError);
  assert.match(
    error.message,
    new RegExp(`^${url} now leads to venue ${B}, not to ${A}: this client has stopped`),
  );
  const { length } = place.asked;
  for (const call of [
    venue.account.me(),
    venue.orders.cancel(),
    venue.with({ timeoutMs: 100 }).market.meta(),
  ])
    await assert.rejects(call, VenueChangedError);
  assert.equal(place.asked.length, length);
});

test('VEN-1: a kept session stops a later client at another deployment', async () => {
  const place = new Place();
  const { session } = await approved(place);
  const later = new VenueClient({ url, fetch: place.fetch });
  later.auth.useSession(exportSession(session));
  await later.auth.renew();
  place.id = B;
  const latest = new VenueClient({ url, fetch: place.fetch });
  latest.auth.useSession(exportSession(session));
  await assert.rejects(latest.auth.renew(), VenueChangedError);
});

test('VEN-1: of an id that is given no other is accepted', async () => {
  const place = new Place();
  const expecting = (venue: string) => new VenueClient({ url, venue, fetch: place.fetch });
  const wallet = walletFromPrivateKey(randomPrivateKey());
  await expecting(A).auth.approveSession(wallet);
  place.asked.length = 0;
  await assert.rejects(expecting(B).auth.approveSession(wallet), VenueChangedError);
  assert.deepEqual(place.asked, ['GET /v1/venue']);
});

test('VEN-2: a venue that does not describe itself is used as before', async () => {
  const place = new Place();
  place.id = null;
  const { session, venue } = await approved(place);
  assert.equal(session.venue, undefined);
  await venue.auth.renew();
});
