/** The entries that batches write to the log (BAT-7). */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { batchEnvelope, readActions } from '@venue/protocol';
import { type Json, type LocalVenue, openSession, pricedVenue, signIn } from '../../../test/support.ts';

describe('BAT-7 what a batch writes', () => {
  let venue: LocalVenue;
  let seriesId: string;
  before(async () => {
    venue = await pricedVenue();
    ({ seriesId } = await venue.listed('BTC'));
  });
  after(() => venue.exchange.stop());

  const written = () => {
    // A maintenance tick may come after it.
    const { body } = venue.store.entries.findLast(({ kind }) => kind === 'batch')!;
    return Buffer.from(body).toString();
  };
  const unlisted = (count: number, length = 64) =>
    Array.from({ length: count }, (_, i) => `${i}`.padStart(length, '~'));

  it('leaves series and underlyings that do not exist out, and pulls those beside them', async () => {
    const token = await signIn(venue);
    const quiet = [...Array.from({ length: 62 }, () => ({ type: 'cancel-all', seriesIds: unlisted(1) }))];
    const actions = [
      { type: 'place', seriesId, side: 'buy', qty: 1, price: 900 },
      { type: 'cancel-all', seriesIds: [seriesId, ...unlisted(1)] },
      ...quiet,
    ];
    const { body } = await venue.post('/v1/batch', { actions }, token);
    assert.deepEqual(body.results[1], { type: 'cancel-all', ok: true, pulled: 1 });
    const named = written();
    await venue.post('/v1/batch', { actions: [{ type: 'cancel-all', symbols: unlisted(64) }] }, token);
    assert.ok(!`${named}${written()}`.includes('~'));
    // As much as what it does: the same batch with nothing to leave out.
    const plain = [actions[0], { type: 'cancel-all', seriesIds: [seriesId] }];
    const idle = quiet.map(() => ({ type: 'cancel-all', symbols: ['BTC'] }));
    await venue.post('/v1/batch', { actions: [...plain, ...idle] }, token);
    assert.ok(named.length <= 1.2 * written().length, `${named.length} for ${written().length}`);
  });

  /** Well formed, of a strike that is not listed. */
  const strange = (i: number) => seriesId.replace(/[\d.]+$/, `${i + 1}.125`);

  it('writes nothing of orders, combos and sets of what does not exist, and answers them', async () => {
    const token = await signIn(venue);
    const legs = Array.from({ length: 4 }, (_, i) => ({ seriesId: strange(i), side: 'buy', ratio: 1 }));
    const idle = [
      ...Array.from({ length: 60 }, () => ({ type: 'combo', legs, qty: 1, net: 1 })),
      { type: 'place', seriesId: unlisted(1)[0], side: 'buy', qty: 1, price: 1, clientId: 'none' },
      { type: 'protect', set: 1, symbol: unlisted(1)[0], windowMs: 1_000, qty: 5, frozenMs: 0 },
    ];
    const batches = () => venue.store.entries.filter(({ kind }) => kind === 'batch').length;
    const count = batches();
    const { status, body } = await venue.post('/v1/batch', { actions: idle }, token);
    assert.equal(status, 200);
    assert.equal(batches(), count);
    const rejected = {
      status: 'rejected',
      orderId: 0,
      fills: [],
      reason: 'unknown series',
      code: 'unknown-series',
    };
    assert.deepEqual(body.results[0], { type: 'combo', ...rejected });
    assert.deepEqual(body.results[60], { type: 'place', ...rejected, clientId: 'none' });
    assert.deepEqual(body.results[61], {
      type: 'protect',
      ok: false,
      reason: 'unknown series',
      code: 'unknown-series',
    });

    const place = { type: 'place', seriesId, side: 'buy', qty: 1, price: 800, clientId: 'once' };
    const mixed = await venue.post('/v1/batch', { actions: [...idle, place] }, token);
    assert.equal(mixed.body.results.at(-1).status, 'rested');
    const named = written();
    const again = await venue.post(
      '/v1/batch',
      { actions: [place, { type: 'cancel', clientId: 'once' }] },
      token,
    );
    assert.deepEqual(
      again.body.results.map(({ status, ok, orderId }: Json) => status ?? ok ?? orderId),
      ['duplicate', true],
    );
    assert.ok(!written().includes('place'), 'an order that is known is not written again');
    await venue.post('/v1/batch', { actions: [{ ...place, clientId: 'twice' }] }, token);
    assert.ok(named.length <= 1.2 * written().length, `${named.length} for ${written().length}`);
  });

  it('writes of combos that are declined little more than their request', async () => {
    const token = await signIn(venue);
    const { body: listed } = await venue.get('/v1/series?symbol=BTC');
    const legs = listed.series
      .slice(0, 4)
      .map(({ seriesId: leg }: Json) => ({ seriesId: leg, side: 'buy', ratio: 1 }));
    const actions = Array.from({ length: 64 }, () => ({ type: 'combo', legs, qty: 1, net: 1 }));
    const { body } = await venue.post('/v1/batch', { actions }, token);
    assert.equal(body.results[63].reason, 'no liquidity');
    const length = JSON.stringify({ actions }).length;
    assert.ok(written().length <= 1.2 * length, `${written().length} for ${length}`);
  });

  it('writes of a protect what it changes', async () => {
    const token = await signIn(venue);
    const protect = { type: 'protect', set: 1, symbol: 'BTC', windowMs: 1_000, qty: 5, frozenMs: 0 };
    await venue.post('/v1/batch', { actions: [protect] }, token);
    const alone = written();
    const missing = Array.from({ length: 63 }, () => ({ ...protect, symbol: unlisted(1)[0] }));
    await venue.post('/v1/batch', { actions: [protect, ...missing] }, token);
    assert.ok(written().length <= 1.2 * alone.length, `${written().length} for ${alone.length}`);
  });

  it('writes of a signed one the text that its signature is over, and little more', async () => {
    const alice = await openSession(venue);
    const { venue: id } = (await venue.get('/v1/venue')).body;
    const posted = [{ type: 'cancel-all', seriesIds: unlisted(64) }];
    const signed = await alice.batch(id, posted);
    assert.equal((await venue.post('/v1/batch', signed)).status, 200);
    const { nonce, signature } = signed as unknown as { nonce: number; signature: string };
    const actions = readActions(posted);
    assert.ok(Array.isArray(actions));
    const text = batchEnvelope({ venue: id, account: alice.account, nonce, actions });
    assert.ok(
      written().length <= 1.2 * (text.length + signature.length),
      `${written().length} for ${text.length}`,
    );
  });

  it('refuses the lists that once wrote a third of a megabyte', async () => {
    const token = await signIn(venue);
    const batches = () => venue.store.entries.filter(({ kind }) => kind === 'batch').length;
    const count = batches();
    for (const list of ['seriesIds', 'symbols']) {
      const actions = Array.from({ length: 64 }, () => ({ type: 'cancel-all', [list]: unlisted(64) }));
      const { status, body } = await venue.post('/v1/batch', { actions }, token);
      assert.deepEqual([status, body], [400, { error: `actions[1].${list} malformed` }]);
    }
    assert.equal(batches(), count);
  });
});
