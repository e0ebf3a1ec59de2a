import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endpointOf, InsideError, isInside, type LookupAll, publicLookup } from './endpoint.ts';

const SERVICES = ['fcm.googleapis.com', 'push.apple.com', 'https://own.example:8443'];

describe('PUSH-4 where messages are sent', () => {
  test('to the services named and those below them, over https at the standard port', () => {
    for (const url of ['https://fcm.googleapis.com/fcm/send/a', 'https://web.push.apple.com/b'])
      assert.equal(endpointOf(url, SERVICES)?.isPublic, true, url);
    assert.equal(endpointOf('https://own.example:8443/c', SERVICES)?.isPublic, false);
  });

  for (const text of [
    'http://fcm.googleapis.com/a',
    'https://fcm.googleapis.com:8443/a',
    'https://fcm.googleapis.com.evil.example/a',
    'https://evilfcm.googleapis.com.example/a',
    'https://notpush.apple.com/a',
    'https://user:secret@fcm.googleapis.com/a',
    'https://fcm.googleapis.com/a#b',
    'https://own.example/a',
    'https://own.example:8444/a',
    'https://127.0.0.1/a',
    'https://[::1]/a',
    'https://localhost/a',
    'https://2130706433/a',
    'file:///etc/passwd',
    'not an address',
    '',
    `https://fcm.googleapis.com/${'a'.repeat(1_100)}`,
  ])
    test(`not to ${text.slice(0, 50)}`, () => assert.equal(endpointOf(text, SERVICES), null));

  test('not to an address, though it were named as a host', () =>
    assert.equal(endpointOf('https://10.0.0.5/a', ['10.0.0.5']), null));

  for (const address of [
    ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['224.0.0.1', '255.255.255.255', '::1', '::', 'fc00::1', 'fe80::1', 'ff02::1', '::ffff:10.0.0.1'],
    ...['64:ff9b::a00:1', '2002:a00:1::', '2001:db8::1'],
  ])
    test(`${address} is inside`, () => assert.equal(isInside(address), true));

  test('addresses of the internet are not', () => {
    for (const address of ['142.250.0.1', '2a00:1450:4001::1', '17.0.0.1', '172.32.0.1'])
      assert.equal(isInside(address), false, address);
  });

  test('a name that leads inside with one of its addresses is refused for the connection itself', async () => {
    const answer =
      (...addresses: string[]): LookupAll =>
      (_, __, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
    const ask = (resolve: LookupAll, all: boolean) =>
      new Promise((done) =>
        publicLookup(resolve)('push.apple.com', { all }, (error, found) => done(error ?? found)),
      );
    assert.ok((await ask(answer('17.0.0.1', '10.0.0.1'), true)) instanceof InsideError);
    assert.ok((await ask(answer('::1'), false)) instanceof InsideError);
    assert.equal(await ask(answer('17.0.0.1'), false), '17.0.0.1');
    assert.ok((await ask(answer(), false)) instanceof Error);
  });
});
