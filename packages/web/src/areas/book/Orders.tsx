/** Resting orders, each edited or cancelled in its row, and buttons that cancel several, which highlight them first. */

import type { OpenOrder } from '@venue/protocol';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatPrice, formatSize, limitDecimals, sizeDecimals } from '../../basics/numbers.ts';
import { momentLabel } from '../../basics/time-label.ts';
import { NameButton } from '../../kit/NameButton.tsx';
import { EditActs, EditField } from '../../kit/OrderEditor.tsx';
import { type RowColumn, Rows } from '../../kit/Rows.tsx';
import { seriesLabel } from '../../market/series-label.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { type OrderEdits, useOrderEdits } from '../../terminal/use-order-edit.ts';
import { restingWords } from './core/resting-words.ts';
import { Guard } from './Guard.tsx';
import styles from './Orders.module.css';

/** The orders a button is about to cancel: of one underlying, or all. */
type Aim = { readonly symbol: string | null } | null;

export function Orders(): ReactNode {
  const { stores, actions } = useTerminal();
  const account = useStore(stores.holdings, (state) => state.account);
  const isSignedIn = useStore(stores.session, ({ state }) => state === 'ready');
  const [aim, setAim] = useState<Aim>(null);
  const orders = account?.openOrders ?? [];
  const edits = useOrderEdits(orders);
  if (account === null || orders.length === 0) {
    return (
      <div className={styles.head}>
        <p className="muted">No open orders. Unfilled limit orders appear here.</p>
        {isSignedIn && <Guard />}
      </div>
    );
  }
  const isAll = account.openOrderCount === orders.length;
  const symbols = [...new Set(orders.map(({ symbol }) => symbol))];
  const acts: RowColumn<OpenOrder> = {
    head: 'Edit or cancel',
    isAct: true,
    cell: (order) => <OrderActs order={order} edits={edits} />,
  };
  return (
    <>
      <div className={styles.head}>
        <p className="acts">
          {symbols.map((symbol) => (
            <CancelButton
              key={symbol}
              text={cancelText(
                isAll ? orders.filter((order) => order.symbol === symbol).length : null,
                symbol,
              )}
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
        {isSignedIn && <Guard />}
      </div>
      <Rows
        label="Resting orders"
        items={orders.toReversed()}
        keyOf={({ id }) => id}
        columns={[...columnsOf(orders, edits), acts]}
        isLit={({ symbol }) => aim !== null && (aim.symbol ?? symbol) === symbol}
        detailOf={(order) => {
          const editing = edits.of(order);
          return editing && <EditActs editing={editing} />;
        }}
      />
      {account.openOrderCount > orders.length && (
        <p className="muted">
          The newest {orders.length} of {account.openOrderCount} are shown.
        </p>
      )}
    </>
  );
}

interface OrderActsProps {
  readonly order: OpenOrder;
  readonly edits: OrderEdits;
}

/** The focus comes back to the row's button when its edit ends. */
function OrderActs({ order, edits }: OrderActsProps): ReactNode {
  const { actions } = useTerminal();
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  const editing = edits.of(order);
  const isEdited = editing !== null;
  useEffect(() => {
    if (wasEdited.current && !isEdited) editButton.current?.focus({ preventScroll: true });
    wasEdited.current = isEdited;
  }, [isEdited]);
  const name = `order ${order.id}, ${seriesLabel(order.seriesId)}`;
  return (
    <>
      <button
        ref={editButton}
        type="button"
        aria-label={`Edit ${name}`}
        aria-expanded={isEdited}
        disabled={editing?.isSending}
        onClick={() => (isEdited ? editing.end() : edits.begin(order))}
      >
        Edit
      </button>{' '}
      <button
        type="button"
        aria-label={`Cancel ${name}`}
        title="Cancel this order"
        onClick={() => actions.cancelOrder(order.id)}
      >
        ✕
      </button>
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
function columnsOf(orders: readonly OpenOrder[], edits: OrderEdits): readonly RowColumn<OpenOrder>[] {
  const decimals = sizeDecimals(orders.flatMap(({ remaining, qty }) => [remaining, qty]));
  const cents = limitDecimals(orders.map(({ price }) => price));
  const orField = (name: 'qty' | 'price', text: (order: OpenOrder) => string) => (order: OpenOrder) => {
    const editing = edits.of(order);
    return editing === null ? text(order) : <EditField editing={editing} name={name} was={text(order)} />;
  };
  return [
    { head: 'Contract', cell: ({ seriesId }) => <NameButton name={seriesId} /> },
    {
      head: 'Side',
      cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell'),
      className: ({ side }) => (side === 'buy' ? 'long' : 'short'),
    },
    { head: 'Limit price', cell: orField('price', ({ price }) => formatPrice(price, cents)) },
    { head: 'Remaining', cell: ({ remaining }) => formatSize(remaining, decimals) },
    { head: 'Quantity', cell: orField('qty', ({ qty }) => formatSize(qty, decimals)) },
    { head: 'Terms', cell: (order) => restingWords(order, momentLabel) },
    { head: 'Placed', cell: ({ ts }) => momentLabel(ts) },
  ];
}
