/** Where the market is: the underlying's price, large, with its day and the volatility that its options expect. */

import type { ReactNode } from 'react';
import { zonedTime } from '../../basics/dates.ts';
import { formatChange, formatPrice, UNKNOWN } from '../../basics/numbers.ts';
import { Term } from '../../kit/Term.tsx';
import { pnlClass } from '../../kit/tones.ts';
import { changeSince, type DayFigures } from '../../market/day-figures.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import styles from './MarketHead.module.css';

export function MarketHead({ children }: { readonly children?: ReactNode }): ReactNode {
  const { stores } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const spot = useStore(
    stores.listing,
    ({ instruments }) => instruments.find((one) => one.symbol === symbol)?.spot ?? 0,
  );
  const day = useStore(stores.days, (days) => (symbol === null ? undefined : days.get(symbol)));
  return (
    <section className={styles.marketHead} aria-label="Underlying">
      <h2>{symbol ?? 'Market'}</h2>
      <p className="market-spot">{spot > 0 ? formatPrice(spot) : UNKNOWN}</p>
      <dl>
        <div>
          <dt>{spanText(day)}</dt>
          <dd className={changeClass(day, spot)}>{changeText(day, spot)}</dd>
        </div>
        <div className={styles.marketRange}>
          <dt>Low – high</dt>
          <dd>{rangeText(day, spot)}</dd>
        </div>
        <div>
          <dt>
            <Term of="volatility index">30-day vol</Term>
          </dt>
          <dd>{indexText(day)}</dd>
        </div>
      </dl>
      {children}
    </section>
  );
}

/** The span of the day's figures: 24 hours, or less while the history is young. */
export function spanText(day: DayFigures | undefined): string {
  return day?.sinceMs == null ? '24 hours' : `Since ${zonedTime(day.sinceMs).time}`;
}

/** `+1.24%`, with its sign. */
export function changeText(day: DayFigures | undefined, spot: number): string {
  const change = changeSince(day?.from, spot);
  return change === null ? UNKNOWN : formatChange(change);
}

/** By what is written: a change of 0.00% is neither. */
export function changeClass(day: DayFigures | undefined, spot: number): ReturnType<typeof pnlClass> {
  return pnlClass((changeSince(day?.from, spot) ?? 0) * 100);
}

export function indexText(day: DayFigures | undefined): string {
  return day?.index == null ? UNKNOWN : `${day.index.toFixed(1)}%`;
}

function rangeText(day: DayFigures | undefined, spot: number): string {
  if (day?.high == null || day.low === null || !(spot > 0)) return UNKNOWN;
  return `${formatPrice(Math.min(day.low, spot))} – ${formatPrice(Math.max(day.high, spot))}`;
}
