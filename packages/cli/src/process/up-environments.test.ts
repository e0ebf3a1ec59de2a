import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Environment } from '@venue/config';
import type { Address } from '@venue/protocol';
import { upEnvironments as environmentsWith } from './up-environments.ts';

const SECRET = /^[0-9a-f]{64}$/;
const VENUE_SYMBOLS = 'BTC:crypto,ETH:crypto';
/** The wallets that were asked for; each has digits of its own. */
const names: string[] = [];

function upEnvironments(env: Environment) {
  names.length = 0;
  return environmentsWith({ VENUE_SYMBOLS, ...env }, (name) => {
    const digit = names.push(name).toString(16);
    const [key, address] = [`0x${digit.repeat(64)}`, `0x${digit.repeat(40)}`] as const;
    return { file: `wallets/${name}.key`, address: address as Address, key };
  });
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
    VENUE_SYMBOLS,
    VENUE_URL: url,
    VENUE_FEED_TICK_MS: '1000',
    VENUE_ARCHIVE_MS: '3600000',
    VENUE_SIMULATED_PAST: '1',
  };
  assert.deepEqual(first.client('feed', url), { ...shared, VENUE_FEED_TOKEN });
  const VENUE_MAKER_KEY = `BTC=0x${'1'.repeat(64)},ETH=0x${'2'.repeat(64)}`;
  assert.deepEqual(first.client('maker', url), { ...shared, VENUE_MAKER_TOKEN, VENUE_MAKER_KEY });
  const second = first.client('maker-2', url);
  assert.equal(second.VENUE_MAKER_TOKEN, undefined);
  assert.equal(second.VENUE_MAKER_KEY, `BTC=0x${'3'.repeat(64)},ETH=0x${'4'.repeat(64)}`);
  assert.match(second.VENUE_MAKER_SURFACE!, /surfaces-wide\.json$/);
  assert.deepEqual(first.client('crowd', url), { ...shared, VENUE_CROWD_KEY_FILE: 'wallets/crowd.key' });
});

test('QTS-2: two makers with an account for each underlying and a crowd run, and the volatilities of all accounts count', () => {
  const { parts, exchange } = upEnvironments({ VENUE_MARK_MAKERS: `0x${'B2'.repeat(20)}` });
  assert.deepEqual(parts, ['feed', 'maker', 'maker-2', 'crowd']);
  assert.deepEqual(names, ['maker-BTC', 'maker-ETH', 'maker-2-BTC', 'maker-2-ETH', 'crowd']);
  const makers = [`0x${'b2'.repeat(20)}`, ...['1', '2', '3', '4'].map((digit) => `0x${digit.repeat(40)}`)];
  assert.equal(exchange.VENUE_MARK_MAKERS, makers.join(','));
});

test('HIS-5: charts begin before the first price where prices are simulated, unless the operator says otherwise', () => {
  const isShown = (env: Environment) => upEnvironments(env).exchange.VENUE_SIMULATED_PAST;
  assert.equal(isShown({}), '1');
  assert.equal(isShown({ VENUE_FEED_SOURCE: 'simulated' }), '1');
  assert.equal(isShown({ VENUE_FEED_SOURCE: 'crypto' }), undefined);
  assert.equal(isShown({ VENUE_SIMULATED_PAST: '0' }), '0');
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
