/** Prices over time on a canvas: a line, and single trades as dots. */

import {
  type AutoscaleInfo,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { type ReactNode, useEffect, useRef } from 'react';
import type { PricePoint } from '../core/chain/history.ts';
import { formatPrice } from '../core/numbers.ts';
import { type Ink, useInk } from './use-ink.ts';

export interface HistoryChartProps {
  readonly label: string;
  /** Ascending, at most one per second; drawn as steps, since a price holds until the next. */
  readonly line: readonly PricePoint[];
  /** In the same order, drawn as dots. */
  readonly dots?: readonly PricePoint[];
}

interface Drawn {
  readonly chart: IChartApi;
  readonly line: Feed;
  readonly dots: Feed;
}

export function HistoryChart({ label, line, dots = NO_POINTS }: HistoryChartProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const ink = useInk(box);
  useEffect(() => {
    if (box.current === null) return undefined;
    const chart = createChart(box.current, { autoSize: true, layout: { attributionLogo: false } });
    drawn.current = draw(chart);
    return () => {
      drawn.current = null;
      chart.remove();
    };
  }, []);
  useEffect(() => {
    if (ink !== null && drawn.current !== null) paint(drawn.current, ink);
  }, [ink]);
  useEffect(() => {
    drawn.current?.line.take(line);
    drawn.current?.dots.take(dots);
  });
  return <div className="history" ref={box} role="img" aria-label={label} />;
}

const NO_POINTS: readonly PricePoint[] = [];

function draw(chart: IChartApi): Drawn {
  // The library passes a position too, which is no number of decimals.
  const formatter = (price: number) => formatPrice(price);
  const priceFormat = { type: 'custom', minMove: 0.0001, formatter } as const;
  const common = { priceFormat, autoscaleInfoProvider: roomy };
  const line = chart.addSeries(LineSeries, { ...common, lineType: LineType.WithSteps, lineWidth: 2 });
  const dots = chart.addSeries(LineSeries, {
    ...common,
    lineVisible: false,
    pointMarkersVisible: true,
    pointMarkersRadius: 4,
    lastValueVisible: false,
    priceLineVisible: false,
  });
  chart.applyOptions({
    localization: { timeFormatter: (time: Time) => clockOf(time) },
    timeScale: {
      timeVisible: true,
      secondsVisible: true,
      tickMarkFormatter: (time: Time) => clockOf(time),
      rightOffset: 2,
    },
    rightPriceScale: { borderVisible: false },
    handleScroll: { mouseWheel: false },
    handleScale: { mouseWheel: false },
  });
  return { chart, line: new Feed(line), dots: new Feed(dots) };
}

/** Pads the range of a price that has not moved, so that its line is drawn mid-height. */
function roomy(original: () => AutoscaleInfo | null): AutoscaleInfo | null {
  const info = original();
  const range = info?.priceRange;
  if (info === null || !range) return info;
  const least = Math.abs(range.maxValue) * 0.0002;
  if (range.maxValue - range.minValue >= least) return info;
  const middle = (range.maxValue + range.minValue) / 2;
  return { ...info, priceRange: { minValue: middle - least / 2, maxValue: middle + least / 2 } };
}

/** The library only knows UTC, so the labels are formatted here. */
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
function clockOf(time: Time): string {
  return typeof time === 'number' ? CLOCK.format(time * 1_000) : String(time);
}

function paint({ chart, line, dots }: Drawn, ink: Ink): void {
  chart.applyOptions({
    layout: { background: { color: ink.page }, textColor: ink.muted, fontFamily: ink.font, fontSize: 11 },
    grid: { vertLines: { visible: false }, horzLines: { color: ink.line } },
    timeScale: { borderColor: ink.line },
    crosshair: { vertLine: { color: ink.muted }, horzLine: { color: ink.muted } },
  });
  line.series.applyOptions({ color: ink.text });
  dots.series.applyOptions({ color: ink.sell });
}

/**
 * Appends new points to a series. The library throws for a point before its last one, in which case all data is set
 * again.
 */
class Feed {
  readonly series: ISeriesApi<'Line'>;
  #first: number | null = null;
  #last: number | null = null;
  #count = 0;

  constructor(series: ISeriesApi<'Line'>) {
    this.series = series;
  }

  take(points: readonly PricePoint[]): void {
    const from = this.#last === null ? -1 : points.findLastIndex(({ second }) => second === this.#last);
    const continues = from >= 0 && from === this.#count - 1 && points[0]?.second === this.#first;
    if (continues) for (const point of points.slice(from)) this.series.update(pointOf(point));
    else this.series.setData(points.map(pointOf));
    this.#first = points[0]?.second ?? null;
    this.#last = points.at(-1)?.second ?? null;
    this.#count = points.length;
  }
}

function pointOf({ second, price }: PricePoint): { time: UTCTimestamp; value: number } {
  return { time: second as UTCTimestamp, value: price };
}
