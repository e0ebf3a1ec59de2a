/** Pushes to quote sets over HTTP: forms, answers, and what of them is shown where (QTS-1 to QTS-6). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeQuotesAnswer, encodeQuotes, QUOTES_CONTENT_TYPE } from '@venue/protocol';
import { QuoteSetStage } from '../../../test/quote-set-stage.ts';
import { type Json, openSession, Stream } from '../../../test/support.ts';

describe('POST /v1/quote-sets/{set}', () => {
  const stage = new QuoteSetStage();
  const { protect, setsOf, post, push, quote, applied, levels, pushesInLog } = stage;

  describe('forms', () => {
    it('QTS-1: takes verbose and compact rows, and answers as /v1/quotes does', async () => {
      await protect();
      const verbose = await applied(quote([[900, 2]], [[1100, 1]], { iv: 0.6, delta: 0.5 }));
      assert.deepEqual(verbose, { applied: 1, kept: 0, errors: 0, rowErrors: [] });
      const compact = await applied({ rows: [[stage.series.sid, [[900, 2]], [[1101, 1]], 0.6, 0.5]] });
      assert.deepEqual(compact, { applied: 1, kept: 0, errors: 0, rowErrors: [] });
      const [set] = await setsOf();
      assert.deepEqual([set.quotes, set.used, set.frozen], [2, 0, false]);
    });

    it('QTS-1: takes bytes, and answers in bytes; a refusal is JSON', async () => {
      await protect();
      const sent = encodeQuotes([{ sid: stage.series.sid, bids: [[900_000_000, 1_000_000]], asks: [] }]);
      const bytes = new Uint8Array(sent);
      const send = async (headers: object) =>
        fetch(`${stage.venue.url}/v1/quote-sets/1`, {
          method: 'POST',
          headers: { 'content-type': QUOTES_CONTENT_TYPE, ...headers },
          body: bytes,
        });
      const signed = await stage.alice.pushHeaders({
        venueId: stage.venueId,
        set: 1,
        body: bytes,
        form: 'sqw1',
      });
      const answer = await send(signed);
      assert.equal(answer.headers.get('content-type'), QUOTES_CONTENT_TYPE);
      const decoded = decodeQuotesAnswer(new Uint8Array(await answer.arrayBuffer()));
      assert.deepEqual(decoded, { applied: 1, kept: 0, errors: 0, rowErrors: [] });
      const replayed = await send(signed);
      assert.deepEqual([replayed.status, await replayed.json()], [401, { error: 'nonce already used' }]);
      const asJson = await stage.alice.pushHeaders({
        venueId: stage.venueId,
        set: 1,
        body: bytes,
        form: 'json',
      });
      const other = await send(asJson);
      assert.deepEqual([other.status, await other.json()], [401, { error: 'bad signature' }]);
    });

    it('QTS-1: takes a token where unsigned orders are taken, and no nonce orders such pushes', async () => {
      await protect();
      const headers = { 'x-paper-token': stage.alice.token };
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

    it('DET-5: errors of rows stand in the order of the rows, whichever check found them', async () => {
      await protect();
      await stage.venue.quote({ rows: [[stage.series.sid, [[1000, 1]], [[1010, 1]]]] });
      const { seriesId } = stage.series;
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
          [stage.series.sid, [], []],
        ],
      });
      assert.deepEqual([compact.applied, compact.unknownSids], [1, [999_999]]);
      await stage.venue.quote({ rows: [[stage.series.sid, [], []]] });
    });
  });

  describe('QTS-6: what is written', () => {
    /** Bytes of the last push in the log. */
    const written = () => stage.venue.store.entries.findLast(({ kind }) => kind === 'quote-set')!.body.length;
    /** The same push in each form. */
    const send = async (form: 'verbose' | 'compact' | 'sqw1', rows: readonly Json[]) => {
      if (form === 'verbose')
        return push({ quotes: rows.map(({ seriesId, bids, asks }) => ({ seriesId, bids, asks })) });
      if (form === 'compact') return push({ rows: rows.map(({ sid, bids, asks }) => [sid, bids, asks]) });
      const micros = (levels: number[][]) => levels.map(([price, qty]) => [price! * 1e6, qty! * 1e6]);
      const encoded = rows.map(({ sid, bids, asks }) => ({ sid, bids: micros(bids), asks: micros(asks) }));
      const bytes = new Uint8Array(encodeQuotes(encoded as never));
      const headers = await stage.alice.pushHeaders({ venueId: stage.venueId, set: 1, body: bytes, form });
      const answer = await fetch(`${stage.venue.url}/v1/quote-sets/1`, {
        method: 'POST',
        headers: { 'content-type': QUOTES_CONTENT_TYPE, ...headers },
        body: bytes,
      });
      if (answer.status !== 200) return { status: answer.status, body: (await answer.json()) as Json };
      return { status: 200, body: decodeQuotesAnswer(new Uint8Array(await answer.arrayBuffer())) as Json };
    };
    for (const form of ['verbose', 'compact', 'sqw1'] as const) {
      it(`no ${form} push writes more than what it changes`, async () => {
        const all: Json[] = (await stage.venue.get('/v1/series?symbol=BTC')).body.series.slice(0, 60);
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
        // Rows of one stage.series that undo each other, and then one change among rows that stand or are refused.
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
      const headers = { 'x-paper-token': stage.alice.token };
      const before = pushesInLog().length;
      const refused = await post(JSON.stringify(quote([[900, 11]], null)), headers);
      assert.deepEqual([refused.status, refused.body.errors], [200, 1]);
      assert.deepEqual((await post('{"rows":[]}', headers, 2)).body, { error: 'unknown set' });
      assert.equal(pushesInLog().length, before);
    });

    it('pushes sent at once are each compared with what the one before left', async () => {
      await protect();
      const bodies = [900, 901, 900].map((bid) => JSON.stringify(quote([[bid, 1]], null)));
      const headers = { 'x-paper-token': stage.alice.token };
      const answers = await Promise.all(bodies.map((body) => post(body, headers)));
      assert.deepEqual(
        answers.map(({ body }) => body.applied),
        [1, 1, 1],
      );
      assert.equal(pushesInLog().length, 3);
    });
  });

  describe('what is shown', () => {
    it('QTS-2: quotes are no orders, and every cancel in scope pulls and counts them', async () => {
      const stream = await new Stream(stage.venue, stage.alice.token).opened();
      await protect();
      const bids = [
        [900, 2],
        [890, 1],
      ];
      const { headers } = await push(quote(bids, null));
      assert.ok(Number(headers.get('x-venue-seq')) > 0);
      const { token } = stage.alice;
      const { body: me } = await stage.venue.get('/v1/me', { token });
      assert.deepEqual([me.openOrderCount, me.openOrders], [0, []]);
      assert.deepEqual((await stage.venue.get('/v1/orders', { token })).body.orders, []);
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
      const cancelled = await stage.venue.post('/v1/cancel', await stage.alice.cancel('all'));
      assert.deepEqual([cancelled.body.ok, cancelled.body.pulled], [true, 3]);
      assert.deepEqual((await setsOf())[0].quotes, 0);
      const frames = stream.frames.filter(({ type }) => type === 'orders');
      assert.ok(frames.every(({ orders }) => orders.length === 0));
      stream.socket.close();
    });

    it('ACC-4 CID-2: fills of quotes are fills, of an order that no list has', async () => {
      await protect();
      await applied(quote([[900, 2]], null));
      const stream = await new Stream(stage.venue, stage.alice.token).opened();
      const bob = await openSession(stage.venue);
      await stage.venue.post('/v1/margin', await bob.margin(true));
      await stage.venue.post(
        '/v1/order',
        await bob.order({ seriesId: stage.series.seriesId, side: 'sell', qty: 1 }),
      );
      const frame = await stream.frame(({ type }) => type === 'fill');
      assert.deepEqual([frame.fill.side, frame.fill.qty, frame.fill.taker], ['buy', 1, false]);
      assert.equal(frame.fill.signer, stage.alice.key.address.toLowerCase());
      const { token } = stage.alice;
      const [fill] = (await stage.venue.get('/v1/fills', { token })).body.fills;
      assert.deepEqual([fill.kind, fill.taker, fill.qty, fill.fee], ['trade', false, 1, 0]);
      assert.deepEqual((await stage.venue.get('/v1/orders', { token })).body.orders, []);
      const unknown = await stage.venue.get(`/v1/orders/${fill.orderId}`, { token });
      assert.deepEqual([unknown.status, unknown.body], [404, { error: 'unknown order' }]);
      const { body: statement } = await stage.venue.get('/v1/statement', { token });
      assert.ok(
        statement.rows.some(({ fillId }: Json) => fillId === fill.id),
        JSON.stringify(statement.rows),
      );
      stream.socket.close();
    });
  });
});
