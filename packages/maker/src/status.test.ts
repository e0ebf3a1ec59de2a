import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FillRecord } from '@venue/protocol';
import { makerRegistry } from './metrics.ts';
import { Stats } from './stats.ts';
import { type Figures, spreadsOf, statusLine } from './status.ts';
import type { Quote } from './symbol-quoter.ts';

const VALUE = { price: 5, delta: 0.5, gamma: 0.02, vega: 20, theta: -3, vol: 0.4, forwardDelta: 0.5 };
const FIGURES: Figures = {
  quoted: 12,
  spreadBps: 7.25,
  spreadVolPoints: 0.8,
  exposures: new Map([
    ['BTC', { deltaUsd: 1_234.4, gammaUsd: -20, vegaUsd: -9 }],
    ['ETH', { deltaUsd: 0, gammaUsd: 0, vegaUsd: 0 }],
  ]),
  houseShare: 0.05,
  ownShare: 0.04,
  isFenced: false,
};

function quote(halfSpread: number, { bid = 10, ask = 10 } = {}): Quote {
  return {
    value: VALUE,
    centre: 5,
    halfSpread,
    spot: 100,
    size: 1,
    room: { bid, ask },
    ceiling: 100,
    levels: 2,
  };
}

function fill(side: 'buy' | 'sell', price: number): FillRecord {
  const rest = { id: 1, orderId: 1, seriesId: 's', symbol: 'BTC', fee: 0, realized: 0, taker: false, ts: 1 };
  return { ...rest, side, price, qty: 2, kind: 'trade' };
}

test('spreads are means over the series that have both sides', () => {
  assert.deepEqual(spreadsOf([]), { spreadBps: 0, spreadVolPoints: 0 });
  const { spreadBps, spreadVolPoints } = spreadsOf([
    quote(0.1),
    quote(0.2),
    quote(4, { bid: 0 }),
    quote(4, { ask: 0 }),
  ]);
  assert.ok(Math.abs(spreadBps - 30) < 1e-9 && Math.abs(spreadVolPoints - 0.6 / 0.4) < 1e-9);
});

test('edge is how far a fill is better than fair value, on either side', () => {
  const stats = new Stats();
  stats.fill(fill('sell', 5.5), 5);
  stats.fill(fill('buy', 5.2), 5);
  stats.fill(fill('buy', 9), null);
  const { fills, edgeUsd } = stats.total;
  assert.deepEqual([fills, Math.round(edgeUsd * 1e6) / 1e6], [3, 0.6]);
});

test('a minute counts what came since the last, percentiles cover the last pushes', () => {
  const stats = new Stats();
  stats.add({ rows: 10, pushes: 1 });
  assert.equal(stats.take().rows, 10);
  stats.add({ rows: 4 });
  assert.deepEqual([stats.take().rows, stats.take().rows, stats.total.rows], [4, 0, 14]);
  assert.equal(stats.percentile(0.5), 0);
  for (let ms = 1; ms <= 2_000; ms++) stats.trip(ms);
  assert.deepEqual(
    [stats.percentile(0.5), stats.percentile(0.99), stats.percentile(1)],
    [1_489, 1_990, 2_000],
  );
});

test('the status line shows what is quoted, held and earned, and how quickly', () => {
  const stats = new Stats();
  stats.add({ rows: 30, pushes: 3, refused: 1, skipped: 2 });
  stats.fill(fill('sell', 5.5), 5);
  stats.trip(8);
  assert.equal(
    statusLine(FIGURES, stats.take(), stats),
    'quotes stand in 12 series, spread 7.3 bps of spot or 0.80 points of volatility; ' +
      'BTC delta 1234 gamma -20 vega -9 USD; house line 5.0 % at marks, 4.0 % at own values; ' +
      'last minute: 1 fills, edge 1.00 USD, 30 rows in 3 pushes, 1 refused, 2 looks skipped; ' +
      'push p50 8.0 ms p99 8.0 ms',
  );
});

test('metrics follow the current figures', async () => {
  const stats = new Stats();
  let figures = FIGURES;
  const registry = makerRegistry({ figures: () => figures, stats });
  const sampleOf = async (sample: string) => {
    const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(`${sample} `));
    return Number(line?.split(' ').at(-1));
  };
  assert.equal(await sampleOf('venue_maker_house_share'), 0.05);
  assert.equal(await sampleOf('venue_maker_own_house_share'), 0.04);
  assert.equal(await sampleOf('venue_maker_vega_usd{symbol="BTC"}'), -9);
  stats.add({ rows: 30 });
  figures = { ...FIGURES, isFenced: true };
  assert.equal(await sampleOf('venue_maker_rows_total'), 30);
  assert.equal(await sampleOf('venue_maker_rows_total'), 30, 'a scrape adds nothing');
  assert.equal(await sampleOf('venue_maker_fenced'), 1);
});
