/** A node's metrics since this page was opened: points as they were read, and bins of them for charts. */

import { gauge, type Sample, type Samples } from './metrics.ts';

/** Counters are as the node gave them, since its start. */
export interface TrendPoint {
  /** By this page's clock. */
  readonly atMs: number;
  /** Orders answered within each bound, by its seconds ascending; the last bound is infinite. */
  readonly answered: readonly (readonly [seconds: number, count: number])[];
  readonly failed: number;
  readonly logBytes: number;
  /** US dollars. */
  readonly houseCash: number;
  readonly funded: number;
}

/** One bin of a chart; null where the page knows nothing. */
export interface TrendBin {
  readonly atMs: number;
  /** Seconds. */
  readonly p50: number | null;
  readonly p99: number | null;
  /** Failed requests, and bytes of the log, a minute. */
  readonly failed: number | null;
  readonly logBytes: number | null;
  readonly houseCash: number | null;
  readonly funded: number | null;
}

const APART_MS = 10_000;
const KEPT_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
export const TREND_BINS = 60;
const ORDER_ROUTES: ReadonlySet<string | undefined> = new Set(['/v1/order', '/v1/batch']);

export function trendPoint(samples: Samples, atMs: number): TrendPoint {
  const within = new Map<number, number>();
  for (const { labels, value } of samples.get('venue_http_request_duration_seconds_bucket') ?? []) {
    if (!ORDER_ROUTES.has(labels.route)) continue;
    const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
    within.set(bound, (within.get(bound) ?? 0) + value);
  }
  return {
    atMs,
    answered: [...within].sort(([a], [b]) => a - b),
    failed: sumOf(samples.get('venue_http_request_duration_seconds_count'), ({ status }) => status === '5xx'),
    logBytes: gauge(samples, 'venue_applied_bytes_total'),
    houseCash: gauge(samples, 'venue_house_cash_dollars'),
    funded: gauge(samples, 'venue_funded_dollars'),
  };
}

function sumOf(samples: readonly Sample[] = [], isMeant: (labels: Sample['labels']) => boolean): number {
  return samples.reduce((sum, { labels, value }) => sum + (isMeant(labels) ? value : 0), 0);
}

/** The points with a new one, at most one every 10 s and none older than a day. */
export function withPoint(points: readonly TrendPoint[], point: TrendPoint): readonly TrendPoint[] {
  const last = points.at(-1);
  // A clock that was set back starts again: bins would otherwise run backwards.
  if (last !== undefined && point.atMs < last.atMs) return [point];
  if (last !== undefined && point.atMs - last.atMs < APART_MS) return points;
  return [...points.filter(({ atMs }) => atMs > point.atMs - KEPT_MS), point];
}

/** Equal bins up to the newest point. Counters compare the last point of a bin with the last one before the bin. */
export function trendBins(points: readonly TrendPoint[], spanMs: number): readonly TrendBin[] {
  const newest = points.at(-1);
  if (newest === undefined) return [];
  const widthMs = spanMs / TREND_BINS;
  const fromMs = newest.atMs - spanMs;
  const lasts: (TrendPoint | undefined)[] = Array.from({ length: TREND_BINS });
  let before: TrendPoint | undefined;
  for (const point of points) {
    const bin = Math.ceil((point.atMs - fromMs) / widthMs) - 1;
    if (bin < 0) before = point;
    else lasts[bin] = point;
  }
  return lasts.map((last, n) => {
    // The first bin with a point has only itself to start from.
    const earlier = before ?? points.find(({ atMs }) => atMs > fromMs);
    if (last !== undefined) before = last;
    return binOf(fromMs + (n + 1) * widthMs, last, earlier);
  });
}

function binOf(atMs: number, last: TrendPoint | undefined, before: TrendPoint | undefined): TrendBin {
  if (last === undefined) return { ...NOTHING, atMs };
  const levels = { atMs, houseCash: known(last.houseCash), funded: known(last.funded) };
  // Counters that fell are those of a node that restarted.
  const isRestarted = before !== undefined && last.logBytes < before.logBytes;
  if (before === undefined || before === last || isRestarted) return { ...NOTHING, ...levels };
  const minutes = (last.atMs - before.atMs) / MINUTE_MS;
  return {
    ...levels,
    p50: quantile(before.answered, last.answered, 0.5),
    p99: quantile(before.answered, last.answered, 0.99),
    failed: known((last.failed - before.failed) / minutes),
    logBytes: known((last.logBytes - before.logBytes) / minutes),
  };
}

/** The last minute before the newest point, as far as it is known. */
export function latestOf(points: readonly TrendPoint[]): TrendBin {
  const bins = trendBins(points, TREND_BINS * MINUTE_MS);
  return bins.at(-1) ?? { ...NOTHING, atMs: 0 };
}

const NOTHING = { p50: null, p99: null, failed: null, logBytes: null, houseCash: null, funded: null };

function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/**
 * A quantile of what was answered between two points, in seconds, or null if nothing was. Inside a bucket it is on a
 * straight line, as Prometheus has it; beyond the last finite bound it is that bound.
 */
export function quantile(
  before: TrendPoint['answered'],
  after: TrendPoint['answered'],
  share: number,
): number | null {
  const earlier = new Map(before);
  const counts = after.map(([seconds, count]) => [seconds, count - (earlier.get(seconds) ?? 0)] as const);
  const total = counts.at(-1)?.[1] ?? 0;
  if (total <= 0) return null;
  const rank = share * total;
  let [lower, below] = [0, 0];
  for (const [seconds, count] of counts) {
    if (count >= rank && !Number.isFinite(seconds)) return lower;
    if (count >= rank) return lower + ((seconds - lower) * (rank - below)) / (count - below);
    [lower, below] = [seconds, count];
  }
  return lower;
}
