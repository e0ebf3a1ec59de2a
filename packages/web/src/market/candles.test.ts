import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Candle } from '@venue/protocol';
import { priceOption } from '@venue/protocol/black76';
import { parseSeriesId } from '@venue/protocol/series';
import {
  candleCountOf,
  FRAMES,
  impliedVols,
  intervalMs,
  intervalOf,
  priceOfTrade,
  rangeWords,
  withPrice,
} from './candles.ts';

const T = Date.UTC(2026, 10, 25, 12);
const MINUTE_MS = 60_000;
const candle = (t: number, o: number, h: number, l: number, c: number): Candle => ({ t, o, h, l, c });

describe('candles that go on with each price (HIS-2)', () => {
  test('the newest takes prices of its interval, and the next begins with the first after it', () => {
    const read = [candle(T, 100, 105, 99, 101)];
    const prices = [
      { ms: T + 10_000, price: 107 },
      { ms: T + 59_999, price: 98 },
      { ms: T + MINUTE_MS, price: 97 },
      { ms: T + MINUTE_MS + 1, price: 99 },
    ];
    const candles = prices.reduce<readonly Candle[]>((all, price) => withPrice(all, price, '1m'), read);
    assert.deepEqual(candles, [candle(T, 100, 107, 98, 98), candle(T + MINUTE_MS, 97, 99, 97, 99)]);
    assert.deepEqual(read, [candle(T, 100, 105, 99, 101)], 'those before stay as they are');
  });

  test('HIS-1: trades of the contract count, but not those of an account with itself', () => {
    const trade = { id: 1, seriesId: 'X-1-C-1', price: 5, qty: 2, side: 'buy', ts: T } as const;
    assert.deepEqual(priceOfTrade('X-1-C-1', trade), { ms: T, price: 5, qty: 2 });
    assert.equal(priceOfTrade('X-1-C-1', { ...trade, self: true }), null);
    assert.equal(priceOfTrade('X-1-P-1', trade), null);
  });

  test('a price from before the newest, and none at all, change nothing', () => {
    const read = [candle(T, 100, 105, 99, 101)];
    assert.equal(withPrice(read, { ms: T - 1, price: 7 }, '1m'), read);
    assert.equal(withPrice(read, { ms: T, price: 0 }, '1m'), read);
    assert.equal(withPrice(read, { ms: T, price: Number.NaN }, '1m'), read);
  });

  test('quantities of trades add up, and a price without one adds none', () => {
    const first = withPrice([], { ms: T + 3_600_000, price: 5, qty: 2 }, '4h');
    const second = withPrice(first, { ms: T + 3_600_001, price: 6, qty: 0.5 }, '4h');
    assert.deepEqual(withPrice(second, { ms: T + 3_600_002, price: 4 }, '4h'), [
      { t: T, o: 5, h: 6, l: 4, c: 4, v: 2.5 },
    ]);
  });

  test('a page that is open for days keeps as many as an answer has', () => {
    let candles: readonly Candle[] = [];
    for (let i = 0; i < 5_000; i++)
      candles = withPrice(candles, { ms: T + i * MINUTE_MS, price: 1 + i }, '1m');
    assert.ok(candles.length >= 1_500 && candles.length <= 1_801, `${candles.length}`);
    assert.equal(candles.at(-1)!.c, 5_000);
  });
});

describe('the volatility that marks imply (HIS-3)', () => {
  const expiryTs = T / 1_000 + 7 * 86_400;
  const terms = parseSeriesId(`BTC-${expiryTs}-C-100000`)!;
  const price = (t: number, forward: number, vol: number) =>
    priceOption({
      ...{ right: 'C', forward, strike: 100_000, vol },
      years: (expiryTs * 1_000 - t) / (365 * 86_400_000),
    });

  test('is that of the closes, at the end of their interval, or now where it has not ended', () => {
    const nowMs = T + 6 * MINUTE_MS;
    const marks = [price(T + 5 * MINUTE_MS, 101_000, 0.5), price(nowMs, 99_000, 0.6)].map((c, i) =>
      candle(T + i * 5 * MINUTE_MS, 1, 1, 1, c),
    );
    const spots = [candle(T, 1, 1, 1, 101_000), candle(T + 5 * MINUTE_MS, 1, 1, 1, 99_000)];
    const vols = impliedVols({ marks, spots }, { terms, interval: '5m', nowMs });
    assert.deepEqual(
      vols.map(({ t, value }) => [t, value.toFixed(9)]),
      [
        [T, '0.500000000'],
        [T + 5 * MINUTE_MS, '0.600000000'],
      ],
    );
  });

  test('is left out at or under intrinsic value, without a spot, and past the expiry', () => {
    const at = (c: number, forward: number, nowMs = T + MINUTE_MS) =>
      impliedVols(
        { marks: [candle(T, 1, 1, 1, c)], spots: forward === 0 ? [] : [candle(T, 1, 1, 1, forward)] },
        { terms, interval: '1m', nowMs },
      ).length;
    assert.deepEqual([at(1_001, 101_000), at(1_000, 101_000), at(500, 0)], [1, 0, 0]);
    const late = {
      marks: [candle(expiryTs * 1_000, 1, 1, 1, 5)],
      spots: [candle(expiryTs * 1_000, 1, 1, 1, 100_001)],
    };
    assert.deepEqual(impliedVols(late, { terms, interval: '1m', nowMs: expiryTs * 1_000 + 1 }), []);
  });
});

test('a history in words: the newest value, the range, and the time that it spans', () => {
  const rows = (count: number, spanMs: number) =>
    Array.from({ length: count }, (_, i) => ({
      t: T + i * spanMs,
      low: 90 + i,
      high: 110 - i,
      last: 100 + i,
    }));
  const words = (count: number, spanMs: number) =>
    rangeWords(rows(count, spanMs), { spanMs, format: String });
  assert.equal(words(0, MINUTE_MS), null);
  assert.equal(words(1, MINUTE_MS), '100 now, between 90 and 110 in the last minute.');
  assert.equal(words(10, MINUTE_MS), '109 now, between 90 and 110 in the last 10 minutes.');
  assert.equal(words(5, 60 * MINUTE_MS), '104 now, between 90 and 110 in the last 5 hours.');
  assert.equal(words(5, 1_440 * MINUTE_MS), '104 now, between 90 and 110 in the last 5 days.');
});

test('HIS-2: a time frame is filled by 60 to 180 candles, which one answer has', () => {
  for (const frame of FRAMES) {
    const count = candleCountOf(frame);
    const [, number, unit] = /^(\d+)([hd])$/.exec(frame)!;
    assert.equal(count * intervalMs(intervalOf(frame)), Number(number) * (unit === 'h' ? 1 : 24) * 3_600_000);
    assert.ok(count >= 60 && count <= 180, frame);
  }
});
