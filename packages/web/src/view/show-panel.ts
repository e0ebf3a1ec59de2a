/** Leads to a panel of the book, from wherever it is asked for. */

import type { ViewStores } from './state.ts';

/** Chooses a panel by its tab's name, unfolds the book, and on a phone puts it in place of the chain. */
export function showPanel({ view, room }: Pick<ViewStores, 'view' | 'room'>, panel: string): void {
  choosePanel({ room }, panel);
  view.setState({ isOnPanel: true });
}

/** From beside the panel, where the book is in sight: a phone that the window may become stays as it is. */
export function choosePanel({ room }: Pick<ViewStores, 'room'>, panel: string): void {
  room.setState({ panel, isBookOpen: true });
}
