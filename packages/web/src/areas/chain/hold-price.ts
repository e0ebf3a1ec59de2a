/** A price that is held, or pressed with Shift, becomes a leg of the strategy tray instead of filling the ticket. */

import type { PointerEvent } from 'react';

/** A little sooner than phones open menus of their own. */
const HOLD_MS = 450;
/** A finger that moves further scrolls. */
const STILL_PX = 10;

/** Presses a price as with Shift. */
export function pressShifted(price: Element): void {
  price.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
}

/** Waits for a finger or pen to have stayed on a price; a mouse has Shift beside it. */
export function holdPrice({ pointerType, currentTarget: price, clientX, clientY }: PointerEvent): void {
  if (pointerType === 'mouse') return;
  const ends = new AbortController();
  const { signal } = ends;
  const timer = setTimeout(() => {
    ends.abort();
    swallowNext('click');
    swallowNext('contextmenu');
    pressShifted(price);
  }, HOLD_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));
  const onMove = (event: globalThis.PointerEvent) => {
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > STILL_PX) ends.abort();
  };
  document.addEventListener('pointermove', onMove, { signal });
  document.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
  for (const name of ['pointerup', 'pointercancel'] as const)
    document.addEventListener(name, () => ends.abort(), { signal });
}

/** The finger's own event, which comes when it is lifted; those of scripts go through. */
function swallowNext(name: 'click' | 'contextmenu'): void {
  const ends = new AbortController();
  const onEvent = (event: Event) => {
    if (!event.isTrusted) return;
    event.preventDefault();
    event.stopPropagation();
    ends.abort();
  };
  document.addEventListener(name, onEvent, { capture: true, signal: ends.signal });
  document.addEventListener('pointerdown', () => ends.abort(), { capture: true, signal: ends.signal });
}
