import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMakerConfig } from './config.ts';

test('the maker needs only its secret', () => {
  assert.deepEqual(loadMakerConfig({ VENUE_MAKER_TOKEN: 'secret' }), {
    url: 'http://127.0.0.1:8080',
    makerToken: 'secret',
    intervalMs: 500,
  });
});

for (const [name, value, message] of [
  ['VENUE_MAKER_TOKEN', undefined, /^VENUE_MAKER_TOKEN is not set/],
  ['VENUE_URL', 'ftp://venue', /^VENUE_URL must be an http address, not "ftp:\/\/venue"$/],
  ['VENUE_MAKER_INTERVAL_MS', '5', /^VENUE_MAKER_INTERVAL_MS .*"5"$/],
  ['VENUE_MAKER_INTERVAL_MS', '-500', /^VENUE_MAKER_INTERVAL_MS .*"-500"$/],
  ['VENUE_MAKER_INTERVAL_MS', '60000', /^VENUE_MAKER_INTERVAL_MS .*"60000"$/],
] as const) {
  test(`${name}=${value} is refused in one line`, () => {
    const env = { VENUE_MAKER_TOKEN: 'secret', [name]: value };
    assert.throws(() => loadMakerConfig(env), { name: 'MakerConfigError', message });
  });
}
