import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Door, openDoor } from './door.ts';

let door: Door;
let errors: unknown[];
let answered: PromiseWithResolvers<number>;

beforeEach(async () => {
  errors = [];
  answered = Promise.withResolvers();
  door = await openDoor({
    ...{ host: '127.0.0.1', port: 0, terms: { publicKey: 'key', venue: 'venue' } },
    register: { act: () => ({ devices: [] }) },
    isCurrent: () => true,
    onAnswered: (status) => answered.resolve(status),
    onError: (error) => errors.push(error),
  });
});
afterEach(() => door.close());

async function connected(): Promise<Socket> {
  const socket = connect(Number(new URL(door.url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

describe('PUSH-2 what strangers may send', () => {
  for (const target of ['//', '//[', '/%', 'http://[', '/push/terms/', '/push/devices?x'])
    test(`GET ${target} is not found, and is no fault`, async () => {
      const socket = await connected();
      socket.write(`GET ${target} HTTP/1.1\r\nHost: any\r\nConnection: close\r\n\r\n`);
      assert.match(await text(socket), /^HTTP\/1\.1 404 /);
      assert.deepEqual(errors, []);
    });

  test('a body that is too large is told so, and a whole one is read', async () => {
    const post = (body: string) => fetch(`${door.url}/push/devices`, { method: 'POST', body });
    const refused = await post(`"${'x'.repeat(100_000)}"`);
    assert.deepEqual([refused.status, await refused.json()], [413, { error: 'body too large' }]);
    const taken = await post(`"${'x'.repeat(8_190)}"`);
    assert.deepEqual([taken.status, await taken.json()], [200, { devices: [] }]);
  });

  test('someone who hangs up in the middle of a request is no fault', async () => {
    const socket = await connected();
    socket.on('error', () => {});
    socket.end('POST /push/devices HTTP/1.1\r\nHost: any\r\nContent-Length: 100\r\n\r\n{');
    assert.equal(await answered.promise, 400);
    assert.deepEqual(errors, []);
  });
});
