/** The library's chart of candles or a line over time. */

import {
  type AutoscaleInfo,
  CandlestickSeries,
  type ChartOptions,
  createChart,
  type DeepPartial,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type ISeriesPrimitive,
  LineSeries,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Ink } from '../../kit/use-ink.ts';
import { axisTexts } from './core/axis-texts.ts';

/** A candle, or a point of a line, at the start of its interval in unix ms. */
export type Bar =
  | { readonly t: number; readonly value: number }
  | {
      readonly t: number;
      readonly o: number;
      readonly h: number;
      readonly l: number;
      readonly c: number;
      readonly v?: number;
    };

/** The place of a price in the picture, in CSS pixels from its top. */
export interface PriceScale {
  readonly heightPx: number;
  /** Width of the axis at its right. */
  readonly axisPx: number;
  /** Null before the first bar. */
  topOf(price: number): number | null;
  priceAt(topPx: number): number | null;
  /** Widens the scale to a price, for as long as it is given. */
  bring(price: number): void;
}

/** With fewer bars than this they would be as wide as bricks. */
const BARS_MIN = 30;
/** Room for the newest to move into. */
const BARS_AHEAD = 3;
/** Prices within this share of the newest are brought into sight. */
const NEAR_SHARE = 0.25;

/** The format and the scale of bars. */
export interface Look {
  readonly format: (value: number) => string;
  /** The least difference that the format shows: the axis has no finer steps. */
  readonly step: number;
  /** Bars in sight at first. */
  readonly count: number;
}

export interface DrawingEvents {
  readonly onPoint: (t: number | null) => void;
  readonly onScale: (scale: PriceScale) => void;
}

/** Nothing is drawn under the readout: room for its two lines, within these shares of the picture's height. */
const READOUT_PX = 42;
const [READOUT_SHARE, READOUT_SHARE_MAX] = [0.16, 0.4];
const BELOW_SHARE = 0.08;
/** Nearer to it than this, a label is under the tag of the newest value. */
const TAG_PX = 15;
/** An axis spans at least this many steps. */
const STEPS_MIN = 4;

/** The part of the height that volumes take, where there are any. */
const VOLUME_SHARE = 0.18;

/** The library's chart, and what it was last given. */
export class Drawing {
  readonly #chart: IChartApi;
  readonly #main: ISeriesApi<'Candlestick'> | ISeriesApi<'Line'>;
  readonly #volumes: ISeriesApi<'Histogram'> | null;
  readonly #events: DrawingEvents;
  /** The bar that keys have put the crosshair on. */
  #pointed: Bar | null = null;
  #bars: readonly Bar[] = [];
  #count = 0;
  #near: readonly number[] = [];
  /** Prices of them that are in sight however far they are. */
  #brought: readonly number[] = [];
  /** The prices at top and bottom, which tell whether the scale has moved. */
  #edges = '';
  #readoutShare = READOUT_SHARE;
  #step = 0;
  #isOver = false;

  constructor(box: HTMLElement, kind: 'candles' | 'line', events: DrawingEvents) {
    this.#events = events;
    this.#chart = createChart(box, { ...OPTIONS, autoSize: true });
    const common = {
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) =>
        roomy(original, this.#nearPrices(), this.#step),
    };
    this.#main =
      kind === 'candles'
        ? this.#chart.addSeries(CandlestickSeries, common)
        : this.#chart.addSeries(LineSeries, { ...common, lineWidth: 2 });
    this.#volumes =
      kind === 'candles'
        ? this.#chart.addSeries(HistogramSeries, {
            priceScaleId: '',
            lastValueVisible: false,
            priceLineVisible: false,
          })
        : null;
    this.#volumes?.priceScale().applyOptions({ scaleMargins: { top: 1 - VOLUME_SHARE, bottom: 0 } });
    this.#chart.subscribeCrosshairMove(({ time, sourceEvent }) => {
      // A picture that moves under the crosshair is no move of a pointer.
      if (this.#pointed !== null && sourceEvent === undefined) return;
      this.#pointed = null;
      events.onPoint(typeof time === 'number' ? time * 1_000 : null);
    });
    // The library tells of a moved scale to what it draws alone.
    const watcher: ISeriesPrimitive<Time> = { updateAllViews: () => this.#tellScale() };
    this.#main.attachPrimitive(watcher);
  }

  end(): void {
    this.#isOver = true;
    this.#pointed = null;
    this.#chart.remove();
  }

  paint(ink: Ink): void {
    this.#chart.applyOptions({
      layout: { background: { color: ink.page }, textColor: ink.muted, fontFamily: ink.font, fontSize: 11 },
      grid: { vertLines: { color: ink.line }, horzLines: { color: ink.line } },
      timeScale: { borderColor: ink.line },
      crosshair: {
        vertLine: { color: ink.muted, labelBackgroundColor: ink.raised },
        horzLine: { color: ink.muted, labelBackgroundColor: ink.raised },
      },
    });
    // A candle that rose is hollow, so that colour is not all that tells it.
    const { page: upColor, good: borderUpColor, danger: downColor, text: color } = ink;
    const sides = { upColor, borderUpColor, wickUpColor: borderUpColor, downColor };
    this.#main.applyOptions({ ...sides, borderDownColor: downColor, wickDownColor: downColor, color });
    this.#volumes?.applyOptions({ color: ink.line });
  }

  keepNear(prices: readonly number[]): void {
    this.#near = prices;
    this.#brought = this.#brought.filter((price) => prices.includes(price));
    this.#chart.priceScale('right').setAutoScale(true);
  }

  #bring(price: number): void {
    this.#brought = [...this.#brought, price];
    this.#chart.priceScale('right').setAutoScale(true);
  }

  /** Draws the bars; only those that are new or have changed at the end, if the others are the same. */
  take(bars: readonly Bar[], { format, step, count }: Look): void {
    const before = this.#bars;
    if (bars === before) return;
    this.#bars = bars;
    const isFirst = before.length === 0 || count !== this.#count;
    this.#count = count;
    this.#step = step;
    this.#main.applyOptions({
      priceFormat: {
        type: 'custom',
        minMove: step,
        formatter: (value: number) => format(value),
        tickmarksFormatter: (values: readonly number[]) =>
          axisTexts(values, {
            format,
            tag: this.#tagText(format),
            isCovered: (value) => this.#isUnderTag(value),
          }),
      },
    });
    const from = before.length - 1;
    const continues = from >= 0 && bars[0]?.t === before[0]?.t && bars[from]?.t === before[from]?.t;
    if (continues) for (const bar of bars.slice(from)) this.#update(bar);
    else this.#replace(bars);
    if (isFirst || !continues) this.#fit();
  }

  /** Puts the crosshair on a bar, and brings that into sight; null takes it away. */
  point(bar: Bar | null): Bar | undefined {
    this.#pointed = bar;
    // The library tells of moves by a pointer alone.
    this.#events.onPoint(bar?.t ?? null);
    if (bar === null) {
      this.#chart.clearCrosshairPosition();
      return undefined;
    }
    const scale = this.#chart.timeScale();
    const index = this.#bars.indexOf(bar);
    const range = scale.getVisibleLogicalRange();
    if (range !== null && (index < range.from || index > range.to)) {
      const half = (range.to - range.from) / 2;
      scale.setVisibleLogicalRange({ from: index - half, to: index + half });
    }
    // Where the bar is, is known once it is drawn.
    requestAnimationFrame(() => {
      if (this.#pointed === bar)
        this.#chart.setCrosshairPosition('value' in bar ? bar.value : bar.c, timeOf(bar), this.#main);
    });
    return bar;
  }

  #update(bar: Bar): void {
    this.#main.update(dataOf(bar) as never);
    if ('v' in bar) this.#volumes?.update({ time: timeOf(bar), value: bar.v ?? 0 });
  }

  #replace(bars: readonly Bar[]): void {
    this.#main.setData(bars.map(dataOf) as never);
    const volumes = bars.flatMap((bar) => ('v' in bar ? { time: timeOf(bar), value: bar.v ?? 0 } : []));
    this.#volumes?.setData(volumes);
  }

  /** Brings the newest bars into sight, as many as were asked for. */
  #fit(): void {
    const { length } = this.#bars;
    const shown = Math.max(BARS_MIN, Math.min(this.#count, length));
    const from = length - shown;
    this.#chart.timeScale().setVisibleLogicalRange({ from, to: length - 1 + BARS_AHEAD });
  }

  #nearPrices(): readonly number[] {
    const last = this.#bars.at(-1);
    if (last === undefined) return [];
    const price = 'value' in last ? last.value : last.c;
    const near = this.#near.filter((one) => Math.abs(one - price) <= price * NEAR_SHARE);
    return [...near, ...this.#brought];
  }

  #tagText(format: (value: number) => string): string {
    const last = this.#bars.at(-1);
    return last === undefined ? '' : format('value' in last ? last.value : last.c);
  }

  #isUnderTag(value: number): boolean {
    const last = this.#bars.at(-1);
    if (last === undefined) return false;
    const tag = this.#main.priceToCoordinate('value' in last ? last.value : last.c);
    const label = this.#main.priceToCoordinate(value);
    return tag !== null && label !== null && Math.abs(tag - label) < TAG_PX;
  }

  /** Nothing is drawn under the readout, however low the picture is. */
  #keepClear(heightPx: number): void {
    const share = Math.min(READOUT_SHARE_MAX, Math.max(READOUT_SHARE, READOUT_PX / heightPx));
    if (share === this.#readoutShare) return;
    this.#readoutShare = share;
    this.#chart.priceScale('right').applyOptions({ scaleMargins: { top: share, bottom: BELOW_SHARE } });
  }

  #tellScale(): void {
    const heightPx = this.#chart.paneSize().height;
    const axisPx = this.#chart.priceScale('right').width();
    const main = this.#main;
    const edges = `${heightPx} ${axisPx} ${main.coordinateToPrice(0)} ${main.coordinateToPrice(heightPx)}`;
    if (edges === this.#edges) return;
    this.#edges = edges;
    const scale: PriceScale = {
      ...{ heightPx, axisPx },
      topOf: (price) => main.priceToCoordinate(price),
      priceAt: (topPx) => main.coordinateToPrice(topPx),
      bring: (price) => this.#bring(price),
    };
    // It is told while the library draws.
    queueMicrotask(() => {
      if (this.#isOver) return;
      this.#keepClear(heightPx);
      this.#events.onScale(scale);
    });
  }
}

function timeOf({ t }: Bar): UTCTimestamp {
  return (t / 1_000) as UTCTimestamp;
}

function dataOf(bar: Bar) {
  const time = timeOf(bar);
  if ('value' in bar) return { time, value: bar.value };
  return { time, open: bar.o, high: bar.h, low: bar.l, close: bar.c };
}

/** Widens the range to these prices; that of a price that has hardly moved is padded, and it is drawn mid-height. */
function roomy(
  original: () => AutoscaleInfo | null,
  near: readonly number[],
  step: number,
): AutoscaleInfo | null {
  const info = original();
  const known = info?.priceRange;
  if (info === null || !known) return info;
  const range = {
    minValue: Math.min(known.minValue, ...near),
    maxValue: Math.max(known.maxValue, ...near),
  };
  const least = Math.max(Math.abs(range.maxValue) * 0.0002, step * STEPS_MIN);
  if (range.maxValue - range.minValue >= least) return { ...info, priceRange: range };
  const middle = (range.maxValue + range.minValue) / 2;
  return { ...info, priceRange: { minValue: middle - least / 2, maxValue: middle + least / 2 } };
}

// The library only knows UTC, so the labels are formatted here, in the reader's time.
const FORMATS = {
  time: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }),
  month: new Intl.DateTimeFormat('en-GB', { month: 'short' }),
  year: new Intl.DateTimeFormat('en-GB', { year: 'numeric' }),
} as const;

function formatted(time: Time, kind: keyof typeof FORMATS): string {
  return FORMATS[kind].format(Number(time) * 1_000);
}

const TICKS: Readonly<Record<TickMarkType, keyof typeof FORMATS>> = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'time',
};

const OPTIONS: DeepPartial<ChartOptions> = {
  layout: { attributionLogo: false },
  localization: { timeFormatter: (time: Time) => `${formatted(time, 'day')} ${formatted(time, 'time')}` },
  timeScale: {
    timeVisible: true,
    rightOffset: 3,
    tickMarkFormatter: (time: Time, kind: TickMarkType) => formatted(time, TICKS[kind]),
  },
  rightPriceScale: {
    borderVisible: false,
    entireTextOnly: true,
    scaleMargins: { top: READOUT_SHARE, bottom: BELOW_SHARE },
  },
  handleScroll: { mouseWheel: false },
  handleScale: { mouseWheel: false },
};
