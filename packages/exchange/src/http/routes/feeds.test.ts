import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FeedAnswerSchema, QuotesAnswerSchema } from '@venue/protocol/wire';
import { Compile } from 'typebox/schema';
import { FEED_TOKEN, type LocalVenue, openSession, pricedVenue, startVenue } from '../../../test/support.ts';

describe('pushes of the feed and of the maker', () => {
  let venue: LocalVenue;
  let sid: number;
  let seriesId: string;
  before(async () => {
    venue = await pricedVenue();
    ({ sid, seriesId } = await venue.listed('BTC'));
  });
  after(() => venue.exchange.stop());

  it('prints move the spot; faulty rows are reported by index (FEED-1, FEED-2)', async () => {
    const { status, body } = await venue.feed([
      { symbol: 'ETH', source: 'a', price: 3000 },
      { symbol: 'NOPE', source: 'a', price: 1 },
      { symbol: 'ETH', source: 'b', price: '3001' },
      { symbol: 'ETH', source: 'c', price: 3002 },
      { symbol: 'ETH', source: 'd', price: -1 },
      null,
      { symbol: 'ETH', source: '', price: 1 },
      { symbol: 'ETH', source: 'e', price: 0.0000001 },
    ]);
    assert.equal(status, 200);
    assert.ok(Compile(FeedAnswerSchema).Check(body));
    assert.deepEqual([body.ok, body.accepted, body.rejected], [true, 2, 6]);
    assert.deepEqual(body.rowErrors.slice(0, 2), [
      { i: 1, error: 'unknown symbol' },
      { i: 2, error: 'price must be a number' },
    ]);
    assert.deepEqual(
      body.rowErrors.map(({ i }: { i: number }) => i),
      [1, 2, 4, 5, 6, 7],
    );
    const { instruments } = (await venue.get('/v1/meta')).body;
    assert.deepEqual(instruments[1], { symbol: 'ETH', spot: 3001, feedFresh: true });
  });

  it('answers 403 to a caller without the secret, before reading the body (CRED-1)', async () => {
    for (const path of ['/v1/feed/prints', '/v1/quotes']) {
      const headers = [{}, { 'x-feed-token': 'wrong', 'x-maker-token': 'wrong' }];
      for (const header of headers) {
        const reply = await venue.post(path, 'junk', { headers: header });
        assert.deepEqual([reply.status, reply.body], [403, { error: 'wrong credential' }]);
      }
    }
    const open = await startVenue({ VENUE_MAKER_TOKEN: '' });
    const reply = await open.post('/v1/quotes', { rows: [] }, { headers: { 'x-maker-token': '' } });
    assert.equal(reply.status, 403);
    await open.exchange.stop();
  });

  it('quotes apply by row, compact and verbose (MM-3, FINE-15)', async () => {
    const { body } = await venue.quote({
      rows: [
        [sid, [[1000, 5]], [[1010, 5]], 0.5, 0.4],
        [sid + 1, [[10, 1]], null],
        [999_999, null, null],
        [sid + 2, [[5, 1]], [[4, 1]]],
        [sid + 3, [['5', 1]], null],
        'row',
        [sid + 4, [[5, 0]], null],
        [sid + 5, null, null],
      ],
    });
    assert.ok(Compile(QuotesAnswerSchema).Check(body));
    assert.deepEqual([body.applied, body.kept, body.errors, body.unknownSids], [2, 1, 4, [999_999]]);
    assert.deepEqual(
      body.rowErrors.map(({ i }: { i: number }) => i),
      [3, 4, 5, 6],
    );
    const verbose = await venue.quote({
      quotes: [
        { seriesId, bids: [[1000, 5]], asks: [[1010, 5]], iv: null },
        { seriesId: 'BTC-1-C-1', bids: [] },
      ],
    });
    assert.deepEqual([verbose.body.applied, verbose.body.kept, verbose.body.errors], [0, 1, 1]);
    assert.equal('unknownSids' in verbose.body, false);
  });

  it('keeps the time priority of an unchanged level (MM-3)', async () => {
    const alice = await openSession(venue);
    await venue.quote({ rows: [[sid, [], [[1010, 5]]]] });
    await venue.post('/v1/margin', await alice.margin(true));
    await venue.post('/v1/order', await alice.order({ seriesId, side: 'sell', qty: 1, price: 1010 }));
    await venue.quote({
      rows: [
        [
          sid,
          [],
          [
            [1010, 5],
            [1020, 1],
          ],
        ],
      ],
    });
    const bob = await openSession(venue);
    await venue.post('/v1/order', await bob.order({ seriesId, side: 'buy', qty: 5, price: 1010 }));
    assert.equal((await venue.get('/v1/me', { token: alice.token })).body.openOrders[0].remaining, 1);
  });

  it('shows the first twenty of many errors', async () => {
    const { body } = await venue.quote({ rows: Array.from({ length: 30 }, () => 'junk') });
    assert.deepEqual([body.errors, body.rowErrors.length, body.rowErrors[19].i], [30, 20, 19]);
  });

  const MALFORMED: [string, object, string][] = [
    ['/v1/quotes', {}, 'rows required'],
    ['/v1/quotes', { rows: 5 }, 'rows must be an array'],
    ['/v1/quotes', { rows: [], quotes: [] }, 'rows beside quotes malformed'],
    ['/v1/feed/prints', {}, 'prints required'],
    ['/v1/feed/prints', { prints: {} }, 'prints must be an array'],
  ];
  for (const [path, body, error] of MALFORMED) {
    it(`POST ${path} ${JSON.stringify(body)} answers 400 ${error}`, async () => {
      const reply =
        path === '/v1/quotes' ? await venue.quote(body) : await venue.post(path, body, feedHeaders());
      assert.deepEqual([reply.status, reply.body], [400, { error }]);
    });
  }
});

function feedHeaders() {
  return { headers: { 'x-feed-token': FEED_TOKEN } };
}
