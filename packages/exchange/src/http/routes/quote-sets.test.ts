/** Pushes to quote sets over HTTP: forms, refusals, answers, and what of them is shown where (QTS-1 to QTS-5). */

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { decodeEntry, type QuoteSetCommand } from '@venue/engine';
import { decodeQuotesAnswer, encodeQuotes, QUOTES_CONTENT_TYPE } from '@venue/protocol';
import { QuoteSetsSchema, QuotesAnswerSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import {
  type Json,
  type LocalVenue,
  type OpenSession,
  openSession,
  pricedVenue,
  type Reply,
  Stream,
} from '../../../test/support.ts';

const pushAnswer = Compile(QuotesAnswerSchema);
const setsAnswer = Compile(QuoteSetsSchema);
const PROTECTION = { symbol: 'BTC', windowMs: 600_000, qty: 10, frozenMs: 0 };

describe('POST /v1/quote-sets/{set}', () => {
  let venue: LocalVenue;
  let venueId: string;
  let series: { seriesId: string; sid: number; expiryTs: number; strike: number };
  let alice: OpenSession;
  before(async () => {
    venue = await pricedVenue();
    venueId = (await venue.get('/v1/venue')).body.venue;
    series = await venue.listed('BTC');
  });
  after(() => venue.exchange.stop());
  beforeEach(async () => {
    alice = await openSession(venue);
    await venue.post('/v1/margin', await alice.margin(true));
  });

  const act = async (...actions: object[]): Promise<Json[]> =>
    (await venue.post('/v1/batch', await alice.batch(venueId, actions))).body.results;
  const protect = (change: object = {}) => act({ type: 'protect', set: 1, ...PROTECTION, ...change });
  const setsOf = async ({ token }: { token: string } = alice): Promise<Json[]> => {
    const { body } = await venue.get('/v1/quote-sets', { token });
    assert.ok(setsAnswer.Check(body), JSON.stringify(setsAnswer.Errors(body)));
    return body.sets;
  };
  const post = (body: string, headers: Record<string, string>, set: unknown = 1): Promise<Reply> =>
    venue.send(`/v1/quote-sets/${set}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const push = async (rows: object, { set = 1, by = alice }: { set?: number; by?: OpenSession } = {}) => {
    const body = JSON.stringify(rows);
    return post(body, await by.pushHeaders({ venueId, set, body }), set);
  };
  const quote = (bids: unknown, asks: unknown, more: object = {}) => ({
    quotes: [{ seriesId: series.seriesId, bids, asks, ...more }],
  });
  const applied = async (rows: object, set = 1): Promise<Json> => {
    const { status, body } = await push(rows, { set });
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(pushAnswer.Check(body), JSON.stringify(pushAnswer.Errors(body)));
    return body;
  };
  const levels = async () => {
    const { body } = await venue.get(`/v1/book?seriesId=${series.seriesId}`);
    return [body.bids, body.asks].map((side: Json[]) => side.map(({ price, qty }: Json) => [price, qty]));
  };
  /** The pushes of the account in the log. */
  const pushesInLog = (): QuoteSetCommand[] =>
    venue.store.entries
      .filter(({ kind }) => kind === 'quote-set')
      .map((entry) => decodeEntry(entry).command as QuoteSetCommand)
      .filter(({ account }) => account === alice.account);
  afterEach(() => act({ type: 'cancel-all' }));

  describe('forms', () => {
    it('QTS-1: takes verbose and compact rows, and answers as /v1/quotes does', async () => {
      await protect();
      const verbose = await applied(quote([[900, 2]], [[1100, 1]], { iv: 0.6, delta: 0.5 }));
      assert.deepEqual(verbose, { applied: 1, kept: 0, errors: 0, rowErrors: [] });
      const compact = await applied({ rows: [[series.sid, [[900, 2]], [[1101, 1]], 0.6, 0.5]] });
      assert.deepEqual(compact, { applied: 1, kept: 0, errors: 0, rowErrors: [] });
      const [set] = await setsOf();
      assert.deepEqual([set.quotes, set.used, set.frozen], [2, 0, false]);
    });

    it('QTS-1: takes bytes, and answers in bytes; a refusal is JSON', async () => {
      await protect();
      const sent = encodeQuotes([{ sid: series.sid, bids: [[900_000_000, 1_000_000]], asks: [] }]);
      const bytes = new Uint8Array(sent);
      const send = async (headers: object) =>
        fetch(`${venue.url}/v1/quote-sets/1`, {
          method: 'POST',
          headers: { 'content-type': QUOTES_CONTENT_TYPE, ...headers },
          body: bytes,
        });
      const signed = await alice.pushHeaders({ venueId, set: 1, body: bytes, form: 'sqw1' });
      const answer = await send(signed);
      assert.equal(answer.headers.get('content-type'), QUOTES_CONTENT_TYPE);
      const decoded = decodeQuotesAnswer(new Uint8Array(await answer.arrayBuffer()));
      assert.deepEqual(decoded, { applied: 1, kept: 0, errors: 0, rowErrors: [] });
      const replayed = await send(signed);
      assert.deepEqual([replayed.status, await replayed.json()], [401, { error: 'nonce already used' }]);
      const asJson = await alice.pushHeaders({ venueId, set: 1, body: bytes, form: 'json' });
      const other = await send(asJson);
      assert.deepEqual([other.status, await other.json()], [401, { error: 'bad signature' }]);
    });

    it('QTS-1: takes a token where unsigned orders are taken, and no nonce orders such pushes', async () => {
      await protect();
      const headers = { 'x-paper-token': alice.token };
      const body = JSON.stringify(quote([[900, 2]], null));
      assert.equal((await post(body, headers)).body.applied, 1);
      assert.deepEqual((await post(body, headers)).body, { applied: 0, kept: 1, errors: 0, rowErrors: [] });
      assert.deepEqual((await post(body, {})).body, { error: 'missing or unknown token' });
    });

    it('QTS-6: rows that stand already are kept, and cross the log no more', async () => {
      await protect();
      const rows = quote([[900, 2]], [[1100, 1]]);
      await applied(rows);
      assert.deepEqual(await applied(rows), { applied: 0, kept: 1, errors: 0, rowErrors: [] });
      const [first, second] = pushesInLog();
      assert.deepEqual([first!.rows?.length, second!.rows?.length], [1, 0]);
      assert.ok(second!.authorization!.nonce > first!.authorization!.nonce, 'an entry spends the nonce');
    });

    it('DET-5: errors of rows stand in the order of the rows, whoever found them', async () => {
      await protect();
      await venue.quote({ rows: [[series.sid, [[1000, 1]], [[1010, 1]]]] });
      const { seriesId } = series;
      const { body } = await push({
        quotes: [
          { seriesId, bids: [[1005, 1]], asks: [] },
          {
            seriesId,
            bids: [
              [800, 1],
              [900, 1],
            ],
          },
          { seriesId: 'BTC-1-C-1', bids: [] },
          { seriesId, bids: [[990, 11]] },
          {
            seriesId,
            bids: [
              [1010, 1],
              [995, 1],
            ],
          },
          'nonsense',
        ],
      });
      assert.deepEqual(body.rowErrors, [
        { i: 1, error: 'levels must stand best first', code: 'not-best-first' },
        { i: 2, error: 'unknown series', code: 'unknown-series' },
        { i: 3, error: 'level above the limit', code: 'level-above-limit' },
        { i: 4, error: 'post-only would trade', code: 'post-only-would-trade' },
        { i: 5, error: 'malformed row', code: 'malformed-row' },
      ]);
      assert.deepEqual([body.applied, body.kept, body.errors], [2, 0, 5]);
      const compact = await applied({
        rows: [
          [999_999, [], []],
          [series.sid, [], []],
        ],
      });
      assert.deepEqual([compact.applied, compact.unknownSids], [1, [999_999]]);
      await venue.quote({ rows: [[series.sid, [], []]] });
    });
  });

  describe('QTS-6: what is written', () => {
    /** Bytes of the last push in the log. */
    const written = () => venue.store.entries.findLast(({ kind }) => kind === 'quote-set')!.body.length;
    /** The same push in each form. */
    const send = async (form: 'verbose' | 'compact' | 'sqw1', rows: readonly Json[]) => {
      if (form === 'verbose')
        return push({ quotes: rows.map(({ seriesId, bids, asks }) => ({ seriesId, bids, asks })) });
      if (form === 'compact') return push({ rows: rows.map(({ sid, bids, asks }) => [sid, bids, asks]) });
      const micros = (levels: number[][]) => levels.map(([price, qty]) => [price! * 1e6, qty! * 1e6]);
      const encoded = rows.map(({ sid, bids, asks }) => ({ sid, bids: micros(bids), asks: micros(asks) }));
      const bytes = new Uint8Array(encodeQuotes(encoded as never));
      const headers = await alice.pushHeaders({ venueId, set: 1, body: bytes, form });
      const answer = await fetch(`${venue.url}/v1/quote-sets/1`, {
        method: 'POST',
        headers: { 'content-type': QUOTES_CONTENT_TYPE, ...headers },
        body: bytes,
      });
      if (answer.status !== 200) return { status: answer.status, body: (await answer.json()) as Json };
      return { status: 200, body: decodeQuotesAnswer(new Uint8Array(await answer.arrayBuffer())) as Json };
    };
    for (const form of ['verbose', 'compact', 'sqw1'] as const) {
      it(`no ${form} push writes more than what it changes`, async () => {
        const all: Json[] = (await venue.get('/v1/series?symbol=BTC')).body.series.slice(0, 60);
        const rows = (bid: number, of = all, bids = [[bid, 1]]) =>
          of.map((one) => ({ ...one, bids, asks: [] }));
        await protect({ qty: 1 });
        await send(form, []);
        const nonce = written();
        const alone = async (
          sent: readonly Json[],
          [applied, kept, errors]: readonly number[],
          count = errors === undefined ? 400 : 200,
        ) => {
          const { status, body } = await send(form, sent);
          assert.equal(status, count, JSON.stringify(body));
          if (status === 200)
            assert.deepEqual([body.applied, body.kept, body.errors], [applied, kept, errors]);
          assert.ok(written() <= 1.2 * nonce, `${written()} for ${nonce}`);
        };
        // Above the set's limit; of an underlying without buying power; of a series that is not the set's.
        await alone(rows(0, all, [[900, 2]]), [0, 0, 60]);
        await protect({ qty: 1_000_000 });
        await alone(rows(0, all, [[9_000, 100_000]]), []);
        await protect({ qty: 1 });
        const { status, body } = await send(form, rows(900, all.slice(0, 1)));
        assert.deepEqual([status, body.applied], [200, 1]);
        const one = written();
        await alone(rows(900, all.slice(0, 1)), [0, 1, 0]);
        // Rows of one series that undo each other, and then one change among rows that stand or are refused.
        const undone = Array.from({ length: 300 }, (_, i) => rows(i % 2 === 0 ? 901 : 900, all.slice(0, 1)));
        await alone(undone.flat(), [300, 0, 0]);
        await send(form, [...rows(902, all.slice(0, 1)), ...rows(0, all.slice(1), [[900, 2]])]);
        assert.ok(written() <= 1.2 * one, `${written()} for ${one}`);
        await protect({ qty: 0 });
        await alone(rows(900), []);
      });
    }

    it('an unsigned push that is refused whole has no nonce to spend, and is not written', async () => {
      await protect();
      const headers = { 'x-paper-token': alice.token };
      const before = pushesInLog().length;
      const refused = await post(JSON.stringify(quote([[900, 11]], null)), headers);
      assert.deepEqual([refused.status, refused.body.errors], [200, 1]);
      assert.deepEqual((await post('{"rows":[]}', headers, 2)).body, { error: 'unknown set' });
      assert.equal(pushesInLog().length, before);
    });

    it('pushes sent at once are each compared with what the one before left', async () => {
      await protect();
      const bodies = [900, 901, 900].map((bid) => JSON.stringify(quote([[bid, 1]], null)));
      const headers = { 'x-paper-token': alice.token };
      const answers = await Promise.all(bodies.map((body) => post(body, headers)));
      assert.deepEqual(
        answers.map(({ body }) => body.applied),
        [1, 1, 1],
      );
      assert.equal(pushesInLog().length, 3);
    });
  });

  describe('refusals', () => {
    it('QTS-2 QTS-3: an unknown, unprotected or ended set, and one of another account', async () => {
      const rows = quote([[900, 1]], null);
      const unknown = [400, { error: 'unknown set' }];
      const told = async (sent: Promise<Reply>) => {
        const { status, body } = await sent;
        return [status, body];
      };
      assert.deepEqual(await told(push(rows)), unknown);
      await protect();
      const bob = await openSession(venue);
      assert.deepEqual(await told(push(rows, { by: bob })), unknown);
      assert.deepEqual(await told(push(rows, { set: 2 })), unknown);
      await protect({ qty: 0 });
      assert.deepEqual(await told(push(rows)), unknown);
      assert.deepEqual(await setsOf(), []);
    });

    it('QTS-1: an older nonce is a stale push, which changes nothing but is spent', async () => {
      await protect();
      const body = JSON.stringify(quote([[900, 1]], null));
      const old = await alice.pushHeaders({ venueId, set: 1, body });
      await applied(quote([[901, 1]], null));
      const [before] = await setsOf();
      const late = await post(body, old);
      const { lastNonce, ...body400 } = late.body as { lastNonce: number };
      assert.deepEqual([late.status, body400], [400, { error: 'stale push' }]);
      assert.ok(lastNonce > Number(old['x-nonce']));
      assert.deepEqual((await post(body, old)).body, { error: 'nonce already used' });
      assert.deepEqual(await setsOf(), [before]);
      assert.deepEqual((await levels())[0], [[901, 1]]);
    });

    it('QTS-3: a set that is used up is frozen, until it is unfrozen', async () => {
      await protect({ qty: 2, delta: 5 });
      await applied(
        quote(
          [
            [900, 2],
            [890, 2],
          ],
          null,
          { delta: -0.4 },
        ),
      );
      const bob = await openSession(venue);
      await venue.post('/v1/margin', await bob.margin(true));
      const sold = await venue.post(
        '/v1/order',
        await bob.order({ seriesId: series.seriesId, side: 'sell', qty: 3 }),
      );
      assert.deepEqual([sold.body.status, sold.body.fills], ['partial', [{ price: 900, qty: 2 }]]);
      const [set] = await setsOf();
      const { used, usedDelta, frozen, frozenUntil, quotes, reserve } = set;
      assert.deepEqual([used, usedDelta, frozen, frozenUntil, quotes, reserve], [2, 0.8, true, null, 0, 0]);
      const { status, body } = await push(quote([[880, 1]], null));
      assert.deepEqual([status, body], [400, { error: 'frozen — unfreeze the set first' }]);
      assert.deepEqual(await act({ type: 'unfreeze', set: 1 }, { type: 'unfreeze', set: 2 }), [
        { type: 'unfreeze', ok: true },
        { type: 'unfreeze', ok: false, reason: 'unknown set', code: 'unknown-set' },
      ]);
      assert.equal((await applied(quote([[880, 1]], null))).applied, 1);
      assert.deepEqual([(await setsOf())[0].used, (await setsOf())[0].usedDelta], [0, 0]);
    });

    it('QTS-4: what buying power does not cover is refused whole', async () => {
      await protect({ qty: 1_000_000 });
      const { status, body } = await push(quote([[900, 1_000]], null));
      assert.equal(status, 400);
      assert.match(body.error, /^insufficient buying power \(need ~900000\.00, have 100000\.00\)$/);
      assert.deepEqual((await setsOf())[0].quotes, 0);
    });

    it('HTTP-1: bodies that are none, encoded, or of the wrong type', async () => {
      await protect();
      const body = JSON.stringify(quote([[900, 1]], null));
      const signed = await alice.pushHeaders({ venueId, set: 1, body });
      const refused = async (sent: string, headers: Record<string, string>, error: string) =>
        assert.deepEqual((await post(sent, { ...signed, ...headers })).body, { error });
      await refused(body, { 'content-encoding': 'gzip' }, 'content-encoding must be identity');
      await refused(body, { 'content-encoding': 'identity, gzip' }, 'content-encoding must be identity');
      await refused(body, { 'content-type': 'text/plain' }, 'content-type must be application/json');
      await refused('{"quotes":', {}, 'malformed JSON');
      await refused('{"quotes":[],"rows":[]}', {}, 'rows beside quotes malformed');
      await refused('{"quotes":[],"rows":null}', {}, 'rows beside quotes malformed');
      await refused('SQW1', { 'content-type': QUOTES_CONTENT_TYPE }, 'push breaks off at byte 4');
      assert.equal((await post(body, { ...signed, 'content-encoding': 'identity' })).status, 200);
    });

    it('QTS-1: a set is 1 to 16, in plain decimal', async () => {
      const body = '{"rows":[]}';
      for (const set of ['0', '17', '01', '1.0', '-1', 'one', '1e0', '%31%30%30']) {
        const { status, body: answer } = await post(body, {}, set);
        assert.deepEqual([status, answer], [400, { error: 'set malformed' }], set);
      }
    });

    it('bounds the rows of one push', async () => {
      await protect();
      const rows = Array.from({ length: 8_193 }, () => [series.sid, null, null]);
      assert.deepEqual((await push({ rows })).body, { error: 'too many rows' });
      assert.equal((await applied({ rows: rows.slice(1) })).kept, 8_192);
    });
  });

  describe('signatures', () => {
    it('QTS-1: covers the very bytes of the body, the set, the form and the venue', async () => {
      await protect();
      await act({ type: 'protect', set: 2, ...PROTECTION });
      const body = JSON.stringify(quote([[900, 1]], null));
      const headers = await alice.pushHeaders({ venueId, set: 1, body });
      const elsewhere = await alice.pushHeaders({ venueId: 'f'.repeat(32), set: 1, body });
      for (const [sent, signed, set] of [
        [`${body} `, headers, 1],
        [body.replace('900', '901'), headers, 1],
        [body, headers, 2],
        [body, elsewhere, 1],
        [body, { ...headers, 'x-signature': elsewhere['x-signature']! }, 1],
      ] as const) {
        const answer = await post(sent, signed, set);
        assert.deepEqual([answer.status, answer.body], [401, { error: 'bad signature' }]);
      }
      assert.equal((await post(body, headers)).status, 200);
      assert.deepEqual((await post(body, headers)).body, { error: 'nonce already used' });
    });

    it('AUTH-3: some of the three headers are no unsigned request, and a nonce is a plain integer', async () => {
      await protect();
      const body = JSON.stringify(quote([[900, 1]], null));
      const headers = await alice.pushHeaders({ venueId, set: 1, body });
      const incomplete = { error: 'nonce and signature required with sessionKey' };
      for (const name of ['x-session-key', 'x-nonce', 'x-signature']) {
        const { [name]: _, ...rest } = headers;
        const { status, body: answer } = await post(body, { ...rest, 'x-paper-token': alice.token });
        assert.deepEqual([status, answer], [400, incomplete], name);
      }
      const nonce = headers['x-nonce']!;
      for (const odd of [
        `0${nonce}`,
        `${nonce}.0`,
        `+${nonce}`,
        '0x1',
        '1e12',
        '',
        `${nonce}, ${nonce}`,
        '9'.repeat(17),
      ]) {
        const { status, body: answer } = await post(body, { ...headers, 'x-nonce': odd });
        assert.deepEqual([status, answer], [400, incomplete], odd);
      }
      const odd = await post(body, { ...headers, 'x-session-key': 'nobody' });
      assert.deepEqual([odd.status, odd.body], [400, { error: 'sessionKey malformed' }]);
      assert.equal((await post(body, headers)).status, 200);
    });
  });

  describe('what is shown', () => {
    it('QTS-2: quotes are no orders, and every cancel in scope pulls and counts them', async () => {
      const stream = await new Stream(venue, alice.token).opened();
      await protect();
      const bids = [
        [900, 2],
        [890, 1],
      ];
      const { headers } = await push(quote(bids, null));
      assert.ok(Number(headers.get('x-venue-seq')) > 0);
      const { token } = alice;
      const { body: me } = await venue.get('/v1/me', { token });
      assert.deepEqual([me.openOrderCount, me.openOrders], [0, []]);
      assert.deepEqual((await venue.get('/v1/orders', { token })).body.orders, []);
      const [set] = await setsOf();
      // A bid needs its price, whatever the marks are at the tick between two reads.
      assert.deepEqual([me.locked, set.reserve], [2_690, 2_690]);
      await applied(quote(null, [[1100, 1]]));
      assert.deepEqual(await levels(), [
        [
          [900, 2],
          [890, 1],
        ],
        [[1100, 1]],
      ]);
      const cancelled = await venue.post('/v1/cancel', await alice.cancel('all'));
      assert.deepEqual([cancelled.body.ok, cancelled.body.pulled], [true, 3]);
      assert.deepEqual((await setsOf())[0].quotes, 0);
      const frames = stream.frames.filter(({ type }) => type === 'orders');
      assert.ok(frames.every(({ orders }) => orders.length === 0));
      stream.socket.close();
    });

    it('ACC-4 CID-2: fills of quotes are fills, of an order that no list has', async () => {
      await protect();
      await applied(quote([[900, 2]], null));
      const stream = await new Stream(venue, alice.token).opened();
      const bob = await openSession(venue);
      await venue.post('/v1/margin', await bob.margin(true));
      await venue.post('/v1/order', await bob.order({ seriesId: series.seriesId, side: 'sell', qty: 1 }));
      const frame = await stream.frame(({ type }) => type === 'fill');
      assert.deepEqual([frame.fill.side, frame.fill.qty, frame.fill.taker], ['buy', 1, false]);
      assert.equal(frame.fill.signer, alice.key.address.toLowerCase());
      const { token } = alice;
      const [fill] = (await venue.get('/v1/fills', { token })).body.fills;
      assert.deepEqual([fill.kind, fill.taker, fill.qty, fill.fee], ['trade', false, 1, 0]);
      assert.deepEqual((await venue.get('/v1/orders', { token })).body.orders, []);
      const unknown = await venue.get(`/v1/orders/${fill.orderId}`, { token });
      assert.deepEqual([unknown.status, unknown.body], [404, { error: 'unknown order' }]);
      const { body: statement } = await venue.get('/v1/statement', { token });
      assert.ok(
        statement.rows.some(({ fillId }: Json) => fillId === fill.id),
        JSON.stringify(statement.rows),
      );
      stream.socket.close();
    });
  });
});
