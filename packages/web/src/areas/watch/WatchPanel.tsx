/** The watch list with its prices, which open the ticket, and the alerts on them. */

import { type ReactNode, use, useEffect } from 'react';
import { zonedTime } from '../../basics/dates.ts';
import {
  formatChange,
  formatDelta,
  formatIv,
  formatLimit,
  formatPosition,
  formatPrice,
  UNKNOWN,
} from '../../basics/numbers.ts';
import { Info } from '../../kit/Info.tsx';
import { NameButton } from '../../kit/NameButton.tsx';
import { changeSince, type DayFigures } from '../../market/day-figures.ts';
import type { Side } from '../../market/touch.ts';
import { contractOf } from '../order/core/form/order.ts';
import type { WatchDesk } from './core/watch-desk.ts';
import type { PriceAlert } from './core/watched.ts';
import '../../kit/TextButton.css';
import { type RowColumn, Rows } from '../../kit/Rows.tsx';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { AlertForm } from './AlertForm.tsx';
import styles from './Watch.module.css';

export function WatchPanel(): ReactNode {
  const { stores, watchDesk } = useTerminal();
  const desk = use(watchDesk());
  const { names, alerts } = useStore(desk.watched, (watched) => watched);
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const inTicket = useStore(stores.ticket, contractOf);
  const asked = useStore(desk.asked, ({ name }) => name);
  const ask = (isFresh: boolean) => (name: string) => desk.asked.setState({ name, isFresh });
  useEffect(() => desk.show(), [desk]);
  const columns = useColumns(desk, ask(true));
  const subject = asked ?? inTicket ?? symbol;
  return (
    <div className={styles.watch}>
      {names.length === 0 ? (
        <p className="muted">Nothing is watched. Press ☆ in a ticket, or W on a price.</p>
      ) : (
        <Rows label="Watch list" items={names} keyOf={(name) => name} columns={columns} />
      )}
      {symbol !== null && !names.includes(symbol) && (
        <p className="acts">
          <button type="button" onClick={() => void desk.toggle(symbol)}>
            ☆ Watch {symbol}
          </button>
        </p>
      )}
      <h3>
        Price alerts{' '}
        <Info about="the watch list and price alerts">
          Alerts work only while a tab of this page is open in this browser, and fire once. Sound and desktop
          notification are chosen in the log. IV and delta of the list are those that the price implies; the
          chain shows the market maker’s own.
        </Info>
      </h3>
      {subject !== null && (
        <AlertForm {...{ desk, subject }} others={[symbol, inTicket, ...names]} onSubject={ask(false)} />
      )}
      {alerts.length > 0 && (
        <Rows label="Price alerts" items={alerts} keyOf={({ id }) => id} columns={alertColumns(desk)} />
      )}
    </div>
  );
}

function alertColumns(desk: WatchDesk): readonly RowColumn<PriceAlert>[] {
  return [
    { head: 'Alert', cell: (alert) => desk.words(alert) },
    {
      head: 'Remove',
      isAct: true,
      cell: (alert) => (
        <button
          type="button"
          aria-label={`Remove alert: ${desk.words(alert)}`}
          onClick={() => void desk.removeAlert(alert.id)}
        >
          ✕
        </button>
      ),
    },
  ];
}

function useColumns(desk: WatchDesk, onAlert: (name: string) => void): readonly RowColumn<string>[] {
  const { stores } = useTerminal();
  const figures = useStore(desk.figures, (all) => all);
  const instruments = useStore(stores.listing, (listing) => listing.instruments);
  const days = useStore(stores.days, (all) => all);
  const positions = useStore(stores.holdings, (holdings) => holdings.positions);
  const priceOf = (name: string) =>
    instruments.find(({ symbol }) => symbol === name)?.spot ?? figures.get(name)?.mark ?? null;
  const known = (value: number | null | undefined, text: (value: number) => string) =>
    value == null || Number.isNaN(value) ? UNKNOWN : text(value);
  return [
    { head: 'Name', cell: (name) => <NameButton name={name} /> },
    {
      head: 'Bid',
      cell: (name) => <PriceButton name={name} price={figures.get(name)?.bid} side="sell" />,
      className: () => 'bid',
    },
    {
      head: 'Ask',
      cell: (name) => <PriceButton name={name} price={figures.get(name)?.ask} side="buy" />,
      className: () => 'ask',
    },
    { head: 'Price', cell: (name) => known(priceOf(name), formatPrice) },
    {
      head: '24 hours',
      cell: (name) => <DayChange day={days.get(name)} price={priceOf(name)} />,
    },
    { head: 'IV', cell: (name) => known(figures.get(name)?.iv, formatIv) },
    { head: 'Delta', cell: (name) => known(figures.get(name)?.delta, formatDelta) },
    { head: 'Position', cell: (name) => known(positions.get(name)?.qty, formatPosition) },
    {
      head: 'Acts',
      isAct: true,
      cell: (name) => (
        <>
          <button type="button" aria-label={`Alert on ${seriesLabel(name)}`} onClick={() => onAlert(name)}>
            Alert…
          </button>{' '}
          <button
            type="button"
            aria-label={`Stop watching ${seriesLabel(name)}`}
            onClick={() => void desk.toggle(name)}
          >
            ✕
          </button>
        </>
      ),
    },
  ];
}

interface PriceButtonProps {
  readonly name: string;
  readonly price: number | undefined;
  /** The side of the order that takes the price. */
  readonly side: Side;
}

/** A contract's best price, which opens the ticket as a price of the chain does. */
export function PriceButton({ name, price = Number.NaN, side }: PriceButtonProps): ReactNode {
  const { desk } = useTerminal();
  if (Number.isNaN(price)) return UNKNOWN;
  const text = formatLimit(price);
  return (
    <button
      type="button"
      className="text-button"
      title={`Press to ${side} at this price`}
      aria-label={`${side === 'buy' ? 'Buy' : 'Sell'} ${seriesLabel(name)} at ${text}`}
      onClick={() => desk.pick({ seriesId: name }, side, price)}
    >
      {text}
    </button>
  );
}

interface DayChangeProps {
  readonly day: DayFigures | undefined;
  readonly price: number | null;
}

/** A history shorter than a day says so. */
export function DayChange({ day, price }: DayChangeProps): ReactNode {
  const change = changeSince(day?.from, price ?? Number.NaN);
  if (change === null) return UNKNOWN;
  return (
    <>
      {formatChange(change)}
      {day?.sinceMs != null && <small className="muted"> since {zonedTime(day.sinceMs).time}</small>}
    </>
  );
}
