import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalToMicros, type Right, type Series } from '@venue/protocol';
import { type Ladder, ladderOf } from './ladder.ts';

const NOW_MS = 1_790_000_000_000;
const DAY_MS = 24 * 3_600_000;

function quote(symbol: string, right: Right, strike: number, days: number, spot: number): Ladder {
  const expiryCutoffMs = NOW_MS + days * DAY_MS;
  const expiryTs = expiryCutoffMs / 1_000;
  const series: Series = {
    seriesId: `${symbol}-${expiryTs}-${right}-${strike}`,
    sid: 1,
    symbol,
    expiryTs,
    expiryCutoffMs,
    right,
    strike,
  };
  return ladderOf(series, spot, NOW_MS);
}

const CASES: readonly (readonly [symbol: string, spot: number])[] = [
  ['BTC', 95_123.456789],
  ['ETH', 3_301.07],
  ['AAPL', 228.13],
  ['SPX', 5_912.4],
  ['XYZ', 12.345678],
  ['DUST', 0.5],
];

function* ladders(): Generator<Ladder> {
  for (const [symbol, spot] of CASES) {
    for (const right of ['C', 'P'] as const) {
      for (const moneyness of [0.5, 0.9, 1, 1.1, 2]) {
        for (const days of [0.001, 1, 7, 90])
          yield quote(symbol, right, Number((spot * moneyness).toFixed(1)) || 0.5, days, spot);
      }
    }
  }
}

test('NUM-2: every price and size is positive and exact in micros', () => {
  for (const { bids, asks } of ladders()) {
    for (const amount of [...bids, ...asks].flat()) {
      const micros = decimalToMicros(amount);
      assert.ok(micros !== undefined && micros > 0, `${amount}`);
    }
  }
});

test('a ladder is never crossed, brackets fair value, and gets worse level by level', () => {
  for (const { bids, asks, fair } of ladders()) {
    assert.equal(asks.length, 3);
    const [bidPrices, askPrices] = [bids.map(([price]) => price), asks.map(([price]) => price)];
    assert.ok(askPrices[0]! > fair && (bidPrices[0] ?? 0) < fair + 1e-9);
    assert.deepEqual(
      askPrices,
      [...new Set(askPrices)].sort((a, b) => a - b),
    );
    assert.deepEqual(
      bidPrices,
      [...new Set(bidPrices)].sort((a, b) => b - a),
    );
  }
});

test('the spread widens with time and with premium', () => {
  const spread = ({ halfSpread }: Ladder) => halfSpread;
  assert.ok(spread(quote('BTC', 'C', 95_000, 30, 95_000)) > spread(quote('BTC', 'C', 95_000, 1, 95_000)));
  assert.ok(spread(quote('BTC', 'C', 50_000, 7, 95_000)) > spread(quote('BTC', 'C', 140_000, 7, 95_000)));
});

test('an option worth less than its spread is only offered', () => {
  const { bids, asks } = quote('AAPL', 'C', 400, 1, 228);
  assert.deepEqual(bids, []);
  assert.ok(asks[0]![0] >= 0.01);
});

test('call and put of one strike share their volatility, and their deltas are one apart', () => {
  const [call, put] = [quote('ETH', 'C', 3_400, 7, 3_300), quote('ETH', 'P', 3_400, 7, 3_300)];
  assert.equal(call.iv, put.iv);
  assert.ok(Math.abs(call.delta - put.delta - 1) < 2e-4);
  assert.ok(put.delta < 0 && call.delta > 0);
});
