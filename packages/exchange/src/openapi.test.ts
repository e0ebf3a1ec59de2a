import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { contractNow, contractText } from '../test/contract.ts';
import { DEPOSITS, type LocalVenue, pricedVenue } from '../test/support.ts';

const COMMITTED = new URL('../../../docs/openapi.json', import.meta.url);

describe('the OpenAPI contract', () => {
  let venue: LocalVenue;
  before(async () => {
    venue = await pricedVenue(DEPOSITS);
  });
  after(() => venue.exchange.stop());

  it('is the one committed; after a change of the routes write it again (see test/openapi.ts)', () => {
    assert.equal(readFileSync(COMMITTED, 'utf8'), contractText());
  });

  it('documents every route that traders call, and excludes the others each with its reason', () => {
    const { paths, 'x-excluded': excluded } = contractNow();
    assert.deepEqual(
      Object.entries(paths)
        .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`))
        .sort(),
      [
        'get /healthz',
        'get /v1/auth/challenge',
        'get /v1/auth/session',
        'get /v1/book',
        'get /v1/chain',
        'get /v1/fills',
        'get /v1/margin',
        'get /v1/me',
        'get /v1/meta',
        'get /v1/reserves',
        'get /v1/series',
        'get /v1/settlements',
        'get /v1/tape',
        'get /v1/withdraw/{id}',
        'get /v1/withdrawals',
        'post /v1/auth/session',
        'post /v1/auth/session/revoke',
        'post /v1/auth/verify',
        'post /v1/cancel',
        'post /v1/debug/envelope',
        'post /v1/margin',
        'post /v1/order',
        'post /v1/order/cancel',
        'post /v1/order/preview',
        'post /v1/withdraw',
      ],
    );
    assert.deepEqual(excluded.map(({ path }) => path).sort(), [
      '/metrics',
      '/v1/deposit',
      '/v1/feed/prints',
      '/v1/maker/account',
      '/v1/maker/fills',
      '/v1/maker/pull',
      '/v1/maker/quotes',
      '/v1/maker/session',
      '/v1/operator/audit',
      '/v1/operator/held',
      '/v1/operator/held/release',
      '/v1/operator/payouts',
      '/v1/operator/payouts/commit',
      '/v1/operator/settle',
      '/v1/quotes',
    ]);
    for (const { reason } of excluded) assert.ok(reason.length > 10);
  });

  it('names no route that the service does not answer', async () => {
    for (const [path, operations] of Object.entries(contractNow().paths)) {
      for (const method of Object.keys(operations)) {
        const { status, body } = await venue.send(path, { method: method.toUpperCase() });
        assert.notEqual(`${status} ${body.error}`, '404 not found', `${method} ${path}`);
      }
    }
  });
});
