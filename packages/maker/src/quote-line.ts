/** How quotes get to the venue: what the maker's loop asks of either way. */

import type { FillRecord, StreamFrame } from '@venue/protocol';
import type { Stream } from '@venue/sdk';
import type { Holdings } from './inventory.ts';
import type { Change } from './quoter.ts';

export interface Pushed {
  /** What stands as it was sent; everything else is sent again. */
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

/** The maker's session by secret (MM-1), or the quote sets of an account (QTS-1). */
export interface QuoteLine {
  /** The most levels that a symbol may have. */
  readonly levelsMax: number;
  /** Gets ready to push: at the start, and again after a lost connection. */
  open(): Promise<void>;
  /** Opens the stream of the market, and of whatever else shows the line's own trades. */
  stream(onFrame: (frame: StreamFrame) => void): Promise<Stream>;
  /** The series in which a frame shows that own quotes have traded, or may have; null for any other. */
  tradedIn(frame: StreamFrame): string | null;
  /** Divides what is due into pushes, in order. */
  pushesOf(changes: readonly Change[]): readonly (readonly Change[])[];
  /** Carries out one of them. */
  push(changes: readonly Change[]): Promise<Pushed>;
  /**
   * Call at every look: keeps quiet quotes alive. Resolves with the symbols whose quotes the venue has pulled
   * meanwhile.
   */
  keepAlive(nowMs: number): Promise<readonly string[]>;
  holdings(): Promise<Holdings>;
  /** Up to 500 fills after the one with the given id, oldest first. */
  fills(after: number): Promise<readonly FillRecord[]>;
  /** Id of the newest fill, 0 without one. */
  lastFill(): Promise<number>;
  /** Takes every quote off the books. Not to be waited for longer than a stop may take. */
  pull(): Promise<void>;
  /** Call when another maker has taken over: nothing is left to pull. */
  giveUp(): void;
}
