/**
 * Resting orders as lines across the chart of their contract. A line is dragged to another price, or moved by the arrow
 * keys: the same edit as in the order's row (AMD-1). Dropped, it is sent, unless something has to be asked first.
 */

import { microsToDecimal, type OpenOrder } from '@venue/protocol';
import { type KeyboardEvent, type ReactNode, useMemo } from 'react';
import { flushSync } from 'react-dom';
import { formatExact, formatSize, parseAmount, priceFieldText } from '../../basics/numbers.ts';
import { EditActs } from '../../kit/OrderEditor.tsx';
import { snapped, stepOf, stepped } from '../../market/step.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { type OrderEditing, type OrderEdits, useOrderEdits } from '../../terminal/use-order-edit.ts';
import type { PriceScale } from './drawing.ts';
import { awayText, placedLines, pressText, useLineDrag } from './line-drag.ts';
import styles from './OrderLines.module.css';

const NONE: readonly OpenOrder[] = [];
/** The newest; more tags would lie over each other. The panel of orders has them all. */
const LINES_MAX = 20;

export interface OrderLinesProps {
  readonly seriesId: string;
  readonly scale: PriceScale;
}

export function OrderLines({ seriesId, scale }: OrderLinesProps): ReactNode {
  const orders = useOrders(seriesId);
  const edits = useOrderEdits(orders);
  const lines = placedLines(orders, { priceOf: (order) => priceOf(order, edits.of(order)), scale });
  const inHand = lines.find(({ item }) => edits.of(item) !== null);
  const edited = inHand && edits.of(inHand.item);
  const editedPx = inHand?.topPx ?? 0;
  return (
    <div className={styles.lines} style={{ height: scale.heightPx, right: scale.axisPx }}>
      {lines.map(({ item, topPx, tagPx }) => (
        <OrderLine key={item.id} order={item} {...{ edits, scale, topPx, tagPx }} />
      ))}
      {edited != null && (
        <div className={styles.edit} data-at={editedPx > scale.heightPx / 2 ? 'top' : 'bottom'}>
          <EditActs editing={edited} />
        </div>
      )}
    </div>
  );
}

/** The prices of the resting orders, which the chart keeps in sight; the same array until one changes. */
export function useOrderPrices(seriesId: string): readonly number[] {
  const orders = useOrders(seriesId);
  return useMemo(() => orders.map(({ price }) => price), [orders]);
}

function useOrders(seriesId: string): readonly OpenOrder[] {
  const { stores } = useTerminal();
  const all = useStore(stores.holdings, (holdings) => holdings.orders.get(seriesId) ?? NONE);
  return useMemo(() => all.slice(-LINES_MAX), [all]);
}

/** The price that is shown: while it is edited, that of the edit. */
function priceOf(order: OpenOrder, editing: OrderEditing | null): number {
  const typed = editing === null ? null : parseAmount(editing.edit.price);
  return typed?.ok ? microsToDecimal(typed.micros) : order.price;
}

interface OrderLineProps {
  readonly order: OpenOrder;
  readonly edits: OrderEdits;
  readonly scale: PriceScale;
  readonly topPx: number;
  readonly tagPx: number;
}

function OrderLine({ order, edits, scale, topPx, tagPx }: OrderLineProps): ReactNode {
  const editing = edits.of(order);
  const price = priceOf(order, editing);
  const { stop, ...drag } = useLineDrag({
    ...{ scale, price },
    isLocked: editing?.isSending === true,
    // At once, so that what is dropped is what is seen.
    onMove: (next) => flushSync(() => edits.begin(order, { price: snapped(next) })),
    onDrop: () => editing?.drop(),
    onCancel: () => editing?.end(),
  });
  const side = order.side === 'buy' ? 'Buy' : 'Sell';
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step !== null) {
      const text = stepped('price', editing?.edit.price ?? priceFieldText(order.price), step);
      edits.begin(order, { price: text });
    } else if (event.key === 'Enter' && editing !== null) editing.save();
    else if (event.key === 'Escape' && editing !== null) {
      stop();
      editing.end();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <div className={styles.line} data-side={order.side} style={{ top: topPx }} />
      <div
        className={styles.tag}
        data-side={order.side}
        style={{ top: tagPx }}
        role="spinbutton"
        tabIndex={0}
        aria-label={`Limit price of order ${order.id}, ${side.toLowerCase()} ${formatSize(order.remaining)}`}
        aria-valuenow={price}
        aria-valuetext={formatExact(price)}
        title={pressText(price, scale)}
        onKeyDown={onKeyDown}
        {...drag}
      >
        {awayText(price, scale)}
        {side} {formatSize(order.remaining)} <b>{formatExact(price)}</b>
      </div>
    </>
  );
}
