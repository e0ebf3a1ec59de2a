/**
 * Resting orders as lines across the chart of their contract. A line is dragged to another price, or moved by the arrow
 * keys: the same edit as in the order's row (AMD-1). Dropped, it is sent, unless something has to be asked first.
 */

import { microsToDecimal, type OpenOrder } from '@venue/protocol';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { snapped, stepOf, stepped } from '../core/chain/step.ts';
import { formatExact, formatSize, parseAmount } from '../core/numbers.ts';
import { EditActs } from '../kit/OrderEditor.tsx';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { type OrderEditing, type OrderEdits, useOrderEdits } from '../kit/use-order-edit.ts';
import type { PriceScale } from './TimeChart.tsx';

const NONE: readonly OpenOrder[] = [];
/** The newest; more tags would lie over each other. The panel of orders has them all. */
const LINES_MAX = 20;
/** A hand that shakes does not move an order. */
const STILL_PX = 3;
const TAG_PX = 22;

export interface OrderLinesProps {
  readonly seriesId: string;
  readonly scale: PriceScale;
}

export function OrderLines({ seriesId, scale }: OrderLinesProps): ReactNode {
  const orders = useOrders(seriesId);
  const edits = useOrderEdits(orders);
  const lines = orders
    .map((order) => ({ order, topPx: topOf(priceOf(order, edits.of(order)), scale) }))
    .sort((a, b) => a.topPx - b.topPx);
  const inHand = lines.find(({ order }) => edits.of(order) !== null);
  const edited = inHand && edits.of(inHand.order);
  const editedPx = inHand?.topPx ?? 0;
  let nextPx = 0;
  return (
    <div className="order-lines" style={{ height: scale.heightPx, right: scale.axisPx }}>
      {lines.map(({ order, topPx }) => {
        // One under the other where they would overlap; the lines stay where their prices are.
        const tagPx = Math.min(Math.max(topPx - TAG_PX / 2, nextPx), scale.heightPx - TAG_PX);
        nextPx = tagPx + TAG_PX;
        return <OrderLine key={order.id} {...{ order, edits, scale, topPx, tagPx }} />;
      })}
      {edited != null && (
        <div className="order-line-edit" data-at={editedPx > scale.heightPx / 2 ? 'top' : 'bottom'}>
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

/** Within the picture: what is above or below it is at its edge. */
function topOf(price: number, scale: PriceScale): number {
  return Math.min(scale.heightPx - 1, Math.max(0, scale.topOf(price) ?? 0));
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
  const { stop, ...drag } = useDrag({ order, edits, scale });
  const price = priceOf(order, editing);
  const place = scale.topOf(price) ?? 0;
  const away = place < 0 ? '↑ ' : place > scale.heightPx ? '↓ ' : '';
  const side = order.side === 'buy' ? 'Buy' : 'Sell';
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event);
    if (step !== null) {
      const text = stepped('price', editing?.edit.price ?? formatExact(order.price), step);
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
      <div className="order-line" data-side={order.side} style={{ top: topPx }} />
      <div
        className="order-tag"
        data-side={order.side}
        style={{ top: tagPx }}
        role="spinbutton"
        tabIndex={0}
        aria-label={`Limit price of order ${order.id}, ${side.toLowerCase()} ${formatSize(order.remaining)}`}
        aria-valuenow={price}
        aria-valuetext={formatExact(price)}
        title="Drag it, or move it by the arrow keys and press Enter"
        onKeyDown={onKeyDown}
        {...drag}
      >
        {away}
        {side} {formatSize(order.remaining)} <b>{formatExact(price)}</b>
      </div>
    </>
  );
}

/** Pointer handlers that edit the order's price by where the pointer is; a cancelled drag leaves the order as it is. */
function useDrag({ order, edits, scale }: Pick<OrderLineProps, 'order' | 'edits' | 'scale'>) {
  const from = useRef<{
    readonly pointer: number;
    readonly offsetPx: number;
    readonly startPx: number;
  } | null>(null);
  const isMoved = useRef(false);
  const editing = edits.of(order);
  const stop = () => {
    from.current = null;
    isMoved.current = false;
  };
  return {
    stop,
    onPointerDown({ currentTarget, pointerId, clientY, button }: PointerEvent<HTMLElement>) {
      if (button !== 0 || editing?.isSending) return;
      currentTarget.setPointerCapture(pointerId);
      const atPx = topOf(priceOf(order, editing), scale);
      from.current = { pointer: pointerId, offsetPx: atPx - clientY, startPx: clientY };
      isMoved.current = false;
    },
    onPointerMove({ pointerId, clientY }: PointerEvent) {
      const start = from.current;
      if (start === null || start.pointer !== pointerId) return;
      if (!isMoved.current && Math.abs(clientY - start.startPx) < STILL_PX) return;
      isMoved.current = true;
      const topPx = Math.min(scale.heightPx - 1, Math.max(0, clientY + start.offsetPx));
      const price = scale.priceAt(topPx);
      // At once, so that what is dropped is what is seen.
      if (price !== null && price > 0) flushSync(() => edits.begin(order, { price: snapped(price) }));
    },
    onPointerUp() {
      if (isMoved.current) editing?.save();
      stop();
    },
    onPointerCancel() {
      if (isMoved.current) editing?.end();
      stop();
    },
  };
}
