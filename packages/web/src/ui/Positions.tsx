/** Positions: each with its profit or loss and greeks, totals by expiry, and buttons to close and roll. */

import type { Position } from '@venue/protocol';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import {
  type BookOrder,
  type BookRow,
  bookRows,
  type Sort,
  type TotalRow,
  withLegs,
  worthOf,
} from '../core/account/book-rows.ts';
import type { Grouping, PositionChoice } from '../core/columns.ts';
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
import { canRoll, isCombo } from '../core/tray/is-combo.ts';
import { later } from '../kit/later.tsx';
import { type RowColumn, Rows } from '../kit/Rows.tsx';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { pnlClass, sideClass } from '../kit/tones.ts';
import { useGreeks } from '../kit/use-tickers.ts';
import { PositionActs } from './PositionActs.tsx';
import { PositionName } from './PositionName.tsx';
import { PositionTools } from './PositionTools.tsx';
import { POSITION_NAMES, USUAL_POSITIONS } from './position-columns.ts';
import { usePositions } from './use-positions.ts';
import { type StageOf, useStage } from './use-stage.ts';
import { useStrategies } from './use-strategies.ts';

const CloseAll = later(async () => (await import('./panels.ts')).CloseAll);

const FIRST_ORDER: Omit<BookOrder, 'grouping'> = { sort: 'contract', isDescending: false, symbol: null };
const USUAL_GROUPING: Grouping = 'strategy';

export function Positions(): ReactNode {
  const { stores } = useTerminal();
  const positions = usePositions();
  const [order, setOrder] = useState(FIRST_ORDER);
  const symbols = useMemo(() => [...new Set(positions.map(({ symbol }) => symbol))].sort(), [positions]);
  const greeksOf = useGreeks(symbols);
  const grouping = useStore(stores.columns, (columns) => columns.grouping) ?? USUAL_GROUPING;
  const strategies = useStrategies(positions, grouping === 'strategy');
  const [opened, toggle] = useOpened();
  const lines = useMemo(() => {
    // An underlying that is no longer held hides nothing.
    const symbol = symbols.includes(order.symbol ?? '') ? order.symbol : null;
    const by = strategies ?? (grouping === 'expiry' ? 'expiry' : 'none');
    return bookRows(positions, greeksOf, { ...order, symbol, grouping: by });
  }, [positions, greeksOf, order, symbols, grouping, strategies]);
  const rows = withLegs(lines, opened);
  const chosen = useStore(stores.columns, (columns) => columns.positions) ?? USUAL_POSITIONS;
  const stageOf = useStage();
  const columns = useColumns(rows, { chosen, opened, toggle });
  if (positions.length === 0) return <p className="muted">No open positions. What you trade appears here.</p>;
  const trading = positions.filter((position) => stageOf(position) === 'trading');
  return (
    <div className="positions">
      <Rows
        label="Positions"
        items={rows}
        keyOf={({ key }) => key}
        kindOf={({ kind }) => kind}
        columns={[...sortable(columns, { order, setOrder }), closeColumn(stageOf)]}
      />
      <PositionTools
        {...{ order, symbols, grouping }}
        onOrder={setOrder}
        onGrouping={(next) => stores.columns.setState({ grouping: next })}
      />
      <LeftOut rows={rows} />
      <RollHint rows={rows} />
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
  readonly order: Omit<BookOrder, 'grouping'>;
  readonly setOrder: (order: Omit<BookOrder, 'grouping'>) => void;
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

function closeColumn(stageOf: StageOf): RowColumn<BookRow> {
  return {
    head: 'Close',
    isAct: true,
    cell: (row) => (row.kind === 'total' ? null : <PositionActs {...{ row, stageOf }} />),
  };
}

/** The strategies whose legs are shown, by key, and what shows or hides those of one. */
function useOpened(): readonly [ReadonlySet<string>, (key: string) => void] {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setOpened(
      (before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]),
    );
  return [opened, toggle];
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

/** Why a strategy has no button to roll it. */
function RollHint({ rows }: { readonly rows: readonly BookRow[] }): ReactNode {
  const isAll = rows.every(
    (row) => row.kind !== 'strategy' || canRoll(row.legs.map(({ position }) => position)),
  );
  if (isAll) return null;
  return (
    <p className="muted marks-hint">
      One order has four legs at most: what has more than two, or two expiries, is rolled leg by leg.
    </p>
  );
}

interface ColumnsOptions {
  readonly chosen: readonly PositionChoice[];
  readonly opened: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
}

/** Both prices of a row are side by side and share their decimals. */
function useColumns(
  rows: readonly BookRow[],
  { chosen, opened, toggle }: ColumnsOptions,
): readonly RowColumn<BookRow>[] {
  const { stores } = useTerminal();
  const instruments = useStore(stores.listing, (listing) => listing.instruments);
  const spotOf = (row: BookRow) => {
    const symbol = row.kind === 'total' ? row.symbol : heldOf(row).symbol;
    return instruments.find((one) => one.symbol === symbol)?.spot ?? Number.NaN;
  };
  const prices = rows.flatMap((row) => (row.kind === 'total' ? [] : [pricedOf(row)]));
  const cents = priceDecimals(prices.flatMap(({ avgPrice, mark }) => [avgPrice, mark]));
  const price = (name: 'avgPrice' | 'mark') => ({
    cell: (row: BookRow) => (row.kind === 'total' ? '' : formatPrice(pricedOf(row)[name], cents)),
  });
  const cells: Readonly<Record<PositionChoice, Omit<RowColumn<BookRow>, 'head'>>> = {
    avgPrice: price('avgPrice'),
    mark: price('mark'),
    value: { cell: (row) => formatPnl(worthOf(row)) },
    unrealized: pnlColumn('unrealized'),
    realized: pnlColumn('realized'),
    delta: { cell: ({ greeks }) => formatGreek(greeks.delta) },
    gamma: { cell: (row) => formatGamma(row.greeks.gamma, spotOf(row)) },
    theta: { cell: ({ greeks }) => formatGreek(greeks.theta) },
    vega: { cell: ({ greeks }) => formatGreek(greeks.vega) },
    iv: { cell: (row) => (isOfOneContract(row) ? ivText(row.greeks.iv) : '') },
  };
  return [
    {
      head: 'Contract',
      cell: (row) => <PositionName row={row} isOpen={opened.has(row.key)} toggle={toggle} />,
    },
    {
      head: 'Position',
      cell: (row) => (row.kind === 'total' ? '' : <Size row={row} />),
      className: (row) => (row.kind === 'total' ? undefined : sideClass(pricedOf(row).qty)),
    },
    ...chosen.map((one) => ({ head: POSITION_NAMES[one], ...cells[one] })),
  ];
}

type Line = Exclude<BookRow, TotalRow>;

/** What has a size and a price: a strategy, or a position. */
function pricedOf(row: Line): Pick<Position, 'qty' | 'avgPrice' | 'mark' | 'unrealized' | 'realized'> {
  return row.kind === 'strategy' ? row : row.position;
}

function heldOf(row: Line): Position {
  return row.kind === 'strategy' ? row.legs[0].position : row.position;
}

function isOfOneContract({ kind }: BookRow): boolean {
  return kind === 'position' || kind === 'leg';
}

/** A part says what it is a part of. */
function Size({ row }: { readonly row: Line }): ReactNode {
  const { qty } = pricedOf(row);
  const size = formatPosition(qty);
  const isPart = row.kind !== 'strategy' && row.heldQty !== qty;
  return `${isPart ? `${size} of ${formatPosition(row.heldQty)}` : size} ${sideClass(qty)}`;
}

function pnlColumn(name: 'unrealized' | 'realized'): Omit<RowColumn<BookRow>, 'head'> {
  const figure = (row: BookRow) => (row.kind === 'total' ? row : pricedOf(row))[name];
  return { cell: (row) => formatPnl(figure(row)), className: (row) => pnlClass(figure(row)) };
}

function ivText(iv: number): string {
  return Number.isNaN(iv) ? UNKNOWN : formatIv(iv);
}
