/** Batches that are refused whole: nothing happens, and no nonce is spent (BAT-1, BAT-2, DET-1). */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  BAD_FIELDS,
  BAD_TYPES,
  LACKING,
  LIMIT,
  NO_ACTIONS,
  STRANGE_NAMES,
} from '../../../../protocol/test/bad-actions.ts';
import { type LocalVenue, type OpenSession, openSession, pricedVenue } from '../../../test/support.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a malformed batch', () => {
  let venue: LocalVenue;
  let venueId: string;
  let seriesId: string;
  let alice: OpenSession;
  /** The results if the rest of the batch were carried out. */
  let harmless: readonly object[];
  before(async () => {
    venue = await pricedVenue();
    venueId = (await venue.get('/v1/venue')).body.venue;
    ({ seriesId } = await venue.listed('BTC'));
    alice = await openSession(venue);
    harmless = [
      { type: 'place', seriesId, side: 'buy', qty: 1, price: 900, clientId: 'never' },
      { type: 'guard', ms: 60_000 },
    ];
    await venue.post('/v1/order', await alice.order({ seriesId, side: 'buy', qty: 1, price: 800 }));
  });
  after(() => venue.exchange.stop());

  const me = async () => (await venue.get('/v1/me', alice)).body;
  const batchEntries = () => venue.store.entries.filter(({ kind }) => kind === 'batch').length;

  /** Posts bodies with the signing fields of a sound batch, which counts afterwards. */
  const refuseAll = async (bodies: readonly (readonly [body: object, error: string])[]) => {
    const account = await me();
    const count = batchEntries();
    const sound = await alice.batch(venueId, [{ type: 'cancel', orderId: 1_000_000 }]);
    for (const [body, error] of bodies) {
      const reply = await venue.post('/v1/batch', { ...sound, ...body });
      assert.deepEqual([reply.status, reply.body], [400, { error }], JSON.stringify(body).slice(0, 300));
    }
    assert.deepEqual(await me(), account);
    assert.equal(batchEntries(), count);
    assert.equal((await venue.post('/v1/batch', sound)).status, 200);
  };
  const refuseThird = (posted: readonly unknown[], fault: string) =>
    refuseAll(posted.map((third) => [{ actions: [...harmless, third] }, `actions[2]${fault}`]));

  for (const { good, field, values } of BAD_FIELDS) {
    it(`third action ${JSON.stringify(good)} with a bad ${field}`, () =>
      refuseThird(
        values.map((value) => ({ ...good, [field]: value })),
        `.${field} malformed`,
      ));
  }

  for (const [third, field] of LACKING) {
    it(`third action ${JSON.stringify(third)} without ${field}`, () =>
      refuseThird([third], `.${field} required`));
  }

  it('third action of no known type', () =>
    refuseThird(
      BAD_TYPES.map((type) => ({ ...LIMIT, type })),
      '.type malformed',
    ));

  it('third action that is none, or has a property without a name', () =>
    refuseThird(
      [...NO_ACTIONS, ...STRANGE_NAMES.map((name) => ({ type: 'cancel-all', [name]: 1 }))],
      ' malformed',
    ));

  it('no list of actions, or an empty one', () =>
    refuseAll([
      [{ actions: undefined }, 'actions required'],
      ...[null, [], {}, 'cancel-all', 1, { length: 1, 0: { type: 'cancel-all' } }].map(
        (actions) => [{ actions }, 'actions malformed'] as const,
      ),
    ]));

  it('more than 64 actions, which is said before any malformation', () =>
    refuseAll([
      [{ actions: new Array(65).fill({ type: 'cancel-all' }) }, 'too many actions'],
      [{ actions: new Array(65).fill(null) }, 'too many actions'],
      [{ actions: new Array(65).fill(null), colour: 'red' }, 'too many actions'],
      [{ actions: new Array(65).fill(null), signature: 7 }, 'too many actions'],
      [{ actions: new Array(16_000).fill({}) }, 'too many actions'],
    ]));

  it('properties beside the actions and the three signing fields', () =>
    refuseAll([
      [{ venue: venueId }, 'venue malformed'],
      [{ account: alice.account }, 'account malformed'],
      [{ prefer: 'return=minimal' }, 'prefer malformed'],
      [{ toString: 1 }, 'toString malformed'],
      ...STRANGE_NAMES.map((name) => [{ [name]: 1 }, 'body malformed'] as const),
    ]));

  it('signing fields that are malformed', () => {
    const partly = 'nonce and signature required with sessionKey';
    const nonces = [null, '1', 1.5, true, {}, [], 2 ** 53, undefined];
    const signatures = [null, 1, true, {}, [], undefined];
    const keys = ['', '0x', '0x1', 'alice', 1, null, {}, `0x${'g'.repeat(40)}`, `${alice.key.address}\n`];
    return refuseAll([
      ...nonces.map((nonce) => [{ nonce }, partly] as const),
      ...signatures.map((signature) => [{ signature }, partly] as const),
      [{ sessionKey: undefined }, partly],
      ...keys.map((sessionKey) => [{ sessionKey }, 'sessionKey malformed'] as const),
    ]);
  });

  it('is malformed first, whatever its signature is', () =>
    refuseAll([
      [{ actions: [{ type: 'guard', ms: 1 }], signature: 'no hex' }, 'actions[0].ms malformed'],
      [{ actions: [{ type: 'guard', ms: 1 }], nonce: 1 }, 'actions[0].ms malformed'],
    ]));

  const TEXTS: readonly (readonly [title: string, text: string, error: string])[] = [
    ['no object', '[{"type":"cancel-all"}]', 'body must be a JSON object'],
    ['a text', '"cancel-all"', 'body must be a JSON object'],
    ['a number', '1', 'body must be a JSON object'],
    ['null', 'null', 'body must be a JSON object'],
    ['nothing', '', 'body required'],
    ['half a body', '{"actions":[{"type":"cancel-all"}', 'malformed JSON'],
    ['two bodies', '{"actions":[{"type":"cancel-all"}]}{"actions":[]}', 'malformed JSON'],
    ['a repeated type', '{"actions":[{"type":"cancel-all","type":"guard"}]}', 'malformed JSON'],
    [
      'a repeated type, once escaped',
      '{"actions":[{"type":"guard","t\\u0079pe":"cancel-all"}]}',
      'malformed JSON',
    ],
    ['actions twice', '{"actions":[{"type":"cancel-all"}],"actions":[]}', 'malformed JSON'],
    ['a prototype', '{"actions":[{"type":"cancel-all","__proto__":{"side":"buy"}}]}', 'malformed JSON'],
    ['deep nesting', '{"actions":[[[[[[[[{"type":"cancel-all"}]]]]]]]]}', 'malformed JSON'],
    ['a leading zero', '{"actions":[{"type":"cancel","orderId":07}]}', 'malformed JSON'],
    ['a plus sign', '{"actions":[{"type":"guard","ms":+5000}]}', 'malformed JSON'],
    ['hexadecimal', '{"actions":[{"type":"guard","ms":0x1388}]}', 'malformed JSON'],
    ['NaN', '{"actions":[{"type":"amend","orderId":1,"qty":NaN}]}', 'malformed JSON'],
    ['a raw line break in a text', '{"actions":[{"type":"cancel","clientId":"a\nb"}]}', 'malformed JSON'],
    [
      'an escaped one',
      '{"actions":[{"type":"cancel","clientId":"a\\u000ab"}]}',
      'actions[0].clientId malformed',
    ],
    [
      'an infinite number',
      '{"actions":[{"type":"amend","orderId":1,"qty":1e400}]}',
      'actions[0].qty malformed',
    ],
    ['an id of minus zero', '{"actions":[{"type":"cancel","orderId":-0}]}', 'actions[0].orderId malformed'],
    [
      'an id that is no double',
      '{"actions":[{"type":"cancel","orderId":9007199254740993}]}',
      'actions[0].orderId malformed',
    ],
    ['a comment', '{"actions":[{"type":"cancel-all"}]/**/}', 'malformed JSON'],
  ];
  for (const [title, text, error] of TEXTS) {
    it(`HTTP-3: ${title}`, async () => {
      const account = await me();
      const headers = { ...JSON_TYPE, 'x-paper-token': alice.token };
      const reply = await venue.send('/v1/batch', { method: 'POST', headers, body: text });
      assert.deepEqual([reply.status, reply.body], [400, { error }]);
      assert.deepEqual(await me(), account);
    });
  }

  it('HTTP-1 HTTP-3 WEB-1: bytes that are no UTF-8, another content type, another coding, another method', async () => {
    const account = await me();
    const body = JSON.stringify({ actions: [{ type: 'cancel-all' }] });
    const token = { 'x-paper-token': alice.token };
    const post = (headers: object, bytes: string | Uint8Array<ArrayBuffer>) =>
      venue.send('/v1/batch', { method: 'POST', headers: { ...token, ...headers }, body: bytes });
    const latin1 = Buffer.from('{"actions":[{"type":"cancel","clientId":"\xe9"}]}', 'latin1');
    assert.equal((await post(JSON_TYPE, latin1)).body.error, 'malformed JSON');
    assert.equal((await post({ 'content-type': 'text/plain' }, body)).status, 400);
    assert.equal((await post({ 'content-type': 'application/x-venue-quotes' }, body)).status, 400);
    const coded = await post({ ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync(body));
    assert.deepEqual([coded.status, coded.body], [415, { error: 'unsupported content encoding' }]);
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
      assert.equal((await venue.send('/v1/batch', { method, headers: token })).status, 404, method);
    assert.deepEqual(await me(), account);
  });
});
