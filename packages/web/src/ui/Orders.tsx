/** What rests in the book: each order with its end, and the ends of several, which light up before they are pressed. */

import type { OpenOrder } from '@venue/protocol';
import { type ReactNode, useState } from 'react';
import { formatPrice, formatSize } from '../core/numbers.ts';
import { type RowColumn, Rows } from './Rows.tsx';
import { seriesLabel } from './series-label.ts';
import { useStore, useTerminal } from './terminal.ts';
import { momentLabel } from './time-label.ts';

/** Which orders a button is about to end: of one underlying, or all. */
type Aim = { readonly symbol: string | null } | null;

export function Orders(): ReactNode {
  const { stores, actions } = useTerminal();
  const account = useStore(stores.holdings, (state) => state.account);
  const [aim, setAim] = useState<Aim>(null);
  const orders = account?.openOrders ?? [];
  if (account === null || orders.length === 0) {
    return <p className="muted">No resting orders. A limit that nobody meets waits here.</p>;
  }
  const symbols = [...new Set(orders.map(({ symbol }) => symbol))];
  const cancelColumn: RowColumn<OpenOrder> = {
    head: 'Cancel',
    isAct: true,
    cell: ({ id, seriesId }) => (
      <button
        type="button"
        aria-label={`Cancel order ${id}, ${seriesLabel(seriesId)}`}
        title="Cancel this order"
        onClick={() => actions.cancelOrder(id)}
      >
        ✕
      </button>
    ),
  };
  return (
    <>
      <p className="acts">
        {symbols.map((symbol) => (
          <CancelButton
            key={symbol}
            text={`Cancel all ${orders.filter((order) => order.symbol === symbol).length} ${symbol} orders`}
            onAim={(isAimed) => setAim(isAimed ? { symbol } : null)}
            onPress={() => actions.cancelAll([symbol])}
          />
        ))}
        {symbols.length > 1 && (
          <CancelButton
            text={`Cancel all ${account.openOrderCount} orders`}
            onAim={(isAimed) => setAim(isAimed ? { symbol: null } : null)}
            onPress={() => actions.cancelAll()}
          />
        )}
      </p>
      <Rows
        label="Resting orders"
        items={orders.toReversed()}
        keyOf={({ id }) => id}
        columns={[...COLUMNS, cancelColumn]}
        isLit={({ symbol }) => aim !== null && (aim.symbol ?? symbol) === symbol}
      />
      {account.openOrderCount > orders.length && (
        <p className="muted">
          The newest {orders.length} of {account.openOrderCount} are shown.
        </p>
      )}
    </>
  );
}

interface CancelButtonProps {
  readonly text: string;
  readonly onAim: (isAimed: boolean) => void;
  readonly onPress: () => void;
}

function CancelButton({ text, onAim, onPress }: CancelButtonProps): ReactNode {
  return (
    <button
      type="button"
      onPointerEnter={() => onAim(true)}
      onPointerLeave={() => onAim(false)}
      onFocus={() => onAim(true)}
      onBlur={() => onAim(false)}
      onClick={() => {
        onAim(false);
        onPress();
      }}
    >
      {text}
    </button>
  );
}

const COLUMNS: readonly RowColumn<OpenOrder>[] = [
  { head: 'Contract', cell: ({ seriesId }) => seriesLabel(seriesId) },
  {
    head: 'Side',
    cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell'),
    className: ({ side }) => (side === 'buy' ? 'long' : 'short'),
  },
  { head: 'Limit', cell: ({ price }) => formatPrice(price) },
  { head: 'Waiting', cell: ({ remaining }) => formatSize(remaining) },
  { head: 'Of', cell: ({ qty }) => formatSize(qty) },
  { head: 'Since', cell: ({ ts }) => momentLabel(ts) },
];
