/** Positions: by strategy, by expiry or one by one, with their totals, and buttons to close and roll. */

import type { Position } from '@venue/protocol';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { Info } from '../../kit/Info.tsx';
import { later } from '../../kit/later.tsx';
import { POSITION_NAMES, USUAL_POSITIONS } from '../../kit/position-columns.ts';
import { type RowColumn, Rows } from '../../kit/Rows.tsx';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useGreeks } from '../../terminal/use-greeks.ts';
import { usePositions } from '../../terminal/use-positions.ts';
import type { Grouping } from '../../view/columns.ts';
import { showPanel } from '../../view/show-panel.ts';
import { canRoll, isCombo } from '../order/core/tray/is-combo.ts';
import { type BookOrder, type BookRow, bookRows, type Sort, withLegs } from './core/book-rows.ts';
import { shownFigures } from './core/shown-figures.ts';
import { PositionActs } from './PositionActs.tsx';
import styles from './Positions.module.css';
import { PositionTools } from './PositionTools.tsx';
import { usePositionColumns } from './use-position-columns.tsx';
import { type StageOf, useStage } from './use-stage.ts';
import { useStrategies } from './use-strategies.ts';

const CloseAll = later(async () => (await import('./late.ts')).CloseAll);

const FIRST_ORDER: Omit<BookOrder, 'grouping'> = { sort: 'contract', isDescending: false, symbol: null };
const USUAL_GROUPING: Grouping = 'strategy';

export function Positions(): ReactNode {
  const { stores } = useTerminal();
  const positions = usePositions();
  const [order, setOrder] = useState(FIRST_ORDER);
  const symbols = useMemo(() => [...new Set(positions.map(({ symbol }) => symbol))].sort(), [positions]);
  const marks = useMemo(() => new Map(positions.map(({ seriesId, mark }) => [seriesId, mark])), [positions]);
  const greeksOf = useGreeks(marks);
  const grouping = useStore(stores.columns, (columns) => columns.grouping) ?? USUAL_GROUPING;
  const strategies = useStrategies(positions, grouping === 'strategy');
  const [opened, toggle] = useOpened();
  const lines = useMemo(() => {
    // An underlying that is no longer held hides nothing.
    const symbol = symbols.includes(order.symbol ?? '') ? order.symbol : null;
    if (strategies === 'reading') return [];
    const by = strategies ?? (grouping === 'expiry' ? 'expiry' : 'none');
    return bookRows(positions, greeksOf, { ...order, symbol, grouping: by });
  }, [positions, greeksOf, order, symbols, grouping, strategies]);
  const rows = withLegs(lines, opened);
  const shown = useMemo(() => shownFigures(lines), [lines]);
  const chosen = useStore(stores.columns, (columns) => columns.positions) ?? USUAL_POSITIONS;
  const stageOf = useStage();
  const columns = usePositionColumns(rows, { shown, chosen, opened, toggle });
  if (positions.length === 0) return <p className="muted">No open positions. What you trade appears here.</p>;
  if (strategies === 'reading') return <p className="muted">Reading what you traded…</p>;
  const trading = positions.filter((position) => stageOf(position) === 'trading');
  return (
    <div className={styles.positions}>
      <PositionTools
        {...{ order, symbols, grouping }}
        onOrder={setOrder}
        onGrouping={(next) => stores.columns.setState({ grouping: next })}
      />
      <Rows
        label="Positions"
        items={rows}
        keyOf={({ key }) => key}
        kindOf={({ kind }) => kind}
        columns={[...sortable(columns, { order, setOrder }), closeColumn(stageOf)]}
      />
      <LeftOut rows={rows} />
      <RollHint rows={rows} />
      <div className={`acts muted ${styles.marksHint}`}>
        <CloseTogether positions={trading} />
        {trading.length > 1 && (
          <Suspense fallback={null}>
            <CloseAll positions={trading} />
          </Suspense>
        )}
        Marks and greeks
        <Info about="marks and greeks">
          Marks are the venue’s, and value your account. Greeks here are worked out from them; those of the
          chain are the market maker’s.{' '}
          <button type="button" className="term" onClick={() => showPanel(stores, 'Account')}>
            How they come about
          </button>
        </Info>
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

/** The amounts that the totals leave out. */
function LeftOut({ rows }: { readonly rows: readonly BookRow[] }): ReactNode {
  const total = rows.at(-1);
  if (total?.kind !== 'total' || total.unmarked + total.unmodelled === 0) return null;
  const { unmarked, unmodelled, count } = total;
  const parts = [
    ...(unmarked > 0 ? [`values ${unmarked} of ${count} without a mark`] : []),
    ...(unmodelled > 0 ? [`greeks ${unmodelled} of ${count} without a volatility`] : []),
  ];
  return <p className={`muted ${styles.marksHint}`}>Totals leave out of {parts.join(', and of ')}.</p>;
}

/** Why a strategy has no button to roll it. */
function RollHint({ rows }: { readonly rows: readonly BookRow[] }): ReactNode {
  const isAll = rows.every(
    (row) => row.kind !== 'strategy' || canRoll(row.legs.map(({ position }) => position)),
  );
  if (isAll) return null;
  return (
    <p className={`muted ${styles.marksHint}`}>
      Rolled leg by leg{' '}
      <Info about="rolls">
        One order has four legs at most: what has more than two, or two expiries, is rolled leg by leg.
      </Info>
    </p>
  );
}
