/** Messages that no well-meaning client of the channels sends (STR-1): each gets a clear answer and disturbs nobody else. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import type { WebSocket } from 'ws';
import { ChannelClient } from '../../test/channels.ts';
import { type Json, type LocalVenue, pricedVenue, waitFor } from '../../test/support.ts';
import { readRequest } from './channel-requests.ts';

describe('a bad message', () => {
  let venue: LocalVenue;
  let seriesIds: string[];
  before(async () => {
    venue = await pricedVenue();
    const { body } = await venue.get('/v1/series?symbol=BTC');
    seriesIds = body.series.map(({ seriesId }: Json) => seriesId);
  });
  after(() => venue.exchange.stop());

  const connect = (options: object = {}) => new ChannelClient(venue, options).opened();

  const SHAPES: readonly (readonly [message: string, error: string])[] = [
    ['', 'malformed JSON'],
    ['{', 'malformed JSON'],
    ['{"id":1,"id":1,"op":"ping"}', 'malformed JSON'],
    [`${'['.repeat(9)}${']'.repeat(9)}`, 'malformed JSON'],
    ['null', 'message must be a JSON object'],
    ['[]', 'message must be a JSON object'],
    ['{}', 'id required'],
    ['{"op":"ping"}', 'id required'],
    ['{"id":null,"op":"ping"}', 'id malformed'],
    ['{"id":-1,"op":"ping"}', 'id malformed'],
    ['{"id":1.5,"op":"ping"}', 'id malformed'],
    [`{"id":"${'a'.repeat(65)}","op":"ping"}`, 'id malformed'],
    ['{"id":"","op":"ping"}', 'id malformed'],
    ['{"id":1}', 'op must be auth or subscribe or unsubscribe or ping or batch'],
    ['{"id":1,"op":"Ping"}', 'op must be auth or subscribe or unsubscribe or ping or batch'],
    ['{"id":1,"op":"__proto__"}', 'op must be auth or subscribe or unsubscribe or ping or batch'],
    ['{"id":1,"op":"ping","more":1}', 'more malformed'],
    ['{"id":1,"op":"auth"}', 'token required'],
    ['{"id":1,"op":"auth","token":1}', 'token must be a string'],
    ['{"id":1,"op":"subscribe"}', 'channels required'],
    ['{"id":1,"op":"subscribe","channels":"spots"}', 'channels must be an array'],
    ['{"id":1,"op":"subscribe","channels":[]}', 'channels must not be empty'],
    ['{"id":1,"op":"unsubscribe","channels":[]}', 'channels must not be empty'],
    ['{"id":1,"op":"batch","prefer":1}', 'prefer must be a string'],
  ];
  for (const [message, error] of SHAPES) {
    it(`${message.slice(0, 60)} is answered 400 ${error}`, () => {
      const request = readRequest(Buffer.from(message), false);
      assert.partialDeepStrictEqual(request.op === 'refused' && request.fault, { status: 400, error });
    });
  }

  it('names channels that cannot be: each is refused alone, and the answer says which (STR-5)', async () => {
    const client = await connect();
    const unknown = [
      ...['', 'book', 'book:', 'book:X', `book:${seriesIds[0]} `, 'chain:BTC', 'chain:BTC:', 'chain:BTC:1'],
      ...[
        'chain:NONE:1',
        'chain:BTC:1e9',
        'trades:',
        'trades:btc',
        'spots:BTC',
        'ticker:NONE',
        '__proto__',
        'é',
      ],
    ];
    const error = { status: 400, code: 'unknown-channel', error: 'unknown channel' };
    const named = await client.subscribe(unknown[0]!, 'spots', ...unknown.slice(1), 'account');
    assert.deepEqual([named.status, named.body.channels], [200, 1]);
    assert.deepEqual(named.body.refused, [
      ...unknown.map((channel) => ({ channel, ...error })),
      { channel: 'account', status: 401, code: 'unknown-token', error: 'missing or unknown token' },
    ]);
    await client.snapshot('spots');
    await client.ask({ op: 'unsubscribe', channels: ['spots'] });
    client.messages.length = 0;
    for (const channel of unknown) {
      const { status, code, body } = await client.subscribe(channel);
      assert.deepEqual([status, code], [400, 'unknown-channel']);
      assert.deepEqual(body, { error: 'unknown channel', channels: 0, refused: [{ channel, ...error }] });
    }
    const shapes = [
      ...[1, null, [], {}, { channel: 'spots', seq: -1 }, { channel: 'spots', seq: 1.5 }, { seq: 1 }],
      ...[
        { channel: 'spots', after: 1 },
        { channel: 'fills', after: 1, seq: 1 },
        { channel: 'spots', more: 1 },
      ],
    ];
    for (const shape of shapes) {
      const { status, body } = await client.ask({ op: 'subscribe', channels: ['spots', shape] });
      assert.equal(status, 400, JSON.stringify(shape));
      assert.match(body.error, /^channels\[1\] must be a name, or an object of channel and seq/);
    }
    const twice = await client.subscribe('spots', { channel: 'spots', seq: 1 });
    assert.deepEqual([twice.status, twice.body.error], [400, 'channels must not repeat']);
    const { body } = await client.ask({ op: 'unsubscribe', channels: ['spots', 'never heard of'] });
    assert.deepEqual(body, { channels: 0 });
    for (const name of ['account', 'orders', 'fills'])
      assert.equal((await client.subscribe(name)).status, 401);
    assert.deepEqual(client.messages, []);
    client.socket.close();
  });

  it('asks for the 513th channel: 400, and the others stay', async () => {
    const client = await connect();
    const names = seriesIds.slice(0, 513).map((seriesId) => `book:${seriesId}`);
    assert.equal((await client.subscribe(...names)).body.error, 'too many channels');
    assert.deepEqual((await client.subscribe(...names.slice(0, 512))).body, { channels: 512 });
    assert.equal((await client.subscribe('spots')).body.error, 'too many channels');
    assert.equal((await client.subscribe(names[3]!)).status, 200);
    await client.ask({ op: 'unsubscribe', channels: [names[0]] });
    const { status, body } = await client.subscribe('none', 'spots', 'settlements');
    assert.deepEqual([status, body.channels], [200, 512]);
    assert.deepEqual(
      body.refused.map(({ channel, error }: Json) => [channel, error]),
      [
        ['none', 'unknown channel'],
        ['settlements', 'too many channels'],
      ],
    );
    client.socket.close();
  });

  it('is binary: 400, and the connection stays', async () => {
    const client = await connect();
    client.socket.send(Buffer.from('{"id":1,"op":"ping"}'));
    const answer = await waitFor(async () => client.answers[0]);
    assert.deepEqual([answer.id, answer.status, answer.body], [null, 400, { error: 'message malformed' }]);
    assert.equal((await client.ask({ op: 'ping' })).status, 200);
    client.socket.close();
  });

  it('comes in pieces: it is read as one, and a thousand pieces end the connection', async () => {
    const client = await connect({ perMessageDeflate: false });
    for (const [i, piece] of ['{"id":7,', '"op":', '"ping"}'].entries())
      client.socket.send(piece, { fin: i === 2 });
    assert.equal((await waitFor(async () => client.answers[0])).id, 7);
    for (let i = 0; i < 1_000; i++) client.socket.send(' ', { fin: false });
    assert.equal(await client.closed, 1008);
  });

  it('is longer than 64 kB, as sent or once it is inflated: closed with 1009', async () => {
    const plain = await connect({ perMessageDeflate: false });
    const text = (bytes: number) => JSON.stringify({ id: 1, op: 'ping', more: ' '.repeat(bytes) });
    plain.socket.send(text(65_000));
    assert.equal((await waitFor(async () => plain.answers[0])).status, 400);
    plain.socket.send(text(65_536));
    assert.equal(await plain.closed, 1009);
    const bomb = await connect();
    assert.match(bomb.socket.extensions, /permessage-deflate/);
    bomb.socket.send(text(5_000_000));
    assert.equal(await bomb.closed, 1009);
  });

  it('is compressed for a window that this node does not keep: the connection goes on without', async () => {
    const client = await connect({ perMessageDeflate: { serverMaxWindowBits: 10 } });
    assert.equal(client.socket.extensions, '');
    assert.equal((await client.ask({ op: 'ping' })).status, 200);
    client.socket.close();
  });

  it('names an entry that is yet to come: it waits for it (STR-4)', async () => {
    const client = await connect();
    const { body } = await venue.get('/v1/venue');
    const { status, seq } = await client.subscribe({ channel: 'spots', seq: body.seq + 1 });
    assert.deepEqual([status, seq > body.seq], [200, true]);
    client.socket.close();
  });

  it('repeats itself without end: others are served all the while', async () => {
    const [loud, calm] = [await connect(), await connect()];
    const channels = seriesIds.slice(0, 50).map((seriesId) => `book:${seriesId}`);
    for (let id = 0; id < 600; id++)
      for (const op of ['subscribe', 'unsubscribe']) loud.socket.send(JSON.stringify({ id, op, channels }));
    assert.equal((await calm.ask({ op: 'ping' })).status, 200);
    await calm.subscribe('spots');
    await calm.snapshot('spots');
    await ended(loud.socket);
    calm.socket.close();
  });

  it('is none at all: without an upgrade the stream is not found', async () => {
    const { status, body } = await venue.get('/v1/stream');
    assert.deepEqual([status, body], [404, { error: 'not found' }]);
  });
});

async function ended(socket: WebSocket): Promise<void> {
  socket.terminate();
  await once(socket, 'close');
}
