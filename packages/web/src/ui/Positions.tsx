/** Positions: each with its profit or loss and greeks, totals by expiry, and buttons to close and roll. */

import type { Position } from '@venue/protocol';
import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import { type BookOrder, type BookRow, bookRows, type Sort } from '../core/account/book-rows.ts';
import { heldStage } from '../core/chain/expiry-stage.ts';
import type { PositionChoice } from '../core/columns.ts';
import { expiryLabel } from '../core/dates.ts';
import {
  formatGamma,
  formatGreek,
  formatIv,
  formatPnl,
  formatPosition,
  formatPrice,
  priceDecimals,
  UNKNOWN,
} from '../core/numbers.ts';
import { showPanel } from '../core/show-panel.ts';
import { isCombo } from '../core/tray/is-combo.ts';
import { ContractButton } from '../kit/ContractButton.tsx';
import { later } from '../kit/later.tsx';
import { type RowColumn, Rows } from '../kit/Rows.tsx';
import { seriesLabel } from '../kit/series-label.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { pnlClass, sideClass } from '../kit/tones.ts';
import { useGreeks } from '../kit/use-greeks.ts';
import { PositionTools } from './PositionTools.tsx';
import { POSITION_NAMES, USUAL_POSITIONS } from './position-columns.ts';
import { useFocusToChain } from './use-focus-to-chain.ts';
import { usePositions } from './use-positions.ts';
import { useVenueNow } from './use-venue-now.ts';

const CloseAll = later(async () => (await import('./panels.ts')).CloseAll);

const FIRST_ORDER: BookOrder = { sort: 'contract', isDescending: false, symbol: null, isGrouped: true };

export function Positions(): ReactNode {
  const { stores } = useTerminal();
  const positions = usePositions();
  const [order, setOrder] = useState(FIRST_ORDER);
  const symbols = useMemo(() => [...new Set(positions.map(({ symbol }) => symbol))].sort(), [positions]);
  const marks = useMemo(() => new Map(positions.map(({ seriesId, mark }) => [seriesId, mark])), [positions]);
  const greeksOf = useGreeks(marks);
  // One that is no longer held hides nothing.
  const symbol = symbols.includes(order.symbol ?? '') ? order.symbol : null;
  const rows = useMemo(
    () => bookRows(positions, greeksOf, { ...order, symbol }),
    [positions, greeksOf, order, symbol],
  );
  const chosen = useStore(stores.columns, (columns) => columns.positions) ?? USUAL_POSITIONS;
  const stageOf = useStage();
  const columns = useColumns(positions, chosen);
  if (positions.length === 0) return <p className="muted">No open positions. What you trade appears here.</p>;
  const trading = positions.filter((position) => stageOf(position) === 'trading');
  return (
    <div className="positions">
      <Rows
        label="Positions"
        items={rows}
        keyOf={(row) => (row.kind === 'position' ? row.position.seriesId : `${row.symbol} ${row.expiryTs}`)}
        kindOf={({ kind }) => kind}
        columns={[...sortable(columns, { order, setOrder }), closeColumn(stageOf)]}
      />
      <PositionTools order={{ ...order, symbol }} symbols={symbols} onOrder={setOrder} />
      <LeftOut rows={rows} />
      <div className="acts muted marks-hint">
        <CloseTogether positions={trading} />
        {trading.length > 1 && (
          <Suspense fallback={null}>
            <CloseAll positions={trading} />
          </Suspense>
        )}
        Marks are the venue’s, and value your account; greeks are worked out from them, those of the chain are
        the market maker’s.
        <button type="button" onClick={() => showPanel(stores, 'Account')}>
          How they come about
        </button>
      </div>
    </div>
  );
}

const SORT_OF: Readonly<Record<string, Sort>> = {
  Contract: 'contract',
  Position: 'size',
  ...Object.fromEntries(
    (['value', 'unrealized', 'delta', 'theta', 'vega'] as const).map((one) => [POSITION_NAMES[one], one]),
  ),
};

interface Ordering {
  readonly order: BookOrder;
  readonly setOrder: (order: BookOrder) => void;
}

/** A press on a heading sorts by it, the largest first; another turns that round. */
function sortable(
  columns: readonly RowColumn<BookRow>[],
  { order, setOrder }: Ordering,
): readonly RowColumn<BookRow>[] {
  return columns.map((column) => {
    const sort = SORT_OF[column.head];
    if (sort === undefined) return column;
    const isChosen = order.sort === sort;
    const onPress = () =>
      setOrder({ ...order, sort, isDescending: isChosen ? !order.isDescending : sort !== 'contract' });
    const now = order.isDescending ? 'descending' : 'ascending';
    return { ...column, sort: { order: isChosen ? now : null, onPress } };
  });
}

type StageOf = (position: Position) => ReturnType<typeof heldStage>;

function useStage(): StageOf {
  const { stores } = useTerminal();
  const inReview = useStore(stores.listing, (listing) => listing.inReview);
  const nowMs = useVenueNow();
  return (position) => heldStage(position, { inReview, nowMs });
}

/** Shown for a contract that can no longer be traded. */
const WAITS = { settling: 'Settling', review: 'In review' } as const;

function closeColumn(stageOf: StageOf): RowColumn<BookRow> {
  return {
    head: 'Close',
    isAct: true,
    cell(row) {
      if (row.kind === 'total') return null;
      const stage = stageOf(row.position);
      return stage === 'trading' ? <PositionButtons position={row.position} /> : WAITS[stage];
    },
  };
}

function PositionButtons({ position }: { readonly position: Position }): ReactNode {
  const { actions } = useTerminal();
  const { seriesId, qty } = position;
  const label = seriesLabel(seriesId);
  const closeButton = useRef<HTMLButtonElement>(null);
  // The ticket gives the focus back to this button, often a moment before the closed position's row goes.
  useFocusToChain(closeButton);
  return (
    <>
      <button
        ref={closeButton}
        type="button"
        aria-label={`Close ${label}`}
        onClick={() => actions.closePosition(seriesId)}
      >
        Close…
      </button>{' '}
      <button
        type="button"
        aria-label={`Roll ${label}`}
        title="To the next expiry with its strike, by one order"
        onClick={() => actions.openTray((tray) => tray.roll({ seriesId, qty }))}
      >
        Roll…
      </button>
    </>
  );
}

/** A button for each underlying whose positions one combo can close. */
function CloseTogether({ positions }: { readonly positions: readonly Position[] }): ReactNode {
  const { actions } = useTerminal();
  return [...Map.groupBy(positions, ({ symbol }) => symbol)].map(([symbol, held]) =>
    isCombo(held) ? (
      <button key={symbol} type="button" onClick={() => actions.openTray((tray) => tray.closeAll(held))}>
        Close {held.length} {symbol} positions as one order…
      </button>
    ) : null,
  );
}

/** What the totals do not count. */
function LeftOut({ rows }: { readonly rows: readonly BookRow[] }): ReactNode {
  const total = rows.at(-1);
  if (total?.kind !== 'total' || total.unmarked + total.unmodelled === 0) return null;
  const { unmarked, unmodelled, count } = total;
  const parts = [
    ...(unmarked > 0 ? [`values ${unmarked} of ${count} without a mark`] : []),
    ...(unmodelled > 0 ? [`greeks ${unmodelled} of ${count} without a volatility`] : []),
  ];
  return <p className="muted marks-hint">Totals leave out of {parts.join(', and of ')}.</p>;
}

/** Both prices of a row are side by side and share their decimals. */
function useColumns(
  positions: readonly Position[],
  chosen: readonly PositionChoice[],
): readonly RowColumn<BookRow>[] {
  const { stores } = useTerminal();
  const instruments = useStore(stores.listing, (listing) => listing.instruments);
  const spotOf = (row: BookRow) => {
    const symbol = row.kind === 'position' ? row.position.symbol : row.symbol;
    return instruments.find((one) => one.symbol === symbol)?.spot ?? Number.NaN;
  };
  const cents = priceDecimals(positions.flatMap(({ avgPrice, mark }) => [avgPrice, mark]));
  const cells: Readonly<Record<PositionChoice, Omit<RowColumn<BookRow>, 'head'>>> = {
    avgPrice: { cell: (row) => (row.kind === 'position' ? formatPrice(row.position.avgPrice, cents) : '') },
    mark: { cell: (row) => (row.kind === 'position' ? formatPrice(row.position.mark, cents) : '') },
    value: { cell: (row) => formatPnl(figure(row, 'value')) },
    unrealized: pnlColumn('unrealized'),
    realized: pnlColumn('realized'),
    delta: { cell: ({ greeks }) => formatGreek(greeks.delta) },
    gamma: { cell: (row) => formatGamma(row.greeks.gamma, spotOf(row)) },
    theta: { cell: ({ greeks }) => formatGreek(greeks.theta) },
    vega: { cell: ({ greeks }) => formatGreek(greeks.vega) },
    iv: { cell: ({ kind, greeks }) => (kind === 'total' ? '' : ivText(greeks.iv)) },
  };
  return [
    { head: 'Contract', cell: (row) => <RowName row={row} /> },
    {
      head: 'Position',
      cell: (row) =>
        row.kind === 'total' ? '' : `${formatPosition(row.position.qty)} ${sideClass(row.position.qty)}`,
      className: (row) => (row.kind === 'total' ? undefined : sideClass(row.position.qty)),
    },
    ...chosen.map((one) => ({ head: POSITION_NAMES[one], ...cells[one] })),
  ];
}

function figure(row: BookRow, name: 'value' | 'unrealized' | 'realized'): number {
  if (row.kind === 'total') return row[name];
  return name === 'value' ? row.position.qty * row.position.mark : row.position[name];
}

function pnlColumn(name: 'unrealized' | 'realized'): Omit<RowColumn<BookRow>, 'head'> {
  return {
    cell: (row) => formatPnl(figure(row, name)),
    className: (row) => pnlClass(figure(row, name)),
  };
}

function ivText(iv: number): string {
  return Number.isNaN(iv) ? UNKNOWN : formatIv(iv);
}

function RowName({ row }: { readonly row: BookRow }): ReactNode {
  if (row.kind === 'position') return <ContractButton seriesId={row.position.seriesId} />;
  const { symbol, expiryTs, count } = row;
  const of = expiryTs === null ? (symbol ?? 'All') : `${symbol} ${expiryLabel(expiryTs, Date.now())}`;
  return `${of}, all ${count}`;
}
