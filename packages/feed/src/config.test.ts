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

test('a symbol that is not known gets the character of its class', () => {
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
  ['VENUE_SYMBOLS', 'BTC:crypto,BTC:crypto', /^VENUE_SYMBOLS must name every symbol once/],
  ['VENUE_SYMBOLS', 'ALL:crypto', /^VENUE_SYMBOLS/],
  ['VENUE_FEED_TICK_MS', '0', /^VENUE_FEED_TICK_MS .*"0"/],
  ['VENUE_FEED_TICK_MS', 'fast', /^VENUE_FEED_TICK_MS .*"fast"/],
] as const) {
  test(`${name}=${value} is refused in one line`, () => {
    assert.throws(() => loadFeedConfig({ ...BASE, [name]: value }), { name: 'FeedConfigError', message });
  });
}
