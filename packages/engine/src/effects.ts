/** What the node may want to tell its clients about an entry. The engine reports; it never reads back. */

import type { Micros } from '@venue/protocol';
import type { Side } from './command.ts';
import type { Account, FillRecord, Series } from './state.ts';

export interface TapePrint {
  readonly series: Series;
  readonly priceMicros: Micros;
  readonly qtyMicros: Micros;
  /** The taker's side. */
  readonly side: Side;
  readonly ts: number;
}

export interface Effects {
  /** A row was added to the account's fills. */
  filled(account: Account, fill: FillRecord): void;
  printed(print: TapePrint): void;
  /** Positions or cash changed. */
  accountChanged(account: Account): void;
  /** The set of resting orders, or what remains of one, changed. */
  ordersChanged(account: Account): void;
  spotMoved(symbol: string): void;
}

/** For replay and for tests that look at the state alone. */
export const NO_EFFECTS: Effects = {
  filled() {},
  printed() {},
  accountChanged() {},
  ordersChanged() {},
  spotMoved() {},
};
