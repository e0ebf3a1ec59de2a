/** The parts that charts of prices over time share: time frames, words for missing data, and the table. */

import type { Candle } from '@venue/protocol';
import { type ReactNode, useState } from 'react';
import { formatPrice, formatSize, priceDecimals, UNKNOWN } from '../../basics/numbers.ts';
import { momentLabel } from '../../basics/time-label.ts';
import {
  candleCountOf,
  FRAMES,
  type Frame,
  intervalMs,
  intervalOf,
  rangeWords,
} from '../../market/candles.ts';
import type { HistoryState, ShownCandles } from '../../terminal/use-candles.ts';
import styles from './Charts.module.css';
import type { Bar } from './drawing.ts';
import { Figure, type FigureProps, Nothing } from './Figure.tsx';
import { TimeChart, type TimeChartProps } from './TimeChart.tsx';

/** The newest, for a person: the picture has them all. */
const TABLE_LINES = 120;
const MINUTE_MS = 60_000;

/** The last choice, restored when a chart is shown again. */
let remembered: Frame = '1h';

/** The time frame of a chart, and its setter. */
export function useFrame(): readonly [Frame, (frame: Frame) => void] {
  const [frame, setFrame] = useState(remembered);
  const choose = (next: Frame) => {
    remembered = next;
    setFrame(next);
  };
  return [frame, choose];
}

export interface ChoicesProps<T extends string> {
  readonly label: string;
  readonly all: readonly T[];
  readonly chosen: T;
  readonly onChoose: (one: T) => void;
}

/** Buttons of which one is pressed. */
export function Choices<T extends string>({ label, all, chosen, onChoose }: ChoicesProps<T>): ReactNode {
  return (
    <fieldset className={`${styles.choices} bare`}>
      <legend className="visually-hidden">{label}</legend>
      {all.map((one) => (
        <button key={one} type="button" aria-pressed={one === chosen} onClick={() => onChoose(one)}>
          {one}
        </button>
      ))}
    </fieldset>
  );
}

export interface FramesProps {
  readonly chosen: Frame;
  readonly onChoose: (frame: Frame) => void;
}

export function Frames(props: FramesProps): ReactNode {
  return <Choices label="Time frame" all={FRAMES} {...props} />;
}

/** Returns a sentence for people on why data is missing; null if none is. */
function stateWords(state: HistoryState): string | null {
  if (state === 'none')
    return 'This venue keeps no history at present: these are prices that the page has seen.';
  if (state === 'failed') return 'The history could not be read; the page tries again.';
  return null;
}

interface HistoryProps extends Pick<FigureProps<never>, 'title'> {
  readonly state: HistoryState;
  /** The sentence shown while there is nothing to draw yet. */
  readonly nothing: string;
  readonly legend: ReactNode;
  /** Says where the data comes from. */
  readonly source: string;
}

export interface CandleHistoryProps
  extends HistoryProps,
    Pick<ShownCandles, 'candles'>,
    Pick<TimeChartProps, 'near' | 'over'> {
  readonly frame: Frame;
}

/** The least difference that prices like this one show. */
export function priceStep(price: number): number {
  return 10 ** -priceDecimals([price]);
}

/** The newest price of a frame's candles, and their range; null without any. */
export function candleRange(candles: readonly Candle[], frame: Frame): string | null {
  const rows = candles
    .slice(-candleCountOf(frame))
    .map(({ t, h: high, l: low, c: last }) => ({ t, high, low, last }));
  return rangeWords(rows, { spanMs: intervalMs(intervalOf(frame)), format: formatPrice });
}

/** Candles as a figure: sentence, picture, table. */
export function CandleHistory({ candles, frame, near, over, ...rest }: CandleHistoryProps): ReactNode {
  const interval = intervalOf(frame);
  const count = candleCountOf(frame);
  const hasVolume = candles.some(({ v }) => v !== undefined);
  const isDaily = interval === '1d';
  return (
    <TimeFigure
      {...rest}
      words={candleRange(candles, frame)}
      chart={{
        ...{ bars: candles, kind: 'candles', format: formatPrice, wordsOf: candleWords, count },
        step: priceStep(candles.at(-1)?.c ?? 0),
        ...(near !== undefined && { near }),
        ...(over !== undefined && { over }),
      }}
      table={{
        items: candles.slice(-TABLE_LINES).reverse(),
        keyOf: ({ t }) => t,
        columns: [
          { head: 'Time', cell: ({ t }) => barLabel(t, isDaily) },
          { head: 'Open, $', cell: ({ o }) => formatPrice(o) },
          { head: 'High, $', cell: ({ h }) => formatPrice(h) },
          { head: 'Low, $', cell: ({ l }) => formatPrice(l) },
          { head: 'Close, $', cell: ({ c }) => formatPrice(c) },
          ...(hasVolume
            ? [{ head: 'Contracts', cell: ({ v }: Candle) => (v === undefined ? UNKNOWN : formatSize(v)) }]
            : []),
        ],
      }}
    />
  );
}

export interface LineHistoryProps extends HistoryProps, Pick<TimeChartProps, 'near' | 'over'> {
  readonly points: readonly { readonly t: number; readonly value: number }[];
  /** Time that a point stands for. */
  readonly spanMs: number;
  /** Points in sight at first; all of them without it. */
  readonly count?: number;
  /** The values in a sentence, where a newest value and a range would not say what the points are. */
  readonly words?: string | null;
  /** Head of the values' column. */
  readonly head: string;
  readonly format: (value: number) => string;
  /** The least difference that it shows. */
  readonly step: number;
}

/** A line as a figure: sentence, picture, table. */
export function LineHistory(props: LineHistoryProps): ReactNode {
  const { points, spanMs, head, format, step, count = Number.POSITIVE_INFINITY, near, over, ...rest } = props;
  const rows = points.slice(-count).map(({ t, value }) => ({ t, high: value, low: value, last: value }));
  return (
    <TimeFigure
      {...rest}
      words={props.words === undefined ? rangeWords(rows, { spanMs, format }) : props.words}
      chart={{
        ...{ bars: points, kind: 'line', format, step, count },
        wordsOf: (bar) => `${barLabel(bar.t)}  ${format('value' in bar ? bar.value : bar.c)}`,
        ...(near !== undefined && { near }),
        ...(over !== undefined && { over }),
      }}
      table={{
        items: points.slice(-TABLE_LINES).reverse(),
        keyOf: ({ t }) => t,
        columns: [
          { head: 'Time', cell: ({ t }) => barLabel(t) },
          { head, cell: ({ value }) => format(value) },
        ],
      }}
    />
  );
}

interface TimeFigureProps<T> extends Omit<HistoryProps, 'nothing' | 'source'>, Pick<FigureProps<T>, 'table'> {
  readonly nothing: string;
  readonly source: string;
  readonly words: string | null;
  readonly chart: Omit<TimeChartProps, 'label'>;
}

function TimeFigure<T>(props: TimeFigureProps<T>): ReactNode {
  const { title, state, nothing, legend, source, words, chart, table } = props;
  const trouble = stateWords(state);
  const said = [trouble, words ?? (state === 'reading' ? 'Reading the history…' : nothing)];
  const sentence = said.filter((one) => one !== null).join(' ');
  return (
    <Figure
      {...{ title, sentence, legend, table }}
      isReadOff={words !== null && trouble === null}
      foot={<Credit>{source}</Credit>}
    >
      {() => (words === null ? <Nothing>{sentence}</Nothing> : <TimeChart label={sentence} {...chart} />)}
    </Figure>
  );
}

function candleWords(bar: Bar): string {
  if ('value' in bar) return '';
  const { o, h, l, c, v } = bar;
  // A line breaks between two figures and not within one.
  const figures = Object.entries({ O: o, H: h, L: l, C: c }).map(
    ([name, price]) => `${name}\u00a0${formatPrice(price)}`,
  );
  const volume = v === undefined ? [] : [`Vol\u00a0${formatSize(v)}`];
  return [barLabel(bar.t).replace(/ /g, '\u00a0'), ...figures, ...volume].join('  ');
}

/** Candles begin with whole minutes; those of days with the day in UTC. */
export function barLabel(ms: number, isDaily = false): string {
  if (isDaily)
    return new Date(ms).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return momentLabel(ms - (ms % MINUTE_MS)).replace(/:00$/, '');
}

/** Credits the chart library, beside the source of the data. */
function Credit({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <p className={`${styles.credit} muted`}>
      {children} Chart by{' '}
      <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        TradingView
      </a>
      .
    </p>
  );
}
