import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { VenueClient } from './client.ts';
import { exportSession, hiding, randomPrivateKey, type Session, walletFromPrivateKey } from './wallet.ts';

const privateKey = randomPrivateKey();
const wallet = walletFromPrivateKey(privateKey);
const plain = {
  account: wallet.address,
  sessionKey: wallet.address,
  expiresAtMs: 2e12,
  privateKey,
} as Session;

test('a private key is hidden from inspection and JSON, wherever the session stands', () => {
  const session = hiding(plain);
  for (const shown of [
    inspect(session),
    inspect({ deep: { in: [session] } }, { depth: null, showHidden: false }),
    JSON.stringify({ session }),
    `${session}`,
  ])
    assert.equal(shown.includes(privateKey.slice(2)), false, shown);
  assert.match(inspect(session), /privateKey: '\[hidden\]'/);
  assert.equal(session.privateKey, privateKey);
});

test('a client, a wallet and their errors show no key', async () => {
  const venue = new VenueClient({ url: 'http://127.0.0.1:1' });
  venue.auth.useSession(plain);
  const error = await venue.orders.setMargin(true).catch((thrown: unknown) => thrown);
  for (const shown of [venue, venue.auth, venue.orders, wallet, error])
    assert.equal(
      inspect(shown, { depth: null, showHidden: true }).includes(privateKey.slice(2)),
      false,
      inspect(shown),
    );
});

test('an exported session survives JSON, and is used again', () => {
  const session = hiding(plain);
  const kept = JSON.parse(JSON.stringify(exportSession(session)));
  assert.deepEqual(kept, plain);
  new VenueClient({ url: 'http://127.0.0.1:1' }).auth.useSession(kept);
});
