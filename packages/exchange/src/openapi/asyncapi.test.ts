// @process exchange-http

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Compile } from 'typebox/schema';
import { ChannelClient } from '../../test/channels.ts';
import { resolved } from '../../test/contract/document.ts';
import { streamText } from '../../test/contract.ts';
import { expiringHub } from '../../test/hub-on-its-own.ts';
import { type Json, type LocalVenue, openSession, pricedVenue, type Session } from '../../test/support.ts';
import { asyncApiDocument } from './asyncapi.ts';

const document = asyncApiDocument();

/** Each message of the document as a check that takes no member that the document does not have. */
const CHECKS = new Map(
  Object.entries(document.components.messages).map(([name, { payload }]) => [
    name,
    Compile(closed(resolved(document as never, payload)) as never),
  ]),
);

function closed(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (_, node) =>
      node !== null && typeof node === 'object' && node.type === 'object' && 'properties' in node
        ? { ...node, additionalProperties: false }
        : node,
    ),
  );
}

const fitted = new Set<string>();

function fits(name: string, message: Json): void {
  const check = CHECKS.get(name) ?? assert.fail(`no message ${name}: ${JSON.stringify(message)}`);
  assert.ok(check.Check(message), `${name}: ${JSON.stringify(message)}`);
  fitted.add(name);
}

/** The name of a message that comes unasked. */
function nameOf({ channel, type }: Json): string {
  if (channel === undefined || type === 'end') return type;
  return `${channel.split(':')[0]}${type === 'snapshot' ? 'Snapshot' : 'Delta'}`;
}

describe('the AsyncAPI document (WEB-2)', () => {
  let venue: LocalVenue;
  let alice: Session & { token: string };
  before(async () => {
    venue = await pricedVenue();
    alice = await openSession(venue);
  });
  after(() => venue.exchange.stop());

  it('matches the code; after a change regenerate it (see test/asyncapi.ts)', () => {
    const committed = new URL('../../../../docs/reference/asyncapi.yaml', import.meta.url);
    assert.equal(readFileSync(committed, 'utf8'), streamText());
  });

  it('describes every request that the service carries out, and its answer (STR-1)', async () => {
    const client = await new ChannelClient(venue).opened();
    const ask = async (request: { op: string; [member: string]: unknown }) => {
      const answer = await client.ask(request);
      fits(request.op, { id: 1, ...request });
      fits(answer.status === 200 ? `${request.op}Answer` : 'refused', answer);
      return answer.status;
    };
    const { seriesId } = await venue.listed('BTC');
    const { venue: venueId } = (await venue.get('/v1/venue')).body;
    const place = { type: 'place', side: 'buy', qty: 1, price: 900, seriesId };
    assert.equal(await ask({ op: 'subscribe', channels: ['account', 'nothing'] }), 401);
    assert.equal(await ask({ op: 'auth', token: alice.token }), 200);
    assert.equal(await ask({ op: 'subscribe', channels: ['account', 'spots', 'nothing'] }), 200);
    assert.equal(await ask({ op: 'unsubscribe', channels: ['account'] }), 200);
    assert.equal(await ask({ op: 'ping' }), 200);
    assert.equal(await ask({ op: 'batch', ...(await alice.batch(venueId, [place])) }), 200);
    client.socket.close();
  });

  it('describes what comes of the channels of a market and of an account (STR-2)', async () => {
    const { seriesId, sid, expiryTs } = await venue.listed('BTC');
    const client = await new ChannelClient(venue).opened();
    await client.ask({ op: 'auth', token: alice.token });
    const [book, chain] = [`book:${seriesId}`, `chain:BTC:${expiryTs}`];
    const channels = [book, chain, 'trades:BTC', 'spots', 'account', 'orders', 'fills'];
    await client.subscribe(...channels);
    for (const channel of channels) await client.snapshot(channel);
    await venue.quote({ rows: [[sid, [[1000, 50]], [[1010, 50]]]] });
    const order = { seriesId, side: 'buy', qty: 1, price: 1011 };
    await venue.post('/v1/order', order, { token: alice.token });
    await venue.feed([{ symbol: 'BTC', source: 'a', price: 100_100 }]);
    for (const channel of channels) await client.message(channel, ({ type }) => type === 'delta');
    for (const message of client.messages) fits(nameOf(message), message);
    client.socket.close();
  });

  it('describes expiries that come to their cutoff, beats and ends (STR-5)', (t) => {
    for (const hasPrices of [true, false]) {
      const { join, tick, name, expire, beat } = expiringHub(t);
      const client = join(name);
      for (const channel of ['ticker:X', 'listing:X', 'settlements']) client.listen(channel);
      tick();
      expire(hasPrices);
      beat();
      tick();
      for (const message of client.messages) fits(nameOf(message), message);
    }
  });

  it('describes no message of the stream that none of these was', () => {
    assert.deepEqual(Object.keys(document.channels.stream.messages).sort(), [...fitted].sort());
  });
});
