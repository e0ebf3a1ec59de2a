import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AssetClass, profileOf, Random } from '@venue/protocol/simulation';
import { CLASS_SHARE, MARKET_SHARE, PricePaths, YEAR_MS } from './paths.ts';

const STEPS = 40_000;
const STEP_MS = 60_000;

const SYMBOLS: [string, AssetClass][] = [
  ['BTC', 'crypto'],
  ['ETH', 'crypto'],
  ['AAPL', 'equity'],
  ['SPX', 'index'],
];

/** Log returns, one row per symbol. */
function returnsOf(seed: number): number[][] {
  const profiles = SYMBOLS.map(([symbol, assetClass]) => profileOf(symbol, assetClass));
  const paths = new PricePaths(new Random(seed), profiles);
  const rows: number[][] = profiles.map(() => []);
  for (let step = 0; step < STEPS; step++) {
    const before = [...paths.prices];
    paths.step(STEP_MS);
    for (const [i, row] of rows.entries()) row.push(Math.log(paths.prices[i]! / before[i]!));
  }
  return rows;
}

function covariance(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  return mean(x.map((value, i) => (value - mx) * (y[i]! - my)));
}

test('each symbol moves with the volatility of its profile', () => {
  for (const [i, row] of returnsOf(11).entries()) {
    const annual = Math.sqrt((covariance(row, row) * YEAR_MS) / STEP_MS);
    const { annualVol } = profileOf(...SYMBOLS[i]!);
    assert.ok(Math.abs(annual / annualVol - 1) < 0.02, `${SYMBOLS[i]}: ${annual}, not ${annualVol}`);
  }
});

test('symbols correlate by the market share, and inside a class by the class share on top', () => {
  const [btc, eth, aapl, spx] = returnsOf(12) as [number[], number[], number[], number[]];
  const correlation = (x: number[], y: number[]) =>
    covariance(x, y) / Math.sqrt(covariance(x, x) * covariance(y, y));
  for (const [name, actual, expected] of [
    ['BTC and ETH', correlation(btc, eth), MARKET_SHARE + CLASS_SHARE],
    ['BTC and AAPL', correlation(btc, aapl), MARKET_SHARE],
    ['AAPL and SPX', correlation(aapl, spx), MARKET_SHARE],
  ] as const) {
    assert.ok(Math.abs(actual - expected) < 0.02, `${name}: ${actual}, not ${expected}`);
  }
});
