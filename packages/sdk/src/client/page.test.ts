import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VenueClient } from './client.ts';

const PAGE = readFileSync(new URL('../../../../docs/reference/sdk.md', import.meta.url), 'utf8');
const PARTS = ['market', 'auth', 'account', 'orders', 'quotes', 'withdrawals'] as const;

test('the page of the SDK names every call of each part of a client', () => {
  const client = new VenueClient({ url: 'http://127.0.0.1' });
  for (const part of PARTS) {
    const [, row = ''] = new RegExp(`^\\| \`${part}\` \\| (.+) \\|$`, 'm').exec(PAGE) ?? [];
    const named = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const own = Object.getOwnPropertyNames(Object.getPrototypeOf(client[part]));
    assert.deepEqual(named.toSorted(), own.filter((name) => name !== 'constructor').toSorted(), part);
  }
});
