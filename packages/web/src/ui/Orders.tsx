/** Resting orders, each with its cancel button, and buttons that cancel several, which highlight them first. */

import type { OpenOrder } from '@venue/protocol';
import { type ReactNode, useState } from 'react';
import { formatPrice, formatSize, priceDecimals, sizeDecimals } from '../core/numbers.ts';
import { type RowColumn, Rows } from '../kit/Rows.tsx';
import { seriesLabel } from '../kit/series-label.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { momentLabel } from '../kit/time-label.ts';

/** The orders a button is about to cancel: of one underlying, or all. */
type Aim = { readonly symbol: string | null } | null;

export function Orders(): ReactNode {
  const { stores, actions } = useTerminal();
  const account = useStore(stores.holdings, (state) => state.account);
  const [aim, setAim] = useState<Aim>(null);
  const orders = account?.openOrders ?? [];
  if (account === null || orders.length === 0) {
    return <p className="muted">No open orders. Unfilled limit orders appear here.</p>;
  }
  const isAll = account.openOrderCount === orders.length;
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
            text={cancelText(isAll ? orders.filter((order) => order.symbol === symbol).length : null, symbol)}
            onAim={(isAimed) => setAim(isAimed ? { symbol } : null)}
            onPress={() => actions.cancelAll([symbol])}
          />
        ))}
        {symbols.length > 1 && (
          <CancelButton
            text={cancelText(account.openOrderCount)}
            onAim={(isAimed) => setAim(isAimed ? { symbol: null } : null)}
            onPress={() => actions.cancelAll()}
          />
        )}
      </p>
      <Rows
        label="Resting orders"
        items={orders.toReversed()}
        keyOf={({ id }) => id}
        columns={[...columnsOf(orders), cancelColumn]}
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

/** `Cancel 1 BTC order`, `Cancel all 3 orders`; without a number where it is not fully known. */
function cancelText(count: number | null, symbol = ''): string {
  const which = symbol === '' ? '' : ` ${symbol}`;
  if (count === 1) return `Cancel 1${which} order`;
  return `Cancel all${count === null ? '' : ` ${count}`}${which} orders`;
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

/** Columns of numbers with the decimals they need. */
function columnsOf(orders: readonly OpenOrder[]): readonly RowColumn<OpenOrder>[] {
  const decimals = sizeDecimals(orders.flatMap(({ remaining, qty }) => [remaining, qty]));
  const cents = priceDecimals(orders.map(({ price }) => price));
  return [
    { head: 'Contract', cell: ({ seriesId }) => seriesLabel(seriesId) },
    {
      head: 'Side',
      cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell'),
      className: ({ side }) => (side === 'buy' ? 'long' : 'short'),
    },
    { head: 'Limit price', cell: ({ price }) => formatPrice(price, cents) },
    { head: 'Remaining', cell: ({ remaining }) => formatSize(remaining, decimals) },
    { head: 'Quantity', cell: ({ qty }) => formatSize(qty, decimals) },
    { head: 'Placed', cell: ({ ts }) => momentLabel(ts) },
  ];
}
