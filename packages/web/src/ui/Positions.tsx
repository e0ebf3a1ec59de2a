/** What is held: each position with its profit or loss, and the way out of it. */

import type { Position } from '@venue/protocol';
import type { ReactNode } from 'react';
import { formatPnl, formatPosition, formatPrice } from '../core/numbers.ts';
import { type RowColumn, Rows } from './Rows.tsx';
import { seriesLabel } from './series-label.ts';
import { useStore, useTerminal } from './terminal.ts';

export function Positions(): ReactNode {
  const { stores, actions } = useTerminal();
  const positions = useStore(stores.holdings, (state) => state.positions);
  const closeColumn: RowColumn<Position> = {
    head: 'Close',
    isAct: true,
    cell: (position) => (
      <button
        type="button"
        aria-label={`Close ${seriesLabel(position.seriesId)}`}
        onClick={() => actions.closePosition(position.seriesId)}
      >
        Close…
      </button>
    ),
  };
  if (positions.size === 0) return <p className="muted">No positions. What you buy or sell stands here.</p>;
  return (
    <Rows
      label="Positions"
      items={[...positions.values()]}
      keyOf={({ seriesId }) => seriesId}
      columns={[...COLUMNS, closeColumn]}
    />
  );
}

const COLUMNS: readonly RowColumn<Position>[] = [
  { head: 'Contract', cell: ({ seriesId }) => seriesLabel(seriesId) },
  {
    head: 'Position',
    cell: ({ qty }) => `${formatPosition(qty)} ${qty > 0 ? 'long' : 'short'}`,
    className: ({ qty }) => (qty > 0 ? 'long' : 'short'),
  },
  { head: 'Average', cell: ({ avgPrice }) => formatPrice(avgPrice) },
  { head: 'Mark', cell: ({ mark }) => formatPrice(mark) },
  { head: 'Value', cell: ({ qty, mark }) => formatPnl(qty * mark) },
  {
    head: 'Unrealised',
    cell: ({ unrealized }) => formatPnl(unrealized),
    className: ({ unrealized }) => pnlClass(unrealized),
  },
  {
    head: 'Realised',
    cell: ({ realized }) => formatPnl(realized),
    className: ({ realized }) => pnlClass(realized),
  },
];

/** The sign says it too; the colour only helps. */
export function pnlClass(usd: number): string {
  return usd < 0 ? 'loss' : 'gain';
}
