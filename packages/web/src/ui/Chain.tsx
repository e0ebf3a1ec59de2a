/** The chain: calls on the left, strikes in the middle, puts on the right. React draws it once an expiry; numbers are the painter's. */

import { type KeyboardEvent, memo, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import type { Column, Leg, StrikeRow } from '../core/market.ts';
import type { Side } from '../core/stores.ts';
import { OwnCell } from './OwnCell.tsx';
import { useTerminal } from './terminal.ts';
import { useShape, useSpot } from './use-market.ts';

/** Calls from the outside in; puts are mirrored, but a bid always stands left of its ask. */
const CALL_COLUMNS: readonly Column[] = [
  'oi',
  'volume',
  'delta',
  'iv',
  'mark',
  'bidQty',
  'bid',
  'ask',
  'askQty',
];
const PUT_COLUMNS: readonly Column[] = [
  'bidQty',
  'bid',
  'ask',
  'askQty',
  'mark',
  'iv',
  'delta',
  'volume',
  'oi',
];

const LABELS: Readonly<Record<Column, string>> = {
  bid: 'Bid',
  bidQty: 'Size',
  ask: 'Ask',
  askQty: 'Size',
  mark: 'Mark',
  iv: 'IV',
  delta: 'Δ',
  oi: 'OI',
  volume: 'Vol',
};
const TITLES: Readonly<Record<Column, string>> = {
  bid: 'Best bid: what a market sell gets',
  bidQty: 'Contracts at the bid',
  ask: 'Best ask: what a market buy pays',
  askQty: 'Contracts at the ask',
  mark: 'Mark: the middle of the book',
  iv: 'Implied volatility a year, as the market maker sees it',
  delta: 'Change of the option for a change of the underlying by one',
  oi: 'Open interest: contracts that somebody is long of',
  volume: 'Contracts traded since listing',
};

export function Chain(): ReactNode {
  const shape = useShape();
  const table = useRef<HTMLTableElement>(null);
  const { painter } = useTerminal();
  useLayoutEffect(() => {
    if (shape !== null) painter.reset(shape.legs.length);
  }, [shape, painter]);
  useCentring(table, shape?.symbol, shape?.expiryTs);
  if (shape === null) return <ChainSkeleton />;
  return (
    <div className="chain-scroll" data-testid="chain">
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose prices can be pressed is a grid
        role="grid"
        className="chain"
        aria-label={`${shape.symbol} option chain`}
        aria-rowcount={shape.rows.length + 1}
        onKeyDown={moveByKeys}
      >
        <ChainHead />
        <tbody>
          {shape.rows.map((row) => (
            <ChainRow key={row.strike} row={row} />
          ))}
        </tbody>
      </table>
      <AtTheMoney rows={shape.rows} />
    </div>
  );
}

function ChainHead(): ReactNode {
  return (
    <thead>
      <tr>
        <th className="own" scope="col" title="Your position and resting orders">
          Own
        </th>
        {CALL_COLUMNS.map((column) => (
          <th key={`c-${column}`} scope="col" className={`call ${column}`} title={TITLES[column]}>
            {LABELS[column]}
          </th>
        ))}
        <th className="strike" scope="col">
          Strike
        </th>
        {PUT_COLUMNS.map((column) => (
          <th key={`p-${column}`} scope="col" className={`put ${column}`} title={TITLES[column]}>
            {LABELS[column]}
          </th>
        ))}
        <th className="own" scope="col" title="Your position and resting orders">
          Own
        </th>
      </tr>
    </thead>
  );
}

const ChainRow = memo(function ChainRow({ row }: { readonly row: StrikeRow }): ReactNode {
  const { format } = useTerminal();
  return (
    <tr data-strike={row.strike}>
      <OwnCell leg={row.call} />
      {CALL_COLUMNS.map((column) => (
        <ChainCell key={column} leg={row.call} column={column} side="call" />
      ))}
      <th scope="row" className="strike">
        {format.strike(row.strike)}
      </th>
      {PUT_COLUMNS.map((column) => (
        <ChainCell key={column} leg={row.put} column={column} side="put" />
      ))}
      <OwnCell leg={row.put} />
    </tr>
  );
});

interface CellProps {
  readonly leg: Leg | null;
  readonly column: Column;
  readonly side: 'call' | 'put';
}

/** A price is a button in all but name: one press puts it into the ticket. */
function ChainCell({ leg, column, side }: CellProps): ReactNode {
  const { painter, actions } = useTerminal();
  const cell = useRef<HTMLTableCellElement>(null);
  useEffect(() => {
    if (leg === null) return undefined;
    painter.attach(leg.index, column, cell.current);
    return () => painter.attach(leg.index, column, null);
  }, [painter, leg, column]);
  const takes = column === 'ask' ? 'buy' : column === 'bid' ? 'sell' : null;
  const pick = leg === null || takes === null ? undefined : () => actions.pickPrice(leg, takes as Side);
  return (
    <td
      ref={cell}
      className={`${side} ${column}`}
      tabIndex={pick === undefined ? undefined : -1}
      data-pick={takes ?? undefined}
      aria-label={undefined}
      onClick={pick}
      onKeyDown={pick && ((event) => pressOn(event, pick))}
    />
  );
}

function pressOn(event: KeyboardEvent, pick: () => void): void {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  pick();
}

/** Arrows, Home and End go through the cells that can be pressed; the table is one stop of the Tab key. */
function moveByKeys(event: KeyboardEvent<HTMLTableElement>): void {
  const from = (event.target as HTMLElement).closest<HTMLElement>('[data-pick]');
  if (from === null) return;
  const to = neighbour(from, event.key);
  if (to === null) return;
  event.preventDefault();
  from.tabIndex = -1;
  to.tabIndex = 0;
  to.focus();
}

function neighbour(from: HTMLElement, key: string): HTMLElement | null {
  const row = from.closest('tr')!;
  const inRow = [...row.querySelectorAll<HTMLElement>('[data-pick]')];
  const at = inRow.indexOf(from);
  const sameIn = (other: Element | null) => other?.querySelectorAll<HTMLElement>('[data-pick]')[at] ?? null;
  switch (key) {
    case 'ArrowLeft':
      return inRow[at - 1] ?? null;
    case 'ArrowRight':
      return inRow[at + 1] ?? null;
    case 'ArrowUp':
      return sameIn(row.previousElementSibling);
    case 'ArrowDown':
      return sameIn(row.nextElementSibling);
    case 'Home':
      return sameIn(row.parentElement!.firstElementChild);
    case 'End':
      return sameIn(row.parentElement!.lastElementChild);
    default:
      return null;
  }
}

/** Marks the strike nearest to the spot, and shades what is in the money, without drawing the table anew. */
function AtTheMoney({ rows }: { readonly rows: readonly StrikeRow[] }): ReactNode {
  const spot = useSpot();
  const { format } = useTerminal();
  useEffect(() => {
    const nearest = nearestStrike(rows, spot);
    for (const row of document.querySelectorAll<HTMLElement>('.chain tbody tr')) {
      const strike = Number(row.dataset.strike);
      row.dataset.moneyness = Number.isNaN(spot) ? '' : strike < spot ? 'call-in' : 'put-in';
      row.toggleAttribute('data-at-the-money', strike === nearest);
    }
  }, [rows, spot]);
  return (
    <p className="visually-hidden">
      {Number.isNaN(spot) ? 'No fresh price of the underlying' : `The underlying is at ${format.price(spot)}`}
    </p>
  );
}

function nearestStrike(rows: readonly StrikeRow[], spot: number): number | null {
  if (Number.isNaN(spot)) return null;
  let nearest: number | null = null;
  for (const { strike } of rows)
    if (nearest === null || Math.abs(strike - spot) < Math.abs(nearest - spot)) nearest = strike;
  return nearest;
}

/** Once for each expiry the money is in the middle; after that the person scrolls. */
function useCentring(
  table: { readonly current: HTMLTableElement | null },
  symbol: string | undefined,
  expiryTs: number | undefined,
): void {
  const spot = useSpot();
  const centred = useRef('');
  useEffect(() => {
    const key = `${symbol} ${expiryTs}`;
    if (table.current === null || Number.isNaN(spot) || centred.current === key) return;
    const row = table.current.querySelector<HTMLElement>('tr[data-at-the-money]');
    if (row === null) return;
    centred.current = key;
    row.scrollIntoView({ block: 'center' });
    const first = row.querySelector<HTMLElement>('[data-pick]');
    if (first !== null) first.tabIndex = 0;
  }, [table, symbol, expiryTs, spot]);
}

/** The place of the chain while it is on its way. */
function ChainSkeleton(): ReactNode {
  const rows = Array.from({ length: 20 }, (_, i) => i);
  return (
    <div className="chain-scroll" aria-busy="true" data-testid="chain-loading">
      <table className="chain skeleton">
        <ChainHead />
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {Array.from({ length: 21 }, (_, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: all alike, and none ever moves
                <td key={i} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
