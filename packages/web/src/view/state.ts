/** The parts of the page that are shown, and the texts that are read aloud. */

import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Columns, USUAL_COLUMNS } from './columns.ts';
import { type Room, WHOLE_ROOM } from './room.ts';

/** Which parts of the page are shown. */
export interface View {
  /** On a phone: true while the dock replaces the chain. */
  readonly isOnPanel: boolean;
  /** The contract last looked at, until another expiry or underlying is chosen: charts stay on it. */
  readonly contract: string | null;
  /** Counts presses on a contract's name, each of which brings the contract's chart. */
  readonly contractAsks: number;
  /** True while the list of keys is shown. */
  readonly isHelpOpen: boolean;
  /** True while the list of underlyings is shown. */
  readonly isSwitcherOpen: boolean;
  /** True while the tour on paper money is shown. */
  readonly isOnTour: boolean;
  /** True once this page follows a watch list or alerts. */
  readonly isWatching: boolean;
  /** The contract that the ticket traded last; null before the first. */
  readonly lastTraded: string | null;
  /** Orders that filled while the page was hidden. */
  readonly unseenFills: number;
  /** True once the browser has another release of this page. */
  readonly isOtherReleaseReady: boolean;
}

/** Extra announcements for a screen reader: polite ones wait, assertive ones interrupt. */
export interface Announcements {
  readonly polite: string;
  readonly assertive: string;
}

/** Outlasts the page, once it has been kept. */
export interface KeptViews {
  readonly room: StoreApi<Room>;
  readonly columns: StoreApi<Columns>;
}

export interface ViewStores extends KeptViews {
  readonly view: StoreApi<View>;
  readonly announcements: StoreApi<Announcements>;
}

/** Takes the room and the columns of the last visit, if there was one. */
export function viewStores({
  room = createStore(() => WHOLE_ROOM),
  columns = createStore(() => USUAL_COLUMNS),
}: Partial<KeptViews>): ViewStores {
  return {
    view: createStore<View>(() => ({
      isOnPanel: false,
      contract: null,
      contractAsks: 0,
      isHelpOpen: false,
      isOnTour: false,
      isSwitcherOpen: false,
      isWatching: false,
      lastTraded: null,
      unseenFills: 0,
      isOtherReleaseReady: false,
    })),
    announcements: createStore<Announcements>(() => ({ polite: '', assertive: '' })),
    room,
    columns,
  };
}
