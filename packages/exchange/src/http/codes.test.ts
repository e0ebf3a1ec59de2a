/** The code of each refusal, wherever it is answered (ERR-1). */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { amountsIn, CATALOGUE, encodeQuotes, QUOTES_CONTENT_TYPE, type VenueCode } from '@venue/protocol';
import { ReasonListSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { ChannelClient } from '../../test/channels.ts';
import { examplesOf, operationsOf, readContract } from '../../test/contract/document.ts';
import { allRoutes } from '../../test/contract/routes.ts';
import {
  type Json,
  type LocalVenue,
  type OpenSession,
  openSession,
  pricedVenue,
} from '../../test/support.ts';
import { reasonsOf } from '../openapi/reasons.ts';

const CODE = 'x-venue-code';
const reasonList = Compile(ReasonListSchema);

/** True if a text is that of the catalogue with its gaps filled. */
function isTextOf(code: string, text: string): boolean {
  const template = CATALOGUE.get(code as VenueCode) ?? assert.fail(`unknown code ${code}`);
  const pattern = template
    .split(/\{\w+\}/)
    .map((part) => RegExp.escape(part))
    .join('.+');
  return new RegExp(`^${pattern}$`).test(text);
}

describe('ERR-1 the header x-venue-code', () => {
  let venue: LocalVenue;
  let venueId: string;
  let series: { seriesId: string; sid: number };
  let alice: OpenSession;
  before(async () => {
    venue = await pricedVenue();
    venueId = (await venue.get('/v1/venue')).body.venue;
    series = await venue.listed('BTC');
    alice = await openSession(venue);
    await venue.quote({ rows: [[series.sid, [[1000, 5]], [[1010, 5]]]] });
  });
  after(() => venue.exchange.stop());

  const batch = async (...actions: object[]): Promise<Json[]> =>
    (await venue.post('/v1/batch', await alice.batch(venueId, actions))).body.results;

  it('ERR-1 stands on every recorded refusal of the contract, and on nothing else', () => {
    const examples = examplesOf(readContract());
    for (const { operation, name, status, value, code } of examples) {
      const { error, reason } = Object(value) as { error?: string; reason?: string };
      const text = status < 400 ? undefined : (error ?? reason);
      if (text === undefined) assert.equal(code, undefined, `${operation} ${name}`);
      // A leg is named before its reason.
      else
        assert.ok(isTextOf(code ?? '', text.replace(/^legs\[\d+\]: /, '')), `${operation} ${name}: ${code}`);
    }
  });

  it('ERR-1 is exposed to pages, and allowed on no success', async () => {
    const { headers } = await venue.get('/v1/book?seriesId=X');
    assert.match(headers.get('access-control-expose-headers')!, /\bx-venue-code\b/);
    assert.equal(headers.get(CODE), 'unknown-series');
    assert.equal((await venue.get('/v1/meta')).headers.get(CODE), null);
  });

  it('ERR-1 tells a declined order apart without a change of its body', async () => {
    const order = await alice.order({ seriesId: series.seriesId, side: 'buy', qty: 1_000, price: 1_000 });
    const { status, headers, body } = await venue.post('/v1/order', order);
    assert.equal(status, 400);
    assert.equal(headers.get(CODE), 'insufficient-buying-power');
    assert.deepEqual(Object.keys(body), ['status', 'reason', 'fills', 'orderId', 'account']);
  });

  it('ERR-1 stands on what is no route, no JSON and no HTTP', async () => {
    assert.equal((await venue.get('/v1/nothing')).headers.get(CODE), 'not-found');
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
    assert.equal((await venue.send('/v1/order', json)).headers.get(CODE), 'malformed-json');
    const { hostname, port } = new URL(venue.url);
    const socket = connect(Number(port), hostname).end('nonsense\r\n\r\n');
    assert.match(await text(socket), /\r\nx-venue-code: malformed-request\r\n/);
  });

  it('ERR-1 names what helps, the text and the routes of each code at GET /v1/reasons', async () => {
    const { status, body } = await venue.get('/v1/reasons');
    assert.equal(status, 200);
    assert.ok(reasonList.Check(body));
    assert.deepEqual(
      body.reasons.map(({ code }: Json) => code),
      [...CATALOGUE.keys()],
    );
    const declined = (body.reasons as Json[]).find(({ code }) => code === 'insufficient-buying-power');
    assert.equal(declined.text, 'insufficient buying power (need ~{need}, have {have})');
    assert.deepEqual(declined.routes[0], { route: 'POST /v1/order', status: 400 });
  });

  it('ERR-1 gives a declined action its code and its amounts, and a foreseen one too', async () => {
    const place = { type: 'place', seriesId: series.seriesId, side: 'buy', qty: 1_000, price: 1_000 };
    const [dear, odd, ended] = await batch(place, { ...place, qty: 0 }, { type: 'unfreeze', set: 1 });
    assert.equal(dear.code, 'insufficient-buying-power');
    assert.deepEqual({ need: dear.need, have: dear.have }, amountsIn(dear.code, dear.reason));
    assert.ok(dear.need > dear.have && dear.have > 0);
    assert.equal(odd.code, 'bad-qty');
    assert.equal(odd.need, undefined);
    assert.deepEqual(ended, { type: 'unfreeze', ok: false, reason: 'unknown set', code: 'unknown-set' });
    const { type: _, ...order } = place;
    const preview = await venue.post('/v1/order/preview', order, { token: alice.token });
    const { code, need, have } = preview.body;
    assert.deepEqual({ code, need, have }, { code: dear.code, need: dear.need, have: dear.have });
  });

  it('ERR-1 gives a faulty row of a quote set its code, but not in bytes', async () => {
    await batch({ type: 'protect', set: 1, symbol: 'BTC', windowMs: 600_000, qty: 10, frozenMs: 0 });
    const push = (body: string | Uint8Array, form: 'json' | 'sqw1', type: string) =>
      alice.pushHeaders({ venueId, set: 1, body, form }).then((headers) => ({
        ...{ method: 'POST', body, headers: { 'content-type': type, ...headers } },
      }));
    const rows = JSON.stringify({ rows: [[series.sid, [[5, 1]], [[4, 1]]]] });
    const { body } = await venue.send('/v1/quote-sets/1', await push(rows, 'json', 'application/json'));
    assert.deepEqual(body.rowErrors, [{ i: 0, error: 'crossed ladder', code: 'crossed-ladder' }]);
    const bytes = encodeQuotes([{ sid: series.sid, bids: [[5, 1]], asks: [[4, 1]] }]);
    const sent = await push(bytes, 'sqw1', QUOTES_CONTENT_TYPE);
    const answer = await fetch(`${venue.url}/v1/quote-sets/1`, sent as RequestInit);
    assert.equal(answer.headers.get('content-type'), QUOTES_CONTENT_TYPE);
  });

  it('ERR-1 gives a refused request of the stream its code beside its status', async () => {
    const client = await new ChannelClient(venue).opened();
    const { status, code, body } = await client.ask({ op: 'auth', token: 'nobody' });
    assert.deepEqual(
      { status, code, body },
      { status: 401, code: 'unknown-token', body: { error: 'missing or unknown token' } },
    );
    const asked = await alice.batch(venueId, [
      { type: 'place', seriesId: series.seriesId, side: 'buy', qty: 0, price: 1 },
    ]);
    const done = await client.ask({ op: 'batch', ...(asked as object) });
    assert.equal(done.code, undefined);
    assert.equal(done.body.results[0].code, 'bad-qty');
    client.socket.terminate();
  });
});

describe('ERR-1 the answers of nginx itself', () => {
  it('ERR-1 have the code of their text', () => {
    const conf = readFileSync(new URL('../../../../deploy/nginx/venue/errors.conf', import.meta.url), 'utf8');
    const answers = [...conf.matchAll(/location ([^{]+) \{([^}]+)return \d+ '\{"error":"([^"]+)"\}';/g)];
    assert.equal(answers.length, conf.match(/return /g)!.length);
    for (const [, place, head, error] of answers) {
      const [, code] = /add_header x-venue-code (\S+) always;/.exec(head!) ?? [];
      assert.equal(CATALOGUE.get(code as VenueCode), error, String(place));
    }
  });
});

describe('ERR-1 the routes of the reasons', () => {
  it('ERR-1 are those of the service, its streams and the processes around it', () => {
    const contract = readContract();
    const known = new Set([
      ...operationsOf(contract).map(([operation]) => operation),
      ...contract['x-excluded'].map(({ method, path }) => `${method} ${path}`),
      ...['*', 'POST /push/devices'],
    ]);
    for (const { code, routes } of reasonsOf(allRoutes())) {
      assert.ok(routes.length > 0, `${code} has no route`);
      for (const { route } of routes) assert.ok(known.has(route), `${code}: ${route}`);
      assert.equal(new Set(routes.map(({ route, status }) => route + status)).size, routes.length, code);
    }
  });
});
