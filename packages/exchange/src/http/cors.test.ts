import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { CORS_HEADERS } from './cors.ts';

const EDGE_HEADERS = new URL('../../../../deploy/nginx/venue/json.conf', import.meta.url);

it('HTTP-1 VEN-2: nginx gives its own answers the same headers', () => {
  const lines = readFileSync(EDGE_HEADERS, 'utf8').matchAll(
    /^add_header (access-\S+) "([^"$]*)[^"]*" always;$/gm,
  );
  assert.deepEqual(Object.fromEntries([...lines].map(([, name, value]) => [name, value])), CORS_HEADERS);
});
