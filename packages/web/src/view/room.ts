/** The person's division of the screen: sizes of charts and book, what is folded away, and the book's tab. */

import { createStore, type StoreApi } from 'zustand/vanilla';

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

const KEPT = 'venue-room';
/** Beyond these a part is of no use, whatever the window. */
const PX_MIN = 80;
const PX_MAX = 4_000;
const TAB_NAME = /^[A-Z][A-Za-z-]{1,19}$/;

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/** The room of the last visit; from now on every change is kept. Without storage it lasts as long as the page. */
export function keptRoom(storage: () => Storage): StoreApi<Room> {
  const store = createStore<Room>(() => read(storage));
  store.subscribe((room) => {
    try {
      storage().setItem(KEPT, JSON.stringify(room));
    } catch {
      // Full or refused.
    }
  });
  return store;
}

function read(storage: () => Storage): Room {
  try {
    return roomOf(JSON.parse(storage().getItem(KEPT) ?? '{}'));
  } catch {
    return WHOLE_ROOM;
  }
}

/** The usable part of a kept value: another release, or anybody, may have written it. */
function roomOf(kept: unknown): Room {
  if (typeof kept !== 'object' || kept === null) return WHOLE_ROOM;
  const { marketPx, bookPx, isMarketOpen, isBookOpen, isWhatIfOpen, panel } = kept as Readonly<
    Record<keyof Room, unknown>
  >;
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
