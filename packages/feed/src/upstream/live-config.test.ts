import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLiveConfig } from './live-config.ts';

const ID = 'Aa'.repeat(32);

test('the defaults are public upstreams; an empty variable is an absent one', () => {
  const config = readLiveConfig({ VENUE_PYTH_IDS: '', VENUE_CRYPTO_URL: '' });
  assert.deepEqual(
    [config.cryptoUrl, config.pythUrl, config.cryptoPairs.size, config.pythIds.size],
    ['wss://ws.kraken.com/v2', 'https://hermes.pyth.network', 0, 0],
  );
  assert.deepEqual([config.outlierBps, config.ageMaxMs, config.silenceMs], [500, 10_000, 15_000]);
});

test('pairs and ids of the operator are read, several ids for one symbol', () => {
  const { cryptoPairs, pythIds } = readLiveConfig({
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
  ['VENUE_CRYPTO_URL', 'http://ws.kraken.com'],
  ['VENUE_PYTH_URL', 'wss://hermes'],
  ['VENUE_CRYPTO_PAIRS', 'BTC'],
  ['VENUE_CRYPTO_PAIRS', 'BTC=BTCUSD'],
  ['VENUE_CRYPTO_PAIRS', 'BTC=BTC/USD,BTC=BTC/EUR'],
  ['VENUE_PYTH_IDS', 'AAPL=0x12'],
  ['VENUE_FEED_OUTLIER_BPS', '5%'],
  ['VENUE_FEED_MAX_AGE_MS', '0'],
  ['VENUE_FEED_SILENCE_MS', '99999'],
] as const) {
  test(`${name}=${value} is refused in one line that names it`, () => {
    assert.throws(() => readLiveConfig({ [name]: value }), {
      name: 'FeedConfigError',
      message: new RegExp(`^${name} must be .*"`),
    });
  });
}
