// @process exchange-http
// @seconds 5

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { AUDIT_GENESIS, type AuditFacts, auditHash } from '@venue/protocol';
import { AuditListSchema, HandSettleAnswerSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import {
  bothTokens,
  ExpiringVenue,
  OPERATOR_TOKEN,
  SETTLE_TOKEN_1,
  SETTLE_TOKEN_2,
} from '../../../test/expiring.ts';
import { type Json, MAKER_TOKEN, startVenue, type Trader, waitFor } from '../../../test/support.ts';

const WRONG = [403, { error: 'wrong credential' }];

/** A venue whose BTC expiry awaits review with an anchor of 100,500. */
async function underReview(): Promise<ExpiringVenue & { traders: { alice: Trader; bob: Trader } }> {
  const expiring = await ExpiringVenue.start();
  const traders = await expiring.trade();
  await expiring.expireAt({ a: 101_000 });
  return Object.assign(expiring, { traders });
}

/** Checks the hash and the position of every entry. */
function assertChain(entries: Json[]): void {
  let before = { n: 0, hash: AUDIT_GENESIS };
  for (const entry of entries) {
    assert.deepEqual([entry.n, entry.previousHash], [before.n + 1, before.hash]);
    assert.equal(auditHash(entry as AuditFacts), entry.hash);
    before = entry;
  }
}

describe('settlement by hand, refused', () => {
  let expiring: Awaited<ReturnType<typeof underReview>>;
  let sound: { seriesId: string; price: number };
  before(async () => {
    expiring = await underReview();
    sound = { seriesId: expiring.series('C', 100_000), price: 100_500 };
  });
  after(() => expiring.stop());

  const newest = async () => (await expiring.audit()).at(-1);
  const send = (body: string | undefined, headers: Record<string, string>) =>
    expiring.venue.send('/v1/operator/settle', {
      method: 'POST',
      headers,
      ...(body !== undefined && { body }),
    });

  const STRANGERS: [string, Record<string, string>, [boolean, boolean]][] = [
    ['without a secret', {}, [false, false]],
    ['with only the first', { 'x-settle-token-1': SETTLE_TOKEN_1 }, [true, false]],
    ['with only the second', { 'x-settle-token-2': SETTLE_TOKEN_2 }, [false, true]],
    ['with the second wrong', { ...bothTokens, 'x-settle-token-2': `${SETTLE_TOKEN_2}x` }, [true, false]],
    ['with the first twice', { ...bothTokens, 'x-settle-token-2': SETTLE_TOKEN_1 }, [true, false]],
    [
      'with both in the wrong place',
      { 'x-settle-token-1': SETTLE_TOKEN_2, 'x-settle-token-2': SETTLE_TOKEN_1 },
      [false, false],
    ],
    [
      'with the secret of the maker',
      { 'x-maker-token': MAKER_TOKEN, 'x-settle-token-1': MAKER_TOKEN, 'x-settle-token-2': MAKER_TOKEN },
      [false, false],
    ],
    ['with the secret of the operator', { 'x-operator-token': OPERATOR_TOKEN }, [false, false]],
  ];
  for (const [title, headers, held] of STRANGERS) {
    it(`${title} is 403 whatever the body is, and is audited (CRED-1)`, async () => {
      const type = { 'content-type': 'application/json' };
      const bodies = [JSON.stringify(sound), '{}', 'no json', '', 'x'.repeat(5_000)];
      for (const body of bodies) {
        const { length } = await expiring.audit();
        const reply = await send(body, { ...type, ...headers });
        assert.deepEqual([reply.status, reply.body], WRONG, body.slice(0, 20));
        const entry = await newest();
        assert.equal(entry.n, length + 1);
        assert.deepEqual(
          entry.gates.slice(0, 2).map(({ passed }: Json) => passed),
          held,
        );
        assert.deepEqual([entry.accepted, entry.reason], [false, 'wrong credential']);
        const named = body === bodies[0];
        assert.deepEqual([entry.seriesId, entry.price], named ? [sound.seriesId, sound.price] : [null, null]);
      }
    });
  }

  const long = 'B'.repeat(65);
  const MALFORMED: [string, string, number, string][] = [
    ['no JSON', '{"seriesId"', 400, 'malformed JSON'],
    ['a key twice', '{"price":1,"price":2}', 400, 'malformed JSON'],
    ['nothing in it', '', 400, 'body required'],
    ['an array', '[]', 400, 'body must be a JSON object'],
    ['null', 'null', 400, 'body must be a JSON object'],
    ['no target', '{"price":100500}', 400, 'seriesId required'],
    ['no price', '{"seriesId":"S"}', 400, 'price required'],
    ['a price of null', '{"seriesId":"S","price":null}', 400, 'price must be a number'],
    ['a price of text', '{"seriesId":"S","price":"100500"}', 400, 'price must be a number'],
    ['a price beyond every number', '{"seriesId":"S","price":1e999}', 400, 'price must be a number'],
    ['only a symbol', '{"symbol":"BTC","price":1}', 400, 'expiryTs required'],
    ['only an expiry', '{"expiryTs":1,"price":1}', 400, 'symbol required'],
    ['an expiry of text', '{"symbol":"BTC","expiryTs":"1","price":1}', 400, 'expiryTs must be an integer'],
    ['an expiry beyond every time', '{"symbol":"BTC","expiryTs":1e300,"price":1}', 400, 'expiryTs malformed'],
    [
      'both targets',
      '{"seriesId":"S","symbol":"BTC","expiryTs":1,"price":1}',
      400,
      'seriesId beside symbol malformed',
    ],
    ['a name too long', `{"seriesId":"${long}","price":1}`, 400, 'seriesId malformed'],
    ['more than 4 KiB', `{"seriesId":"${'B'.repeat(4_096)}","price":1}`, 413, 'request body too large'],
  ];
  for (const [title, body, status, error] of MALFORMED) {
    it(`with a body that has ${title} is ${status} ${error}, and is audited`, async () => {
      const { length } = await expiring.audit();
      const reply = await send(body, { ...bothTokens, 'content-type': 'application/json' });
      assert.deepEqual([reply.status, reply.body], [status, { error }]);
      const entry = await newest();
      assert.deepEqual([entry.n, entry.accepted], [length + 1, false]);
      assert.deepEqual([entry.seriesId, entry.symbol, entry.expiryTs, entry.price], [null, null, null, null]);
    });
  }

  it('with a body of another type, or without one, is 400 and audited', async () => {
    const { length } = await expiring.audit();
    const typed = await send('price=1', {
      ...bothTokens,
      'content-type': 'application/x-www-form-urlencoded',
    });
    assert.deepEqual([typed.status, typed.body.error], [400, 'content-type must be application/json']);
    const empty = await send(undefined, bothTokens);
    assert.deepEqual([empty.status, empty.body.error], [400, 'body required']);
    assert.equal((await expiring.audit()).length, length + 2);
  });

  it('cut off in the middle of the body is still audited', async () => {
    const { length } = await expiring.audit();
    const socket = connect(Number(new URL(expiring.venue.url).port), '127.0.0.1');
    socket.on('error', () => {});
    const head = 'POST /v1/operator/settle HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    await new Promise((resolve) => socket.write(`${head}content-length: 99\r\n\r\n{`, resolve));
    // The end of the input comes after it, so the exchange has read the head by then.
    socket.end();
    const entries = await waitFor(async () => {
      const found = await expiring.audit();
      return found.length > length ? found : undefined;
    });
    assert.equal(entries.length, length + 1);
    socket.destroy();
  });

  const UNSOUND: [string, object, string][] = [
    ['an unknown series', { seriesId: 'BTC-1-C-1' }, 'no such series or expiry'],
    ['an unknown symbol', { symbol: 'NOPE', expiryTs: 1 }, 'no such series or expiry'],
    ['the symbol __proto__', { symbol: '__proto__', expiryTs: -0 }, 'no such series or expiry'],
    ['a lone surrogate', { seriesId: '\ud800\u0000\n' }, 'no such series or expiry'],
    ['a price of zero', { price: 0 }, 'bad price'],
    ['a negative price', { price: -100_500 }, 'bad price'],
    ['a price finer than a micro', { price: 100_500.000_000_1 }, 'bad price'],
    [
      'a price a micro beyond the bound',
      { price: 101_505.000_001 },
      'price outside the bound of the last oracle print',
    ],
    [
      'a price far beyond it',
      { price: 9_007_199_254.740_99 },
      'price outside the bound of the last oracle print',
    ],
  ];
  for (const [title, change, error] of UNSOUND) {
    it(`at ${title} is 400 ${error}, and is audited`, async () => {
      const named = 'symbol' in change ? { price: 100_500 } : sound;
      const reply = await expiring.settle({ ...named, ...change });
      assert.deepEqual([reply.status, reply.body], [400, { error }]);
      const entry = await newest();
      assert.deepEqual([entry.accepted, entry.reason], [false, error]);
    });
  }

  it('of a live series is 400 not pending review', async () => {
    const { series } = (await expiring.venue.get('/v1/series?symbol=BTC')).body;
    const reply = await expiring.settle({ seriesId: series[0].seriesId, price: 100_500 });
    assert.deepEqual([reply.status, reply.body], [400, { error: 'not pending review' }]);
  });

  it('moves no money, and the audit chain stays intact, even after a restart', async () => {
    const entries = await expiring.audit();
    assert.ok(Compile(AuditListSchema).Check({ entries }));
    assertChain(entries);
    assert.ok(entries.length > 60 && entries.every(({ accepted }: Json) => !accepted));
    assert.deepEqual((await expiring.settlements()).settlements, []);
    assert.deepEqual((await expiring.venue.get('/v1/meta')).body.pendingReview, expiring.all());
    await expiring.restart();
    assert.deepEqual(await expiring.audit(), entries);
    assert.deepEqual((await expiring.venue.get('/v1/meta')).body.pendingReview, expiring.all());
  });
});

describe('settlement by hand, accepted', () => {
  let expiring: Awaited<ReturnType<typeof underReview>>;
  before(async () => {
    expiring = await underReview();
  });
  after(() => expiring.stop());

  it('one of two simultaneous ones settles, and the other is told so (FINE-1)', async () => {
    const body = { seriesId: expiring.series('C', 100_000), price: 101_505 };
    const replies = await Promise.all([expiring.settle(body), expiring.settle(body)]);
    const [won, lost] = replies.toSorted((a, b) => a.status - b.status);
    assert.ok(Compile(HandSettleAnswerSchema).Check(won!.body));
    assert.deepEqual(won!.body, {
      ok: true,
      symbol: 'BTC',
      expiryTs: expiring.expiryTs,
      price: 101_505,
      settled: [body.seriesId],
    });
    assert.deepEqual([lost!.status, lost!.body], [400, { error: 'series settled' }]);
    const [first, second] = await expiring.audit();
    assert.deepEqual([first.accepted, second.accepted], [true, false]);
    assert.deepEqual([first.anchor, first.deviationBps, first.boundBps], [100_500, 100, 100]);
  });

  it('pays as the oracle would have, and leaves the siblings pending', async () => {
    const seriesId = expiring.series('C', 100_000);
    const me = (await expiring.venue.get('/v1/me', expiring.traders.bob)).body;
    assert.deepEqual([me.positions, me.cash], [[], 100_000 - 4_020 + 2 * 1_505]);
    const [fill] = (await expiring.venue.get('/v1/fills', expiring.traders.bob)).body.fills;
    assert.deepEqual(
      [fill.seriesId, fill.kind, fill.price, fill.orderId],
      [seriesId, 'settlement', 1_505, 0],
    );
    const { pendingReview } = (await expiring.venue.get('/v1/meta')).body;
    assert.deepEqual(
      pendingReview,
      expiring.all().filter((id) => id !== seriesId),
    );
    const { settlements, refused } = await expiring.settlements();
    assert.deepEqual([settlements[0].by, settlements[0].price, refused], ['hand', 101_505, undefined]);
  });

  it('binds the siblings to its price, and settles them by their expiry, the symbol in any case', async () => {
    const { expiryTs } = expiring;
    const other = await expiring.settle({ symbol: 'btc', expiryTs, price: 101_000 });
    assert.deepEqual(
      [other.status, other.body],
      [400, { error: 'price differs from the one decided for this expiry' }],
    );
    const { body } = await expiring.settle({ symbol: 'btc', expiryTs, price: 101_505 });
    assert.deepEqual(
      body.settled,
      expiring.all().filter((id) => id !== expiring.series('C', 100_000)),
    );
    assert.deepEqual((await expiring.venue.get('/v1/meta')).body.pendingReview, []);
    const again = await expiring.settle({ symbol: 'BTC', expiryTs, price: 101_505 });
    assert.deepEqual([again.status, again.body], [400, { error: 'series settled' }]);
  });

  it('survives a restart, with its audit', async () => {
    const [entries, settlements] = [await expiring.audit(), await expiring.settlements()];
    assertChain(entries);
    assert.equal(entries.length, 5);
    await expiring.restart();
    assert.deepEqual(await expiring.audit(), entries);
    assert.deepEqual(await expiring.settlements(), settlements);
  });
});

describe('the audit', () => {
  let expiring: ExpiringVenue;
  before(async () => {
    expiring = await ExpiringVenue.start();
    // More simultaneous connections than a listen queue holds would be reset.
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 334 }, () => expiring.settle({}, {})));
  });
  after(() => expiring.stop());

  it('is for the operator only (CRED-1)', async () => {
    for (const headers of [
      {},
      { 'x-operator-token': 'wrong' },
      bothTokens,
      { 'x-maker-token': MAKER_TOKEN },
    ]) {
      const reply = await expiring.venue.get('/v1/operator/audit', { headers });
      // Asserted one by one: comparing a thousand entries with an error would take minutes.
      assert.equal(reply.status, 403);
      assert.deepEqual([reply.status, reply.body], WRONG);
    }
  });

  it('shows the newest thousand oldest first, or a thousand from a number on (PAY-3)', async () => {
    const numbers = async (query: string) => {
      const list = (await expiring.audit(query)).map(({ n }: Json) => n);
      return [list.length, list[0], list.at(-1)];
    };
    assert.deepEqual(await numbers(''), [1_000, 3, 1_002]);
    assert.deepEqual(await numbers('?after='), [1_000, 3, 1_002]);
    assert.deepEqual(await numbers('?after=0'), [1_000, 1, 1_000]);
    assert.deepEqual(await numbers('?after=1000'), [2, 1_001, 1_002]);
    assert.deepEqual(await numbers('?after=1002'), [0, undefined, undefined]);
    assert.deepEqual(await numbers('?after=999999999999999'), [0, undefined, undefined]);
    assertChain([...(await expiring.audit('?after=0')), ...(await expiring.audit('?after=1000'))]);
  });

  for (const after of ['-1', '1.5', 'x', '1e3', '1'.repeat(16)]) {
    it(`after=${after} is 400`, async () => {
      const headers = { 'x-operator-token': OPERATOR_TOKEN };
      const reply = await expiring.venue.get(`/v1/operator/audit?after=${after}`, { headers });
      assert.deepEqual([reply.status, reply.body], [400, { error: 'after malformed' }]);
    });
  }
});

describe('without the secrets', () => {
  it('hand settlement and audit are closed to everybody, and attempts are still recorded (CRED-1)', async (t) => {
    const venue = await startVenue();
    t.after(() => venue.exchange.stop());
    const settle = await venue.post('/v1/operator/settle', {}, { headers: { 'x-settle-token-1': '' } });
    assert.deepEqual([settle.status, settle.body], WRONG);
    const audit = await venue.get('/v1/operator/audit', { headers: { 'x-operator-token': '' } });
    assert.deepEqual([audit.status, audit.body], WRONG);
    assert.equal(venue.store.entries.filter(({ kind }) => kind === 'settle').length, 1);
  });

  it('in deposits mode both routes exist (FINE-3)', async (t) => {
    const expiring = await ExpiringVenue.start({ VENUE_FUNDING_MODE: 'deposits' });
    t.after(() => expiring.stop());
    assert.equal((await expiring.settle({ seriesId: 'S', price: 1 })).status, 400);
    assert.equal((await expiring.audit()).length, 1);
  });
});
