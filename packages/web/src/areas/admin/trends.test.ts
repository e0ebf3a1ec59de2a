import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMetrics } from './metrics.ts';
import { quantile, TREND_BINS, type TrendPoint, trendBins, trendPoint, withPoint } from './trends.ts';

const HOUR_MS = 3_600_000;
const none = { answered: [], failed: 0, logBytes: 0, houseCash: 0, funded: 0 };
const at = (atMs: number, values: Partial<TrendPoint> = {}): TrendPoint => ({ ...none, atMs, ...values });

describe('trends of the operators’ page', () => {
  it('a point sums what orders and batches took, whatever their status, and every failure', () => {
    const bucket = 'venue_http_request_duration_seconds_bucket';
    const point = trendPoint(
      parseMetrics(
        [
          `${bucket}{le="0.01",route="/v1/order",status="2xx"} 5`,
          `${bucket}{le="+Inf",route="/v1/order",status="2xx"} 6`,
          `${bucket}{le="0.01",route="/v1/batch",status="4xx"} 1`,
          `${bucket}{le="+Inf",route="/v1/batch",status="4xx"} 1`,
          `${bucket}{le="+Inf",route="/v1/chain",status="2xx"} 99`,
          'venue_http_request_duration_seconds_count{route="/v1/chain",status="5xx"} 2',
          'venue_http_request_duration_seconds_count{route="/v1/order",status="5xx"} 1',
          'venue_http_request_duration_seconds_count{route="/v1/order",status="2xx"} 6',
          'venue_applied_bytes_total 1000',
        ].join('\n'),
      ),
      7,
    );
    assert.deepEqual(point.answered, [
      [0.01, 6],
      [Number.POSITIVE_INFINITY, 7],
    ]);
    assert.deepEqual([point.atMs, point.failed, point.logBytes], [7, 3, 1000]);
    assert.ok(Number.isNaN(point.houseCash));
  });

  it('a quantile lies in the bucket of its rank, of what came between the points alone', () => {
    const before = [
      [0.01, 100],
      [0.1, 100],
      [Number.POSITIVE_INFINITY, 100],
    ] as const;
    const after = [
      [0.01, 150],
      [0.1, 190],
      [Number.POSITIVE_INFINITY, 200],
    ] as const;
    assert.equal(quantile(before, after, 0.5), 0.01);
    assert.equal(quantile(before, after, 0.25), 0.005);
    assert.ok(Math.abs(quantile(before, after, 0.7)! - 0.055) < 1e-9);
    assert.equal(quantile(before, after, 0.99), 0.1);
    assert.equal(quantile(after, after, 0.5), null);
    assert.equal(quantile([], [], 0.5), null);
  });

  it('bins have rates a minute, end with the newest point, and know nothing before the first', () => {
    const points = [0, 1, 2, 3].map((n) =>
      at(n * 60_000, { logBytes: n * n * 600, failed: n, houseCash: n }),
    );
    const bins = trendBins(points, HOUR_MS);
    assert.equal(bins.length, TREND_BINS);
    assert.equal(bins.at(-1)!.atMs, 180_000);
    assert.deepEqual(
      bins.slice(-5).map(({ logBytes, failed, houseCash }) => [logBytes, failed, houseCash]),
      [
        [null, null, null],
        [null, null, 0],
        [600, 1, 1],
        [1_800, 1, 2],
        [3_000, 1, 3],
      ],
    );
    assert.deepEqual(trendBins([], HOUR_MS), []);
  });

  it('a node that restarted leaves a gap instead of a negative rate', () => {
    const bins = trendBins([at(0, { logBytes: 900 }), at(60_000, { logBytes: 10, houseCash: 4 })], HOUR_MS);
    assert.deepEqual([bins.at(-1)!.logBytes, bins.at(-1)!.houseCash], [null, 4]);
  });

  it('keeps a point every ten seconds for a day, and none after the clock was set back', () => {
    let points: readonly TrendPoint[] = [];
    for (let ms = 0; ms <= 25 * HOUR_MS; ms += 5_000) points = withPoint(points, at(ms));
    assert.equal(points.length, 8_640);
    assert.deepEqual(withPoint(points, at(5)), [at(5)]);
  });
});
