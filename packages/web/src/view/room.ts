/** The person's division of the screen: sizes of charts and book, what is folded away, and the book's tab. */

import type { StoreApi } from 'zustand/vanilla';
import type { Members, Storage } from '../basics/kept.ts';
import { keptStore } from '../basics/kept-store.ts';

export interface Room {
  /** Width of the charts; null for the page's own share. */
  readonly marketPx: number | null;
  /** Height of the book; null for the page's own share. */
  readonly bookPx: number | null;
  readonly isMarketOpen: boolean;
  readonly isBookOpen: boolean;
  /** True while the what-if stands beside the ticket, on a screen wide enough for that. */
  readonly isWhatIfOpen: boolean;
  /** The book's tab, by its name. */
  readonly panel: string;
}

export const WHOLE_ROOM: Room = {
  marketPx: null,
  bookPx: null,
  isMarketOpen: true,
  isBookOpen: true,
  isWhatIfOpen: false,
  panel: 'Positions',
};

/** Beyond these a part is of no use, whatever the window. */
const PX_MIN = 80;
const PX_MAX = 4_000;
const TAB_NAME = /^[A-Z][A-Za-z-]{1,19}$/;

/** The room of the last visit; from now on every change is kept. */
export function keptRoom(storage: () => Storage): StoreApi<Room> {
  return keptStore<Room>({ storage, name: 'venue-room', usable: roomOf });
}

function roomOf({ marketPx, bookPx, isMarketOpen, isBookOpen, isWhatIfOpen, panel }: Members): Room {
  return {
    marketPx: pxOf(marketPx),
    bookPx: pxOf(bookPx),
    isMarketOpen: isMarketOpen !== false,
    isBookOpen: isBookOpen !== false,
    isWhatIfOpen: isWhatIfOpen === true,
    panel: typeof panel === 'string' && TAB_NAME.test(panel) ? panel : WHOLE_ROOM.panel,
  };
}

function pxOf(kept: unknown): number | null {
  return typeof kept === 'number' && kept >= PX_MIN && kept <= PX_MAX ? kept : null;
}

/** A size within its bounds; the least where the window leaves less than that. */
export function withinPx(
  px: number,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  return Math.round(Math.max(least, Math.min(px, most)));
}
