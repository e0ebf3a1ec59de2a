/** Pushes to quote sets that are refused, and their signatures (QTS-1 to QTS-4). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QUOTES_CONTENT_TYPE } from '@venue/protocol';
import { PROTECTION, QuoteSetStage } from '../../../test/quote-set-stage.ts';
import { openSession, type Reply } from '../../../test/support.ts';

describe('POST /v1/quote-sets/{set}', () => {
  const stage = new QuoteSetStage();
  const { act, protect, setsOf, post, push, quote, applied, levels } = stage;

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
      const bob = await openSession(stage.venue);
      assert.deepEqual(await told(push(rows, { by: bob })), unknown);
      assert.deepEqual(await told(push(rows, { set: 2 })), unknown);
      await protect({ qty: 0 });
      assert.deepEqual(await told(push(rows)), unknown);
      assert.deepEqual(await setsOf(), []);
    });

    it('QTS-1: an older nonce is a stale push, which changes nothing but is spent', async () => {
      await protect();
      const body = JSON.stringify(quote([[900, 1]], null));
      const old = await stage.alice.pushHeaders({ venueId: stage.venueId, set: 1, body });
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
      const bob = await openSession(stage.venue);
      await stage.venue.post('/v1/margin', await bob.margin(true));
      const sold = await stage.venue.post(
        '/v1/order',
        await bob.order({ seriesId: stage.series.seriesId, side: 'sell', qty: 3 }),
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
      const signed = await stage.alice.pushHeaders({ venueId: stage.venueId, set: 1, body });
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
      const rows = Array.from({ length: 8_193 }, () => [stage.series.sid, null, null]);
      assert.deepEqual((await push({ rows })).body, { error: 'too many rows' });
      assert.equal((await applied({ rows: rows.slice(1) })).kept, 8_192);
    });
  });

  describe('signatures', () => {
    it('QTS-1: covers the very bytes of the body, the set, the form and the venue', async () => {
      await protect();
      await act({ type: 'protect', set: 2, ...PROTECTION });
      const body = JSON.stringify(quote([[900, 1]], null));
      const headers = await stage.alice.pushHeaders({ venueId: stage.venueId, set: 1, body });
      const elsewhere = await stage.alice.pushHeaders({ venueId: 'f'.repeat(32), set: 1, body });
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
      const headers = await stage.alice.pushHeaders({ venueId: stage.venueId, set: 1, body });
      const incomplete = { error: 'nonce and signature required with sessionKey' };
      for (const name of ['x-session-key', 'x-nonce', 'x-signature']) {
        const { [name]: _, ...rest } = headers;
        const { status, body: answer } = await post(body, { ...rest, 'x-paper-token': stage.alice.token });
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
});
