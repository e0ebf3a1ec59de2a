/** Charts of latency, errors, the log and the venue's money, of what this page has read since it was opened. */

import { type ReactNode, useState } from 'react';
import { formatUsd, UNKNOWN } from '../../basics/numbers.ts';
import styles from './Admin.module.css';
import type { Watched } from './admin-console.ts';
import { type TrendBin, trendBins } from './trends.ts';

/** The shortest first: the page knows nothing from before it was opened. */
const SPANS = {
  minutes: { ms: 600_000, name: '10 minutes', from: '10 min ago' },
  hour: { ms: 3_600_000, name: '1 hour', from: '1 h ago' },
  day: { ms: 24 * 3_600_000, name: '1 day', from: '1 d ago' },
} as const;
type Span = keyof typeof SPANS;

interface Chart {
  readonly name: string;
  /** The first line is the emphasised one. */
  readonly lines: readonly (readonly [name: string, of: (bin: TrendBin) => number | null])[];
  readonly text: (value: number) => string;
}

const ms = (seconds: number) => `${(seconds * 1_000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
const KIB = 1_024;

const CHARTS: readonly Chart[] = [
  {
    name: 'Order latency',
    lines: [
      ['p99', ({ p99 }) => p99],
      ['p50', ({ p50 }) => p50],
    ],
    text: ms,
  },
  {
    name: 'Errors a minute',
    lines: [['5xx', ({ failed }) => failed]],
    text: (value) => value.toFixed(value < 10 ? 1 : 0),
  },
  {
    name: 'Log a minute',
    lines: [['bytes', ({ logBytes }) => logBytes]],
    text: (value) => `${(value / KIB).toFixed(value < 10 * KIB ? 1 : 0)} KiB`,
  },
  {
    name: 'Cash of the house',
    lines: [['cash', ({ houseCash }) => houseCash]],
    text: (value) => formatUsd(value),
  },
  { name: 'Paid in', lines: [['less paid out', ({ funded }) => funded]], text: (value) => formatUsd(value) },
];

export function Trends({ watched }: { readonly watched: Watched }): ReactNode {
  const [span, setSpan] = useState<Span>('minutes');
  const bins = trendBins(watched.trend, SPANS[span].ms);
  return (
    <section id="admin-trends" className={`panel-box ${styles.wide}`} aria-label="Trends">
      <div className={styles.trendsHead}>
        <h2>Trends</h2>
        <div className={styles.acts}>
          {(Object.keys(SPANS) as Span[]).map((one) => (
            <button key={one} type="button" aria-pressed={one === span} onClick={() => setSpan(one)}>
              {SPANS[one].name}
            </button>
          ))}
        </div>
      </div>
      <div className={styles.trends}>
        {CHARTS.map((chart) => (
          <TrendChart key={chart.name} chart={chart} bins={bins} span={span} />
        ))}
      </div>
      <p className="muted">
        Of the node that answers this page, since the page was opened; it keeps a day. Orders are those of
        /v1/order and /v1/batch.
      </p>
    </section>
  );
}

interface TrendChartProps {
  readonly chart: Chart;
  readonly bins: readonly TrendBin[];
  readonly span: Span;
}

function TrendChart({ chart: { name, lines, text }, bins, span }: TrendChartProps): ReactNode {
  const columns = lines.map(([, of]) => bins.map(of));
  const values = columns.flat().filter((value) => value !== null);
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const latest = lines.map(([line], i) => [line, columns[i]!.findLast((value) => value !== null)] as const);
  // An axis of zeros has one label.
  const topText = values.length === 0 ? UNKNOWN : top === bottom ? '' : text(top);
  const said = latest.map(([line, value]) => `${line} ${value == null ? UNKNOWN : text(value)}`).join(', ');
  return (
    <figure className={styles.trend}>
      <figcaption>
        {name} <span className="muted">{said}</span>
      </figcaption>
      <span className={styles.trendTop}>{topText}</span>
      <span className={styles.trendBottom}>{text(bottom)}</span>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={`${name}: ${said}`}>
        {columns.map((column, i) => (
          <path key={lines[i]![0]} d={pathOf(column, { top, bottom })} data-line={i} />
        ))}
      </svg>
      <span className={styles.trendFrom}>{SPANS[span].from}</span>
      <span className={styles.trendNow}>now</span>
    </figure>
  );
}

/** A line through neighbours; a bin alone is a dot, which the round end of an empty line draws. */
function pathOf(
  column: readonly (number | null)[],
  { top, bottom }: { readonly top: number; readonly bottom: number },
): string {
  const height = top - bottom || 1;
  const points = column.map((value, n) =>
    value === null
      ? null
      : `${((n + 1) * 100) / column.length} ${(100 - ((value - bottom) / height) * 100).toFixed(2)}`,
  );
  return points
    .map((point, n) => {
      if (point === null) return '';
      return (points[n - 1] ?? null) === null ? `M${point}h0` : `L${point}`;
    })
    .join('');
}
