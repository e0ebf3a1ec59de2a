/** Notices as cards: three at a time, with all of them in a list. */

import type { StoreApi } from 'zustand/vanilla';
import { LOG_LINES, type Notice, type NoticeBoard } from './state.ts';

/** Said once the browser has the files of another release than the page's own. */
export const OTHER_RELEASE = 'A new version is ready';

export class Notices {
  readonly #store: StoreApi<NoticeBoard>;
  readonly #now: () => number;
  #last = 0;

  constructor(store: StoreApi<NoticeBoard>, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** Newest first. A notice replaces an earlier one with the same key. */
  add(
    notice: Pick<Notice, 'tone' | 'title' | 'text' | 'lines' | 'key' | 'trade' | 'action'> & {
      readonly isSticky?: boolean;
    },
  ): void {
    this.#last += 1;
    const added: Notice = { isSticky: false, ...notice, id: this.#last, atMs: this.#now() };
    this.#store.setState(({ list }) => {
      const others = list.filter(({ key }) => key === undefined || key !== added.key);
      return { list: [added, ...others].slice(0, LOG_LINES) };
    });
  }
}
