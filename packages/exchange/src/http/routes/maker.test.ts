import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeQuotesAnswer, encodeQuotes, QUOTES_CONTENT_TYPE } from '@venue/protocol';
import { MakerAccountSchema, MakerFillsSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import {
  type Json,
  type LocalVenue,
  MAKER_TOKEN,
  openSession,
  pricedVenue,
  startVenue,
} from '../../../test/support.ts';

const maker = (session?: number | string) => ({
  headers: {
    'x-maker-token': MAKER_TOKEN,
    ...(session !== undefined && { 'x-quote-session': String(session) }),
  },
});

describe('the maker', () => {
  let venue: LocalVenue;
  let sid: number;
  let seriesId: string;
  before(async () => {
    venue = await pricedVenue();
    ({ sid, seriesId } = await venue.listed('BTC'));
  });
  after(() => venue.exchange.stop());

  const register = async (attemptId: string): Promise<number> => {
    const { status, body } = await venue.post('/v1/maker/session', { attemptId }, maker());
    assert.deepEqual([status, body.attemptId], [200, attemptId]);
    return body.session;
  };
  const push = (session: number | string | undefined, rows: unknown[]) =>
    venue.post('/v1/maker/quotes', { rows }, maker(session));
  const entriesOf = (kind: string) => venue.store.entries.filter((entry) => entry.kind === kind);

  it('registers a session; the same attempt gets the same one, another fences it (MM-1)', async () => {
    const first = await register('start a');
    assert.equal(await register('start a'), first);
    assert.equal((await push(first, [[sid, [[1, 1]], null]])).body.applied, 1);
    const second = await register('start b');
    assert.ok(second > first);
    assert.deepEqual((await venue.get(`/v1/book?seriesId=${seriesId}`)).body.bids, []);
    for (const refused of [
      await push(first, [[sid, [[1, 1]], null]]),
      await venue.post('/v1/maker/pull', {}, maker(first)),
    ]) {
      assert.deepEqual([refused.status, refused.body], [409, { error: 'no live quote session' }]);
    }
    assert.equal(await register('start a'), first, 'a fenced attempt stays fenced');
    assert.equal((await push(first, [])).status, 409);
    assert.equal((await push(second, [[sid, [[1, 1]], null]])).body.applied, 1);
  });

  it('answers 409 to a push without a session, or with an invalid one (FINE-15)', async () => {
    for (const session of [undefined, '', '0', '-1', '1.5', 'x', '999999', '1e3']) {
      const reply = await push(session, []);
      assert.deepEqual(
        [reply.status, reply.body],
        [409, { error: 'no live quote session' }],
        String(session),
      );
    }
  });

  it('answers 403 to anyone without the secret (CRED-1)', async () => {
    for (const path of ['/v1/maker/session', '/v1/maker/quotes', '/v1/maker/pull']) {
      assert.deepEqual((await venue.post(path, {})).body, { error: 'wrong credential' });
    }
    for (const path of ['/v1/maker/account', '/v1/maker/fills']) {
      assert.equal((await venue.get(path)).status, 403);
    }
  });

  for (const body of [{}, { attemptId: '' }, { attemptId: 7 }, { attemptId: 'x'.repeat(129) }]) {
    it(`refuses to register ${JSON.stringify(body).slice(0, 40)}`, async () => {
      assert.equal((await venue.post('/v1/maker/session', body, maker())).status, 400);
    });
  }

  it('pulls every quote (MM-2)', async () => {
    const session = await register('pulling');
    const levels = [
      [3, 1],
      [2, 1],
    ];
    await push(session, [
      [sid, levels, []],
      [sid + 1, levels, []],
    ]);
    const { status, body } = await venue.post('/v1/maker/pull', {}, maker(session));
    assert.deepEqual([status, body], [200, { pulled: 4 }]);
  });

  it('takes bytes and answers in bytes; faulty ones are 400', async () => {
    const session = await register('bytes');
    const send = async (bytes: Uint8Array, type = QUOTES_CONTENT_TYPE) =>
      fetch(`${venue.exchange.url}/v1/maker/quotes`, {
        method: 'POST',
        headers: { ...maker(session).headers, 'content-type': type },
        body: Buffer.from(bytes),
      });
    const bytes = encodeQuotes([
      { sid, bids: [[4_000_000, 1_000_000]], asks: [] },
      { sid: 99_999, bids: [], asks: [] },
      { sid: sid + 1, bids: [[5, 5]], asks: [[4, 4]] },
    ]);
    const reply = await send(bytes);
    assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, QUOTES_CONTENT_TYPE]);
    assert.deepEqual(decodeQuotesAnswer(await reply.bytes()), {
      applied: 1,
      kept: 0,
      errors: 1,
      rowErrors: [{ i: 2, error: 'crossed ladder' }],
      unknownSids: [99_999],
    });
    assert.deepEqual((await venue.get(`/v1/book?seriesId=${seriesId}`)).body.bids, [{ price: 4, qty: 1 }]);
    for (const [wrong, error] of [
      [bytes.subarray(0, -1), 'push breaks off at byte'],
      [Buffer.concat([bytes, Buffer.of(0)]), 'push has bytes too many'],
      [bytes.with(4, 2), 'push is of an unknown version'],
      [Buffer.from('SQR1'), 'push does not begin with SQW1'],
      [new Uint8Array(0), ''],
    ] as const) {
      const refused = await send(wrong);
      assert.equal(refused.status, 400);
      const { error: told } = (await refused.json()) as { error: string };
      assert.ok(told.startsWith(error), told);
    }
    assert.equal((await send(bytes, 'application/octet-stream')).status, 400);
    assert.equal((await send(bytes, `${QUOTES_CONTENT_TYPE}2`)).status, 400);
    for (const type of ['Application/X-Venue-Quotes', `${QUOTES_CONTENT_TYPE} ; charset=binary`]) {
      const { status, headers } = await send(bytes, type);
      assert.deepEqual([type, status, headers.get('content-type')], [type, 200, QUOTES_CONTENT_TYPE]);
    }
    const elsewhere = await fetch(`${venue.exchange.url}/v1/order`, {
      method: 'POST',
      headers: { 'content-type': QUOTES_CONTENT_TYPE },
      body: Buffer.from(bytes),
    });
    assert.equal(elsewhere.status, 400);
  });

  it('refuses an unreadable body before it checks the session, in bytes as in JSON', async () => {
    const post = (type: string, body: string) =>
      venue.send('/v1/maker/quotes', {
        method: 'POST',
        headers: { ...maker(999_999).headers, 'content-type': type },
        body,
      });
    const error = async (type: string, body: string) => {
      const reply = await post(type, body);
      return [reply.status, reply.body.error];
    };
    assert.deepEqual(await error('application/json', '{"rows":'), [400, 'malformed JSON']);
    assert.deepEqual(await error('application/json', '{"rows":[],"quotes":[]}'), [
      400,
      'rows beside quotes malformed',
    ]);
    assert.deepEqual(await error(QUOTES_CONTENT_TYPE, 'SQW1'), [400, 'push breaks off at byte 4']);
    assert.deepEqual(await error('application/json', '{"rows":[]}'), [409, 'no live quote session']);
  });

  it('logs nothing for rows refused for their shape, and reports them by index', async () => {
    const session = await register('shapes');
    await push(session, [[sid, [[6, 1]], []]]);
    const before = entriesOf('quotes').length;
    const rows = [
      [sid, [[8, 1]], [[7, 1]]],
      [sid, 'x', []],
      [sid, [[0, 1]], []],
      [sid, null, null],
    ];
    for (let i = 0; i < 3; i++) {
      const { body } = await push(session, rows);
      assert.deepEqual(body, {
        applied: 0,
        kept: 1,
        errors: 3,
        rowErrors: [
          { i: 0, error: 'crossed ladder' },
          { i: 1, error: 'malformed row' },
          { i: 2, error: 'bad price' },
        ],
      });
    }
    assert.equal(entriesOf('quotes').length, before);
  });

  it('logs nothing for what already stands (MM-3)', async () => {
    const session = await register('standing');
    const rows = [[sid, [[6, 1]], [[7, 1]], 0.4, 0.5]];
    await push(session, rows);
    const before = entriesOf('quotes').length;
    const { body } = await push(session, rows);
    assert.deepEqual([body.applied, body.kept, entriesOf('quotes').length], [0, 1, before]);
    await push(session, [[sid, null, null, 0.41]]);
    assert.equal(entriesOf('quotes').length, before + 1);
  });

  it('sees its positions, its line and its fills, ascending', async () => {
    const session = await register('inventory');
    await push(session, [[sid, [], [[50, 2]]]]);
    const alice = await openSession(venue);
    await venue.post('/v1/order', await alice.order({ seriesId, side: 'buy', qty: 2 }));
    const account: Json = (await venue.get('/v1/maker/account', maker())).body;
    assert.equal(Compile(MakerAccountSchema).Check(account as unknown), true);
    assert.equal(account.session, session);
    assert.deepEqual([account.positions[0].seriesId, account.positions[0].qty], [seriesId, -2]);
    assert.ok(account.exposure > 0 && account.headroom === account.houseLine - account.exposure);
    const fills: Json = (await venue.get('/v1/maker/fills', maker())).body;
    assert.equal(Compile(MakerFillsSchema).Check(fills as unknown), true);
    const last = fills.fills.at(-1);
    assert.deepEqual([last.side, last.qty, last.price], ['sell', 2, 50]);
    assert.deepEqual((await venue.get(`/v1/maker/fills?after=${last.id}`, maker())).body, { fills: [] });
    assert.equal((await venue.get('/v1/maker/fills?after=x', maker())).status, 400);
  });
});

it('MM-2: sessions may push even where every write must be signed; the legacy form may not (FINE-14)', async () => {
  const venue = await startVenue({ VENUE_REQUIRE_SIGNED_ORDERS: '1' });
  const { body } = await venue.post('/v1/maker/session', { attemptId: 'a' }, maker());
  assert.equal((await venue.post('/v1/maker/quotes', { rows: [] }, maker(body.session))).status, 200);
  assert.equal((await venue.quote({ rows: [] })).status, 401);
  await venue.exchange.stop();
});
