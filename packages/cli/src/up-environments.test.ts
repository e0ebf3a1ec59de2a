import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Environment } from '@venue/config';
import type { Address } from '@venue/protocol';
import { upEnvironments as environmentsWith } from './up-environments.ts';

const SECRET = /^[0-9a-f]{64}$/;
const ADDRESSES = new Map([
  ['maker', `0x${'a1'.repeat(20)}`],
  ['maker-2', `0x${'a2'.repeat(20)}`],
  ['crowd', `0x${'cc'.repeat(20)}`],
]);

function upEnvironments(env: Environment) {
  return environmentsWith(env, (name) => ({
    file: `wallets/${name}.key`,
    address: ADDRESSES.get(name) as Address,
  }));
}

test('CRED-1: secrets are generated for each run, and each client gets only its own', () => {
  const first = upEnvironments({ VENUE_OPERATOR_TOKEN: 'of-nobody-else', HOME: '/home/me' });
  const { VENUE_FEED_TOKEN, VENUE_MAKER_TOKEN } = first.exchange;
  assert.match(VENUE_FEED_TOKEN!, SECRET);
  assert.match(VENUE_MAKER_TOKEN!, SECRET);
  assert.notEqual(VENUE_FEED_TOKEN, VENUE_MAKER_TOKEN);
  assert.notEqual(upEnvironments({}).exchange.VENUE_FEED_TOKEN, VENUE_FEED_TOKEN);
  const url = 'http://127.0.0.1:1';
  const shared = {
    HOME: '/home/me',
    VENUE_URL: url,
    VENUE_FEED_TICK_MS: '1000',
    VENUE_ARCHIVE_MS: '3600000',
  };
  assert.deepEqual(first.client('feed', url), { ...shared, VENUE_FEED_TOKEN });
  const VENUE_MAKER_KEY_FILE = 'wallets/maker.key';
  assert.deepEqual(first.client('maker', url), { ...shared, VENUE_MAKER_TOKEN, VENUE_MAKER_KEY_FILE });
  const second = first.client('maker-2', url);
  assert.equal(second.VENUE_MAKER_TOKEN, undefined);
  assert.equal(second.VENUE_MAKER_KEY_FILE, 'wallets/maker-2.key');
  assert.match(second.VENUE_MAKER_SURFACE!, /surfaces-wide\.json$/);
  assert.deepEqual(first.client('crowd', url), { ...shared, VENUE_CROWD_KEY_FILE: 'wallets/crowd.key' });
});

test('QTS-1: two makers and a crowd run, and the makers’ volatilities count', () => {
  const { parts, exchange } = upEnvironments({ VENUE_MARK_MAKERS: `0x${'B2'.repeat(20)}` });
  assert.deepEqual(parts, ['feed', 'maker', 'maker-2', 'crowd']);
  const makers = [`0x${'b2'.repeat(20)}`, ADDRESSES.get('maker'), ADDRESSES.get('maker-2')];
  assert.equal(exchange.VENUE_MARK_MAKERS, makers.join(','));
});

test('a quiet market has one maker and no crowd', () => {
  const { parts } = upEnvironments({ VENUE_UP_MAKERS: '1', VENUE_CROWD_TRADERS: '0' });
  assert.deepEqual(parts, ['feed', 'maker']);
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
  ['VENUE_UP_MAKERS', '3'],
  ['VENUE_CROWD_TRADERS', 'many'],
] as const) {
  test(`a wrong ${name} is refused before anything starts`, () => {
    assert.throws(() => upEnvironments({ [name]: value }), new RegExp(`^\\w+: ${name} .*"${value}"`));
  });
}
