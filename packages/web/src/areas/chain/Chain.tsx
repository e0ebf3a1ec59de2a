/**
 * The chain: calls on the left, strikes in the middle, puts on the right. React renders it once per expiry; the painter
 * updates the numbers. Another expiry keeps the table and the rows of the strikes it shares: new ones cost their layout
 * and paint twice over (TERM-6).
 */

import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { later } from '../../kit/later.tsx';
import { useIsNarrow, useWidth } from '../../kit/use-size.ts';
import { venueNowMs } from '../../market/clock.ts';
import { agoText } from '../../market/last-reached.ts';
import type { Column, Leg } from '../../market/market.ts';
import { settlesNear } from '../../market/settles-near.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useCentre, useShape } from '../../terminal/use-market.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import { ChainActs } from './ChainActs.tsx';
import { ChainHead } from './ChainHead.tsx';
import { useChainMenu } from './ChainMenu.tsx';
import {
  type ChainPlace,
  type ChainPlaces,
  type ChainSides,
  chainPlaces,
  needsGreeks,
} from './chain-columns.ts';
import { neighbourOf, setTabStop, tabStopOf } from './chain-keys.ts';
import { holdPrice } from './hold-price.ts';
import { centreOnMoney, MoneyLine } from './money-line.ts';
import { NothingListed } from './NothingListed.tsx';
import { OwnCell } from './OwnCell.tsx';
import { type ChainRows, type ShownRow, useChainRows } from './use-chain-rows.ts';
import { useInterestBars } from './use-interest-bars.ts';
import './ChainTable.css';
import styles from './Chain.module.css';

/** Below this width only one side fits: as a list, with a switch. */
const BOTH_SIDES_PX = 580;

export function Chain(): ReactNode {
  const [half, setHalf] = useState<'call' | 'put'>('call');
  const frame = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow(frame, BOTH_SIDES_PX);
  const unlisted = useUnlisted();
  const sides: ChainSides = isNarrow ? half : 'both';
  const places = usePlaces(frame);
  return (
    <div className="chain-frame" ref={frame} data-sides={sides}>
      {isNarrow && (
        <div className={styles.bar}>
          <HalfSwitch half={half} onChoose={setHalf} />
          <ChainActs />
        </div>
      )}
      {!isNarrow && <SidesHead />}
      {unlisted === null ? <ChainTable sides={sides} places={places} /> : <NothingListed symbol={unlisted} />}
      <OldPrices />
      <Greeks />
    </div>
  );
}

const ROOM_STEP_PX = 10;

/** The columns that the person has chosen, as far as there is room. */
function usePlaces(frame: RefObject<HTMLElement | null>): ChainPlaces {
  const { stores } = useTerminal();
  const chosen = useStore(stores.columns, (columns) => columns.chain);
  const widthPx = useWidth(frame, ROOM_STEP_PX);
  return useMemo(() => chainPlaces(chosen, chosen === null ? null : widthPx), [chosen, widthPx]);
}

const ChainGreeks = later(async () => (await import('./late.ts')).ChainGreeks);

/** Followed while a column needs them. */
function Greeks(): ReactNode {
  const { stores } = useTerminal();
  const areWanted = useStore(stores.columns, ({ chain }) => needsGreeks(chain));
  if (!areWanted) return null;
  return (
    <Suspense fallback={null}>
      <ChainGreeks />
    </Suspense>
  );
}

/** Labels the halves for the eye: for screen readers every column heading names its side. */
function SidesHead(): ReactNode {
  return (
    <p className={styles.sides} aria-hidden="true">
      <span>Calls</span>
      <span>Puts</span>
    </p>
  );
}

/** Above the rows rather than among them, so that none of them moves. */
function OldPrices(): ReactNode {
  const { stores } = useTerminal();
  const state = useStore(stores.link, (link) => link.state);
  if (state !== 'stale' && state !== 'offline') return null;
  return (
    <p className={styles.oldPrices}>
      {state === 'offline' ? (
        <Offline />
      ) : (
        'These prices are stale. Market orders wait until prices are fresh.'
      )}
    </p>
  );
}

/** How old the prices are; of a page that has none yet, when the venue was last reached. */
function Offline(): ReactNode {
  const { stores, asOf } = useTerminal();
  const reachedMs = useStore(stores.link, (link) => link.lastReachedMs);
  // Said again as it gets older.
  useVenueNow();
  if (asOf.chainMs !== 0) {
    const ago = agoText(performance.now() - asOf.chainMs);
    return `The venue is not responding. Prices are from ${ago}. Market orders wait until prices are fresh.`;
  }
  const reached = reachedMs === null ? '' : ` It was last reached ${agoText(Date.now() - reachedMs)}.`;
  return `The venue is not responding.${reached} No prices are kept: they come when it answers.`;
}

interface HalfSwitchProps {
  readonly half: 'call' | 'put';
  readonly onChoose: (half: 'call' | 'put') => void;
}

function HalfSwitch({ half, onChoose }: HalfSwitchProps): ReactNode {
  return (
    <fieldset className={styles.halfSwitch}>
      <legend className="visually-hidden">Side of the chain</legend>
      {(['call', 'put'] as const).map((one) => (
        <button key={one} type="button" aria-pressed={one === half} onClick={() => onChoose(one)}>
          {one === 'call' ? 'Calls' : 'Puts'}
        </button>
      ))}
    </fieldset>
  );
}

/** The underlying, if it has no contracts. */
function useUnlisted(): string | null {
  const { stores } = useTerminal();
  return useStore(stores.listing, ({ symbol, readSymbol, expiryTs }) =>
    expiryTs === null && symbol === readSymbol ? symbol : null,
  );
}

interface ChainTableProps {
  readonly sides: ChainSides;
  readonly places: ChainPlaces;
}

function ChainTable({ sides, places }: ChainTableProps): ReactNode {
  const { stores, painter } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const shape = useShape();
  const isLoading = shape === null;
  const table = useRef<HTMLTableElement>(null);
  const shown = useChainRows();
  const [onContextMenu, menu] = useChainMenu();
  useLayoutEffect(() => painter.reset(shape?.legs.length ?? 0), [shape, painter]);
  useMoneyLine(table, { rows: shown.rows, isLoading });
  useInterestBars(table, shown.rows.length > 0 ? shown.rows : null);
  useTabStop(table, shown.rows, sides);
  return (
    <div
      className="chain-scroll"
      data-testid={isLoading ? 'chain-loading' : 'chain'}
      aria-busy={isLoading}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys also while no price can be
      tabIndex={0}
    >
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose prices can be pressed is a grid
        role="grid"
        className={isLoading ? 'chain skeleton' : 'chain'}
        data-sides={sides}
        data-columns={places.isChosen ? 'chosen' : 'usual'}
        aria-label={`${symbol === null ? 'Option' : `${symbol} option`} chain${sides === 'both' ? '' : `, ${sides}s`}`}
        aria-rowcount={shown.count + 1}
        onKeyDown={moveByKeys}
        onFocus={followFocus}
        onContextMenu={onContextMenu}
      >
        <ChainHead sides={sides} places={places} />
        <tbody>
          {shown.rows.map((row, i) => (
            <ChainRow key={row.strike ?? `unknown ${i}`} row={row} sides={sides} places={places} />
          ))}
        </tbody>
      </table>
      {menu}
      <Chips table={table} sides={sides} rows={shown.rows} />
      {shown.hidden > 0 && (
        <p className={styles.moreStrikes}>
          <button type="button" onClick={shown.showAll}>
            Show all {shown.count} strikes
          </button>
        </p>
      )}
    </div>
  );
}

const TrayChips = later(async () => (await import('./late.ts')).TrayChips);

/** The legs of the strategy tray, on their strikes. */
function Chips(props: ComponentProps<typeof TrayChips>): ReactNode {
  const { stores } = useTerminal();
  const isShown = useStore(stores.tray, ({ isOpen, legs }) => isOpen && legs.length > 0);
  return (
    isShown && (
      <Suspense fallback={null}>
        <TrayChips {...props} />
      </Suspense>
    )
  );
}

interface ChainRowProps extends ChainTableProps {
  readonly row: ShownRow;
}

const ChainRow = memo(function ChainRow({ row, sides, places }: ChainRowProps): ReactNode {
  const { format } = useTerminal();
  const strike = (
    <th scope="row" className="strike">
      {row.strike === null ? '–' : format.strike(row.strike)}
    </th>
  );
  return (
    <tr data-strike={row.strike ?? undefined}>
      {sides === 'both' && cellsOf(row.call, 'call', places.call)}
      {strike}
      {sides === 'both' && cellsOf(row.put, 'put', places.put)}
      {sides !== 'both' && cellsOf(sides === 'call' ? row.call : row.put, sides, places.list)}
    </tr>
  );
});

function cellsOf(leg: Leg | null, side: 'call' | 'put', places: readonly ChainPlace[]): ReactNode {
  return places.map((place) =>
    place === 'own' ? (
      <OwnCell key={`${side} own`} leg={leg} />
    ) : (
      <ChainCell key={`${side} ${place}`} leg={leg} column={place} side={side} />
    ),
  );
}

interface CellProps {
  readonly leg: Leg | null;
  readonly column: Column;
  readonly side: 'call' | 'put';
}

/** A price acts as a button: one press puts it into the ticket. */
function ChainCell({ leg, column, side }: CellProps): ReactNode {
  const { painter, actions } = useTerminal();
  const cell = useRef<HTMLTableCellElement>(null);
  useEffect(() => {
    if (leg === null) return undefined;
    painter.attach(leg.index, column, cell.current!);
    return () => painter.detach(leg.index, column);
  }, [painter, leg, column]);
  const takes = column === 'ask' ? 'buy' : column === 'bid' ? 'sell' : null;
  // With Shift it becomes a leg of the strategy tray.
  const pick =
    leg === null || takes === null
      ? undefined
      : ({ shiftKey }: { readonly shiftKey: boolean }) =>
          shiftKey ? actions.addLeg(leg, takes) : actions.pickPrice(leg, takes);
  return (
    <td
      ref={cell}
      className={`${side} ${column}`}
      // Also while it has no price: a person who is on it stays there until the next expiry's comes.
      tabIndex={takes === null ? undefined : -1}
      data-pick={pick === undefined ? undefined : (takes ?? undefined)}
      title={pick === undefined ? undefined : `Press to ${takes} at this price`}
      onClick={pick}
      onPointerDown={pick && holdPrice}
      onKeyDown={pick && ((event) => pressOn(event, pick))}
    />
  );
}

function pressOn(event: KeyboardEvent, pick: (event: KeyboardEvent) => void): void {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  // With Ctrl, Enter sends what stands beside the chain, and never opens anything.
  if (!event.ctrlKey && !event.metaKey) pick(event);
}

function moveByKeys(event: KeyboardEvent<HTMLTableElement>): void {
  if (event.altKey || event.metaKey) return;
  const from = (event.target as HTMLElement).closest<HTMLElement>('[data-pick]');
  const to = from === null ? null : neighbourOf(from, event.key, event.ctrlKey);
  if (to === null) return;
  event.preventDefault();
  to.focus();
}

function followFocus({ currentTarget, target }: FocusEvent<HTMLTableElement>): void {
  const price = target.closest<HTMLElement>('[data-pick]');
  if (price !== null) setTabStop(currentTarget, price);
}

/**
 * Moves the money line with the spot, and scrolls to it when the centre changes; bypasses React, as it follows every
 * tick.
 */
function useMoneyLine(
  table: RefObject<HTMLTableElement | null>,
  { rows, isLoading }: Pick<ChainRows, 'rows'> & { readonly isLoading: boolean },
): void {
  const { market, histories, stores } = useTerminal();
  const centre = useCentre();
  const drawn = rows.length > 0 ? rows : null;
  useLayoutEffect(() => {
    const body = table.current?.tBodies[0];
    if (body === undefined || drawn === null) return undefined;
    const line = new MoneyLine(body);
    const show = () => {
      const { shape, spot } = market;
      const near = shape && settlesNear(histories, { ...shape, nowMs: venueNowMs(stores.link) });
      line.show(spot, near?.price);
    };
    show();
    return market.subscribe({ numbered: show });
  }, [market, histories, stores, table, drawn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another centre is the reason to scroll
  useLayoutEffect(() => {
    if (table.current !== null && !isLoading) centreOnMoney(table.current);
  }, [table, centre, isLoading]);
}

/** Keeps one price reachable by the Tab key: another side's cells replace those that had the stop. */
function useTabStop(
  table: RefObject<HTMLTableElement | null>,
  rows: ChainRows['rows'],
  sides: ChainSides,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: both replace cells
  useLayoutEffect(() => {
    if (table.current !== null) tabStopOf(table.current);
  }, [table, rows, sides]);
}
