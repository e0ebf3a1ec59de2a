/** How quotes get to the venue: what the maker's loop asks of either way. */

import type { FillRecord, Instrument } from '@venue/protocol';
import type { Holdings } from './inventory.ts';
import type { Change } from './quoter.ts';

export interface Pushed {
  /** Changes that stand as they were sent; everything else is sent again. */
  readonly accepted: readonly Change[];
  readonly refused: number;
  /** Why the first of them was refused. */
  readonly reason?: string | undefined;
  /** The venue knows other series than the maker. */
  readonly isListOld: boolean;
  /** Rows of which some levels do not stand, or may not: they go again with the next push of their symbol. */
  readonly again?: readonly Change[];
  /** Own orders have traded. */
  readonly hasTraded?: boolean;
  /** A symbol whose quotes have all left the book. */
  readonly lostSymbol?: string;
}

/** Takes what a stream of the venue shows. */
export interface News {
  /** Underlyings whose price or freshness may have changed. */
  spots(changed: readonly Instrument[]): void;
  /** Own quotes in a series have traded, or may have. */
  traded(seriesId: string): void;
  /** The account holds other positions than before. */
  holdings(): void;
}

/** An open stream of a line. */
export interface Listening {
  /** False once it may be missing something: it is then opened again. */
  readonly isOpen: boolean;
  close(): void;
}

/** The maker's session by secret (MM-1), or the quote sets of accounts (QTS-1). */
export interface QuoteLine {
  /** The most levels that a symbol may have beside others that are quoted. */
  levelsMaxOf(symbol: string, symbols: readonly string[]): number;
  /** Gets ready to push: at the start, and again after a lost connection. */
  open(): Promise<void>;
  /** Opens the stream of prices, and of whatever shows the line's own trades after the fill with the given id. */
  listen(news: News, after: number): Promise<Listening>;
  /** Divides what is due into pushes, in order. */
  pushesOf(changes: readonly Change[]): readonly (readonly Change[])[];
  /** Carries out one of them. */
  push(changes: readonly Change[]): Promise<Pushed>;
  /**
   * Call at every look: keeps quiet quotes alive. Resolves with the symbols whose quotes the venue has pulled
   * meanwhile.
   */
  keepAlive(nowMs: number): Promise<readonly string[]>;
  /** The holdings of each of its accounts. */
  holdings(): Promise<readonly Holdings[]>;
  /** Up to 500 fills of an account after the one with the given id, oldest first. */
  fills(after: number): Promise<readonly FillRecord[]>;
  /** Id of the newest fill, 0 without one. */
  lastFill(): Promise<number>;
  /** Takes every quote off the books. Not to be waited for longer than a stop may take. */
  pull(): Promise<void>;
  /** Call when another maker has taken over: nothing is left to pull. */
  giveUp(): void;
}
