/** Price alerts as lines across the chart of what they are on: dragged or moved by the arrow keys, and removed (TERM-18). */

import { microsToDecimal } from '@venue/protocol';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { parseAmount, priceFieldText } from '../../basics/numbers.ts';
import { snapped, stepOf, stepped } from '../../market/step.ts';
import { type ShownAlerts, useAlerts } from '../../terminal/use-alerts.ts';
import { useAnnouncement } from '../../terminal/use-announcement.ts';
import type { WatchDesk } from '../watch/core/watch-desk.ts';
import type { Measure, PriceAlert } from '../watch/core/watched.ts';
import { valueText } from '../watch/core/words.ts';
import type { PriceScale } from './drawing.ts';
import { awayText, placedLines, pressText, useLineDrag } from './line-drag.ts';
import styles from './OrderLines.module.css';

/** The measures that a chart shows. */
export const ON_SPOT: readonly Measure[] = ['spot'];
export const ON_MARK: readonly Measure[] = ['mark', 'bid', 'ask'];
export const ON_IV: readonly Measure[] = ['iv'];

/** Tags stand below the readout of the bars. */
const TAGS_FROM_PX = 34;

export interface ChartAlerts extends ShownAlerts {
  /** Levels in units of the chart, which it keeps in sight; the same array until one changes. */
  readonly near: readonly number[];
}

/** The alerts that a chart shows. */
export function useChartAlerts(of: string, measures: readonly Measure[]): ChartAlerts {
  const { desk, alerts } = useAlerts(of, measures);
  const near = useMemo(() => alerts.map(placeOf), [alerts]);
  return { desk, alerts, near };
}

/** Charts draw volatility as a fraction, alerts name it in percent. */
function placeOf({ measure, level }: PriceAlert): number {
  return measure === 'iv' ? level / 100 : level;
}

interface AlertLinesProps extends ShownAlerts {
  readonly scale: PriceScale;
}

export function AlertLines({ desk, alerts, scale }: AlertLinesProps): ReactNode {
  if (desk === null || alerts.length === 0) return null;
  return (
    <div className={styles.lines} style={{ height: scale.heightPx, right: scale.axisPx }}>
      {placedLines(alerts, { priceOf: placeOf, scale, fromPx: TAGS_FROM_PX }).map(({ item, tagPx }) => (
        <AlertLine key={item.id} alert={item} {...{ desk, scale, tagPx }} />
      ))}
    </div>
  );
}

interface AlertLineProps {
  readonly alert: PriceAlert;
  readonly desk: WatchDesk;
  readonly scale: PriceScale;
  readonly tagPx: number;
}

function AlertLine({ alert, desk, scale, tagPx }: AlertLineProps): ReactNode {
  const { moved, asked, move, drop, save, leave } = useMoved(alert, desk);
  const shown = moved ?? alert;
  const price = placeOf(shown);
  const at = placedLines([shown], { priceOf: placeOf, scale, fromPx: TAGS_FROM_PX })[0]!;
  const { stop, ...drag } = useLineDrag({
    ...{ scale, price, onDrop: drop, onCancel: leave },
    // At once, so that what is dropped is what is seen.
    onMove: (next) => flushSync(() => move(snapped(alert.measure === 'iv' ? next * 100 : next))),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step !== null) move(stepped('price', priceFieldText(shown.level), step));
    else if (event.key === 'Delete') void desk.removeAlert(alert.id);
    else if (event.key === 'Enter' && moved !== null) save();
    else if (event.key === 'Escape' && moved !== null) {
      stop();
      leave();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const words = desk.words(shown);
  return (
    <>
      <div className={styles.line} data-side="alert" style={{ top: at.topPx }} />
      <div className={styles.alert} style={{ top: moved === null ? tagPx : at.tagPx }}>
        <span
          className={styles.tag}
          data-side="alert"
          role="spinbutton"
          tabIndex={0}
          aria-label={`Level of the alert: ${words}`}
          aria-valuenow={shown.level}
          aria-valuetext={valueText(shown.measure, shown.level)}
          title={pressText(price, scale)}
          onKeyDown={onKeyDown}
          // What is asked is answered by a button, which takes the focus.
          onBlur={() => asked === null && leave()}
          {...drag}
        >
          {awayText(price, scale)}Alert
          {shown.measure === 'bid' || shown.measure === 'ask' ? ` ${shown.measure}` : ''} {shown.side}{' '}
          <b>{valueText(shown.measure, shown.level)}</b>
        </span>
        <button
          type="button"
          aria-label={`Remove alert: ${words}`}
          onClick={() => void desk.removeAlert(alert.id)}
        >
          ✕
        </button>
      </div>
      {asked !== null && (
        <div className={styles.edit} data-at={at.topPx > scale.heightPx / 2 ? 'top' : 'bottom'}>
          <div className="edit-acts">
            <button type="button" aria-label={`Move anyway: ${words}`} onClick={save}>
              Move anyway
            </button>
            <button type="button" aria-label={`Leave it: ${words}`} onClick={leave}>
              Leave it
            </button>
            <p>
              <strong className="warning">{asked}</strong>
            </p>
          </div>
        </div>
      )}
    </>
  );
}

/** The alert as it is dragged, what is asked about its drop, and how it is moved or left as it was. */
function useMoved(alert: PriceAlert, desk: WatchDesk) {
  const [level, setLevel] = useState<number | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  useAnnouncement(asked);
  const leave = () => {
    setLevel(null);
    setAsked(null);
  };
  const save = () => {
    if (level !== null) void desk.moveAlert(alert.id, level).then(leave);
  };
  return {
    ...{ moved: level === null ? null : desk.withLevel(alert, level), asked, leave, save },
    move(text: string) {
      const typed = parseAmount(text);
      if (!typed.ok || typed.micros <= 0) return;
      setLevel(microsToDecimal(typed.micros));
      setAsked(null);
    },
    /** Saves what a pointer has let go of, unless it went so far that the hand may have slipped. */
    drop() {
      const caution = level === null ? null : desk.dropCaution(alert, level);
      if (caution === null) save();
      else setAsked(caution);
    },
  };
}
