import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadFeedConfig } from './config.ts';

const BASE = { VENUE_FEED_TOKEN: 'secret' };

test('the defaults are four underlyings of three classes, posted four times a second', () => {
  const { url, instruments, tickMs } = loadFeedConfig(BASE);
  assert.deepEqual([url, tickMs], ['http://127.0.0.1:8080', 250]);
  assert.deepEqual(
    instruments.map(({ symbol, assetClass }) => `${symbol}:${assetClass}`),
    ['BTC:crypto', 'ETH:crypto', 'AAPL:equity', 'SPX:index'],
  );
});

test('an unknown symbol gets the profile of its class', () => {
  const [instrument] = loadFeedConfig({ ...BASE, VENUE_SYMBOLS: 'XYZ1:index' }).instruments;
  assert.deepEqual([instrument!.symbol, instrument!.startPrice], ['XYZ1', 1_000]);
});

for (const [name, value, message] of [
  ['VENUE_FEED_TOKEN', undefined, /^VENUE_FEED_TOKEN is not set/],
  ['VENUE_FEED_TOKEN', '', /^VENUE_FEED_TOKEN is not set/],
  ['VENUE_FEED_TOKEN', 'two words', /^VENUE_FEED_TOKEN must be ASCII without spaces$/],
  ['VENUE_URL', 'http://ann:pw@venue', /^VENUE_URL must be an http address without user and password$/],
  ['VENUE_URL', 'localhost:8080', /^VENUE_URL must be an http address, not "localhost:8080"$/],
  ['VENUE_SYMBOLS', 'BTC', /^VENUE_SYMBOLS .*"BTC"/],
  ['VENUE_SYMBOLS', 'btc:crypto', /^VENUE_SYMBOLS .*"btc:crypto"/],
  ['VENUE_SYMBOLS', 'BTC:bond', /^VENUE_SYMBOLS .*"BTC:bond"/],
  ['VENUE_SYMBOLS', 'BTC:toString', /^VENUE_SYMBOLS/],
  ['VENUE_SYMBOLS', 'BTC:crypto,BTC:crypto', /^VENUE_SYMBOLS must be a list .* with each symbol once/],
  ['VENUE_SYMBOLS', 'ALL:crypto', /^VENUE_SYMBOLS/],
  ['VENUE_FEED_TICK_MS', '0', /^VENUE_FEED_TICK_MS .*"0"/],
  ['VENUE_FEED_TICK_MS', 'fast', /^VENUE_FEED_TICK_MS .*"fast"/],
] as const) {
  test(`${name}=${value} is refused in one line`, () => {
    assert.throws(() => loadFeedConfig({ ...BASE, [name]: value }), { name: 'ConfigError', message });
  });
}

function liveConfig(env: Readonly<Record<string, string>>) {
  return loadFeedConfig({ ...BASE, ...env }).live;
}

const ID = 'Aa'.repeat(32);

test('live prices: the defaults are public upstreams; an empty variable counts as absent', () => {
  const config = liveConfig({ VENUE_PYTH_IDS: '', VENUE_CRYPTO_URL: '' });
  assert.deepEqual(
    [config.cryptoUrl, config.pythUrl, config.cryptoPairs.size, config.pythIds.size],
    ['wss://ws.kraken.com/v2', 'https://hermes.pyth.network', 0, 0],
  );
  assert.deepEqual([config.outlierBps, config.ageMaxMs, config.silenceMs], [500, 10_000, 15_000]);
});

test('pairs and ids of the operator are read, several ids for one symbol', () => {
  const { cryptoPairs, pythIds } = liveConfig({
    VENUE_CRYPTO_PAIRS: 'BTC=BTC/USDT, ETH=ETH/EUR',
    VENUE_PYTH_IDS: `AAPL=0x${ID}+${ID},SPX=${ID}`,
  });
  assert.deepEqual(
    [...cryptoPairs],
    [
      ['BTC', 'BTC/USDT'],
      ['ETH', 'ETH/EUR'],
    ],
  );
  assert.deepEqual(pythIds.get('AAPL'), [ID.toLowerCase(), ID.toLowerCase()]);
  assert.deepEqual(pythIds.get('SPX'), [ID.toLowerCase()]);
});

for (const [name, value] of [
  ['VENUE_CRYPTO_PAIRS', 'BTC'],
  ['VENUE_CRYPTO_PAIRS', 'BTC=BTCUSD'],
  ['VENUE_CRYPTO_PAIRS', 'BTC=BTC/USD,BTC=BTC/EUR'],
  ['VENUE_PYTH_IDS', 'AAPL=0x12'],
  ['VENUE_FEED_OUTLIER_BPS', '5%'],
  ['VENUE_FEED_MAX_AGE_MS', '0'],
  ['VENUE_FEED_SILENCE_MS', '99999'],
] as const) {
  test(`${name}=${value} is refused in one line that names it`, () => {
    assert.throws(() => liveConfig({ [name]: value }), {
      name: 'ConfigError',
      message: new RegExp(`^${name} must be .*"`),
    });
  });
}

for (const [name, value] of [
  ['VENUE_CRYPTO_URL', 'http://ws.kraken.com/key'],
  ['VENUE_PYTH_URL', 'wss://hermes/key'],
] as const) {
  test(`${name} is refused without repeating it, because an address may hold a key`, () => {
    assert.throws(() => liveConfig({ [name]: value }), {
      name: 'ConfigError',
      message: new RegExp(`^${name} must be an? \\w+ address$`),
    });
  });
}
