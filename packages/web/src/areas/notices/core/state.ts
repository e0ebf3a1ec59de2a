/** The cards of the page and its log. */

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Traded } from '../../../session/realised.ts';

export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'plain' | 'warning' | 'danger';
  readonly title: string;
  readonly text: string;
  /** The lines it summarises. */
  readonly lines?: readonly string[];
  /** Its subject; a later notice with the same key replaces it. */
  readonly key?: string;
  readonly atMs: number;
  /** The order whose realised result is yet to be added to the text. */
  readonly trade?: Traded;
  /** The remedy, as a button. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Stays until dismissed: for changes to a position that its owner did not cause. */
  readonly isSticky: boolean;
}

/** A notice as the log has it: what was said, and nothing that can be pressed. */
export type LogLine = Pick<Notice, 'id' | 'tone' | 'title' | 'text' | 'lines' | 'atMs'>;

/** As many as the log has. */
export const LOG_LINES = 200;

export interface NoticeBoard {
  /** Newest first. */
  readonly list: readonly Notice[];
  /** The lines that this tab showed the account before the page was loaded; newest first, all older than the list. */
  readonly earlier: readonly LogLine[];
}

export interface NoticeStores {
  readonly notices: StoreApi<NoticeBoard>;
}

export function noticeStores(): NoticeStores {
  return { notices: createStore<NoticeBoard>(() => ({ list: [], earlier: [] })) };
}
