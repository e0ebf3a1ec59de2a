/** Candles or a line over time on a canvas, with a crosshair for pointer and keyboard. */

import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useInk } from '../../kit/use-ink.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import styles from './Charts.module.css';
import { type Bar, Drawing, type Look, type PriceScale } from './drawing.ts';

export interface TimeChartProps extends Look {
  readonly label: string;
  /** Ascending; all of one kind. */
  readonly bars: readonly Bar[];
  readonly kind: 'candles' | 'line';
  /** A bar in words, for the readout and the screen reader. */
  readonly wordsOf: (bar: Bar) => string;
  /** Prices that are kept in sight where they are not far from the newest. */
  readonly near?: readonly number[];
  /** Drawn over the chart, once it is there. */
  readonly over?: (scale: PriceScale) => ReactNode;
}

const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -20,
  PageDown: 20,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function TimeChart(props: TimeChartProps): ReactNode {
  const { label, bars, kind, format, step: least, wordsOf, count, near = NO_PRICES, over } = props;
  const { stores } = useTerminal();
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawing | null>(null);
  const ink = useInk(box);
  /** Start of the bar under the crosshair. */
  const [at, setAt] = useState<number | null>(null);
  const [scale, setScale] = useState<PriceScale | null>(null);
  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const drawing = new Drawing(box.current, kind, { onPoint: setAt, onScale: setScale });
    drawn.current = drawing;
    return () => {
      drawn.current = null;
      drawing.end();
      setScale(null);
    };
  }, [kind]);
  useEffect(() => {
    if (ink !== null) drawn.current?.paint(ink);
  }, [ink]);
  useEffect(() => drawn.current?.keepNear(near), [near]);
  // In the frame of whatever else shows the newest value.
  useLayoutEffect(() => drawn.current?.take(bars, { format, step: least, count }));
  const shown = bars.find(({ t }) => t === at) ?? bars.at(-1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = KEY_STEPS[event.key];
    if (event.key === 'Escape' && at !== null) drawn.current?.point(null);
    else if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    else {
      const bar = drawn.current?.point(steppedTo(bars, at, step));
      if (bar !== undefined) stores.announcements.setState({ polite: wordsOf(bar) });
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <div
        className={styles.history}
        ref={box}
        role="img"
        aria-label={`${label} Arrow keys read single values.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move its crosshair, as a pointer does
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => drawn.current?.point(null)}
      />
      {shown !== undefined && (
        <p className={styles.barWords} aria-hidden="true" data-is-pointed={at !== null}>
          {wordsOf(shown)}
        </p>
      )}
      {scale !== null && over?.(scale)}
    </>
  );
}

/** The bar so many steps from the one at a time; from the newest without one. */
function steppedTo(bars: readonly Bar[], at: number | null, step: number): Bar | null {
  const known = bars.findIndex(({ t }) => t === at);
  const from = known === -1 ? bars.length : known;
  return bars[Math.min(bars.length - 1, Math.max(0, from + step))] ?? null;
}

const NO_PRICES: readonly number[] = [];
