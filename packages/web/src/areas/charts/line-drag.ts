/** Lines across a chart that a pointer drags to another price. */

import { type PointerEvent, useRef } from 'react';
import type { PriceScale } from './drawing.ts';

/** A hand that shakes does not move a line. */
const STILL_PX = 3;
export const TAG_PX = 22;
/** A price at the picture's edge is easily missed by so much. */
const BESIDE_PX = 24;

interface DragStart {
  readonly pointer: number;
  /** The price that was on the line when it was pressed. */
  readonly price: number;
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
export function useLineDrag(line: DraggedLine) {
  const drag = useRef<LineDrag | null>(null);
  drag.current ??= new LineDrag();
  const { current } = drag;
  return {
    stop: () => current.stop(),
    onPointerDown({ currentTarget, pointerId, clientY, button }: PointerEvent<HTMLElement>) {
      if (button === 0 && current.down(line, pointerId, clientY)) currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove: ({ pointerId, clientY }: PointerEvent) => current.move(line, pointerId, clientY),
    onPointerUp: ({ clientY }: PointerEvent) => current.up(line, clientY),
    onPointerCancel: () => current.cancel(line),
  };
}

/** One drag of a line. A pointer that moves by some pixels moves the price by as many pixels of the scale (TERM-12). */
export class LineDrag {
  #from: DragStart | null = null;
  #isMoved = false;

  stop(): void {
    this.#from = null;
    this.#isMoved = false;
  }

  /** True if a drag has begun. A line out of sight is only brought into it: its tag is not where its price is. */
  down({ scale, price, isLocked = false }: DraggedLine, pointer: number, startPx: number): boolean {
    this.stop();
    if (isLocked) return false;
    if (isAway(price, scale)) {
      scale.bring(price);
      return false;
    }
    this.#from = { pointer, price, startPx };
    return true;
  }

  move({ scale, onMove }: DraggedLine, pointer: number, atPx: number): void {
    const from = this.#from;
    if (from === null || from.pointer !== pointer) return;
    const byPx = atPx - from.startPx;
    if (!this.#isMoved && Math.abs(byPx) < STILL_PX) return;
    const next = draggedPrice(from.price, byPx, scale);
    if (next === null || next <= 0) return;
    this.#isMoved = true;
    onMove(next);
  }

  up({ scale, onDrop, onCancel }: DraggedLine, atPx: number): void {
    if (this.#from !== null && this.#isMoved) {
      const { price, startPx } = this.#from;
      const topPx = (scale.topOf(price) ?? 0) + atPx - startPx;
      // What is dropped off the picture was not meant as a price.
      const isBeside = topPx > -BESIDE_PX && topPx < scale.heightPx + BESIDE_PX;
      (isBeside ? onDrop : onCancel)();
    }
    this.stop();
  }

  cancel({ onCancel }: DraggedLine): void {
    if (this.#isMoved) onCancel();
    this.stop();
  }
}

/**
 * The price so many pixels below another, and no further than the picture's edge. Counted from that price and not from
 * the pointer's place, it is right, too, where the scale has changed since the drag began.
 */
function draggedPrice(price: number, byPx: number, scale: PriceScale): number | null {
  const fromPx = scale.topOf(price);
  if (fromPx === null) return null;
  const [least, most] = [Math.min(0, fromPx), Math.max(scale.heightPx - 1, fromPx)];
  return scale.priceAt(Math.min(most, Math.max(least, fromPx + byPx)));
}

function isAway(price: number, scale: PriceScale): boolean {
  const place = scale.topOf(price);
  return place === null || place < 0 || place > scale.heightPx;
}

/** The title of a line's tag: the effect of a press. */
export function pressText(price: number, scale: PriceScale): string {
  return isAway(price, scale)
    ? 'Out of the scale: press it to bring it into sight'
    : 'Drag it, or move it by the arrow keys and press Enter';
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
