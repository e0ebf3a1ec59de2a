import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LocalVenue, pricedVenue } from '../../test/support.ts';
import { requestIdOf } from './request-id.ts';

describe('the id of a request', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await pricedVenue();
  });
  after(() => venue.exchange.stop());

  const idOf = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${venue.url}${path}`, init)).headers.get('x-request-id');

  it('comes back with every answer, whatever produced it', async () => {
    const { seriesId } = await venue.listed('BTC');
    const headers = { 'x-request-id': 'desk-7.order_1', 'content-type': 'application/json' };
    const order = { method: 'POST', headers, body: '{}' };
    for (const path of ['/healthz', '/v1/nowhere', `/v1/book?seriesId=${seriesId}`, '/v1/me'])
      assert.equal(await idOf(path, { headers }), 'desk-7.order_1', path);
    assert.equal(await idOf('/v1/order', order), 'desk-7.order_1');
    assert.equal(await idOf('/v1/order', { ...order, body: '{' }), 'desk-7.order_1');
  });

  it('is new for each request that brings none, or one that a log could not hold', async () => {
    const ids = [
      await idOf('/healthz'),
      await idOf('/healthz'),
      await idOf('/healthz', { headers: { 'x-request-id': 'a'.repeat(65) } }),
      await idOf('/healthz', { headers: { 'x-request-id': 'a b' } }),
    ];
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id!, /^[0-9a-f]{12}-[0-9a-z]+$/);
  });

  it('stays the same however often it is read', () => {
    const request = { headers: {} };
    assert.equal(requestIdOf(request), requestIdOf(request));
  });
});
