/** The rendered rows of a long table (TERM-6): those in sight, and some on either side. */

import { type RefObject, useLayoutEffect, useState } from 'react';

/** Up to this many rows, all are rendered. */
const FEW = 60;
/** Rows rendered above and below those in sight; the window moves in steps of this size. */
const SPARE = 10;
/** Rows in the first render, which measures their height. */
const FIRST = 30;

export interface RowWindow {
  readonly from: number;
  readonly to: number;
  /** Height of a row in px; 0 until one has been measured. */
  readonly rowPx: number;
}

/** Follows the table's scroll container. */
export function useRowWindow(table: RefObject<HTMLTableElement | null>, count: number): RowWindow {
  const [seen, setSeen] = useState<RowWindow>({ from: 0, to: FIRST, rowPx: 0 });
  const isLong = count > FEW;
  useLayoutEffect(() => {
    if (!isLong || table.current === null) return undefined;
    const place = scrollerOf(table.current);
    const look = () => {
      const next = windowOf(table.current!, place);
      setSeen((known) => (isSame(known, next) ? known : next));
    };
    look();
    place.addEventListener('scroll', look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(place);
    sizes.observe(table.current);
    return () => {
      place.removeEventListener('scroll', look);
      sizes.disconnect();
    };
  }, [table, isLong]);
  if (!isLong) return { from: 0, to: count, rowPx: 0 };
  const to = Math.min(count, seen.to);
  return { from: Math.min(seen.from, Math.max(0, to - FIRST)), to, rowPx: seen.rowPx };
}

function windowOf(table: HTMLTableElement, place: Element): RowWindow {
  const rowPx = table.querySelector('tbody:not(.gap) tr')?.getBoundingClientRect().height ?? 0;
  if (rowPx === 0) return { from: 0, to: FIRST, rowPx };
  const above = place.getBoundingClientRect().top - table.tBodies[0]!.getBoundingClientRect().top;
  const first = Math.floor(Math.max(0, above) / rowPx);
  const inSight = Math.ceil(place.clientHeight / rowPx);
  const from = Math.max(0, Math.floor(first / SPARE) * SPARE - SPARE);
  return { from, to: Math.ceil((first + inSight) / SPARE) * SPARE + SPARE, rowPx };
}

function isSame(one: RowWindow, other: RowWindow): boolean {
  return one.from === other.from && one.to === other.to && one.rowPx === other.rowPx;
}

function scrollerOf(element: Element): Element {
  for (let one = element.parentElement; one !== null; one = one.parentElement)
    if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  return document.documentElement;
}
