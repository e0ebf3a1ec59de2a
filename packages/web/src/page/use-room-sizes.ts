/** The sizes of the parts of a wide screen. */

import { type RefObject, useEffect } from 'react';
import { useTerminal } from '../terminal/terminal.ts';

/** Its tabs alone. */
const BOOK_FOLDED_PX = 44;

/** Hands the kept sizes to the style sheet, without drawing the page again. */
export function useRoomSizes(app: RefObject<HTMLElement | null>): void {
  const { stores } = useTerminal();
  useEffect(() => {
    const apply = () => {
      const { marketPx, bookPx, isBookOpen } = stores.room.getState();
      setSize(app.current, '--market', marketPx);
      setSize(app.current, '--book', isBookOpen ? bookPx : BOOK_FOLDED_PX);
    };
    apply();
    return stores.room.subscribe(apply);
  }, [stores, app]);
}

function setSize(element: HTMLElement | null, name: string, px: number | null): void {
  if (px === null) element?.style.removeProperty(name);
  else element?.style.setProperty(name, `${px}px`);
}
