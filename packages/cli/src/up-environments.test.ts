import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upEnvironments } from './up-environments.ts';

const SECRET = /^[0-9a-f]{64}$/;

test('CRED-1: secrets are generated for each run, and each client gets only its own', () => {
  const first = upEnvironments({ VENUE_OPERATOR_TOKEN: 'of-nobody-else', HOME: '/home/me' });
  const { VENUE_FEED_TOKEN, VENUE_MAKER_TOKEN } = first.exchange;
  assert.match(VENUE_FEED_TOKEN!, SECRET);
  assert.match(VENUE_MAKER_TOKEN!, SECRET);
  assert.notEqual(VENUE_FEED_TOKEN, VENUE_MAKER_TOKEN);
  assert.notEqual(upEnvironments({}).exchange.VENUE_FEED_TOKEN, VENUE_FEED_TOKEN);
  const url = 'http://127.0.0.1:1';
  assert.deepEqual(first.client('feed', url), { HOME: '/home/me', VENUE_URL: url, VENUE_FEED_TOKEN });
  assert.deepEqual(first.client('maker', url), { HOME: '/home/me', VENUE_URL: url, VENUE_MAKER_TOKEN });
});

test('a secret that is set is used', () => {
  const { exchange, client } = upEnvironments({ VENUE_FEED_TOKEN: 'mine' });
  assert.equal(exchange.VENUE_FEED_TOKEN, 'mine');
  assert.equal(client('feed', 'http://a').VENUE_FEED_TOKEN, 'mine');
});

test('operators’ secrets that are set go to the exchange only', () => {
  const operators = {
    VENUE_OPERATOR_TOKEN: 'o'.repeat(32),
    VENUE_DEPOSIT_TOKEN: 'd'.repeat(32),
    VENUE_PAYOUT_TOKEN: 'p'.repeat(32),
    VENUE_SETTLE_TOKEN_1: '1'.repeat(32),
    VENUE_SETTLE_TOKEN_2: '2'.repeat(32),
  };
  const { exchange, client } = upEnvironments(operators);
  for (const [name, secret] of Object.entries(operators)) {
    assert.equal(exchange[name], secret);
    assert.equal(client('feed', 'http://a')[name], undefined);
    assert.equal(client('maker', 'http://a')[name], undefined);
  }
});

for (const [name, value] of [
  ['VENUE_PORT', 'abc'],
  ['VENUE_SYMBOLS', 'BTC'],
  ['VENUE_REQUIRE_SIGNED_ORDERS', 'yes'],
  ['VENUE_FEED_TICK_MS', '1'],
  ['VENUE_MAKER_TICK_MS', 'often'],
] as const) {
  test(`a wrong ${name} is refused before anything starts`, () => {
    assert.throws(() => upEnvironments({ [name]: value }), new RegExp(`^\\w+: ${name} .*"${value}"`));
  });
}
