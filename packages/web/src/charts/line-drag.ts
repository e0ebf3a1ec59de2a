/** Lines across a chart that a pointer drags to another price. */

import { type PointerEvent, useRef } from 'react';
import type { PriceScale } from './TimeChart.tsx';

/** A hand that shakes does not move a line. */
const STILL_PX = 3;
export const TAG_PX = 22;
/** A price at the picture's edge is easily missed by so much. */
const BESIDE_PX = 24;

interface DragStart {
  readonly pointer: number;
  readonly offsetPx: number;
  readonly startPx: number;
}

export interface DraggedLine {
  readonly scale: PriceScale;
  /** The price of the line now. */
  readonly price: number;
  readonly isLocked?: boolean;
  /** Called with each price above zero that the pointer comes to. */
  readonly onMove: (price: number) => void;
  readonly onDrop: () => void;
  readonly onCancel: () => void;
}

/** Pointer handlers of a line's tag, and `stop`, which ends a drag where it is. */
export function useLineDrag({ scale, price, isLocked = false, onMove, onDrop, onCancel }: DraggedLine) {
  const from = useRef<DragStart | null>(null);
  const isMoved = useRef(false);
  const stop = () => {
    from.current = null;
    isMoved.current = false;
  };
  return {
    stop,
    onPointerDown({ currentTarget, pointerId, clientY, button }: PointerEvent<HTMLElement>) {
      if (button !== 0 || isLocked) return;
      currentTarget.setPointerCapture(pointerId);
      from.current = { pointer: pointerId, offsetPx: topOf(price, scale) - clientY, startPx: clientY };
      isMoved.current = false;
    },
    onPointerMove({ pointerId, clientY }: PointerEvent) {
      const start = from.current;
      if (start === null || start.pointer !== pointerId) return;
      if (!isMoved.current && Math.abs(clientY - start.startPx) < STILL_PX) return;
      isMoved.current = true;
      const topPx = Math.min(scale.heightPx - 1, Math.max(0, clientY + start.offsetPx));
      const next = scale.priceAt(topPx);
      if (next !== null && next > 0) onMove(next);
    },
    onPointerUp({ clientY }: PointerEvent) {
      const atPx = clientY + (from.current?.offsetPx ?? 0);
      // What is dropped off the picture was not meant as a price.
      const isBeside = atPx > -BESIDE_PX && atPx < scale.heightPx + BESIDE_PX;
      if (isMoved.current) (isBeside ? onDrop : onCancel)();
      stop();
    },
    onPointerCancel() {
      if (isMoved.current) onCancel();
      stop();
    },
  };
}

/** Within the picture: what is above or below it is at its edge. */
export function topOf(price: number, scale: PriceScale): number {
  return Math.min(scale.heightPx - 1, Math.max(0, scale.topOf(price) ?? 0));
}

/** An arrow towards a price out of the picture. */
export function awayText(price: number, scale: PriceScale): string {
  const place = scale.topOf(price) ?? 0;
  return place < 0 ? '↑ ' : place > scale.heightPx ? '↓ ' : '';
}

export interface PlacedLine<T> {
  readonly item: T;
  readonly topPx: number;
  readonly tagPx: number;
}

interface Places<T> {
  readonly priceOf: (item: T) => number;
  readonly scale: PriceScale;
  /** No tag stands above this. */
  readonly fromPx?: number;
}

/** Tags stand one under the other where they would overlap; the lines stay where their prices are. */
export function placedLines<T>(
  items: readonly T[],
  { priceOf, scale, fromPx = 0 }: Places<T>,
): readonly PlacedLine<T>[] {
  let nextPx = fromPx;
  return items
    .map((item) => ({ item, topPx: topOf(priceOf(item), scale) }))
    .sort((a, b) => a.topPx - b.topPx)
    .map(({ item, topPx }) => {
      const tagPx = Math.min(Math.max(topPx - TAG_PX / 2, nextPx), scale.heightPx - TAG_PX);
      nextPx = tagPx + TAG_PX;
      return { item, topPx, tagPx };
    });
}
