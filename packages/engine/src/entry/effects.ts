/** What the node may want to tell its clients about an entry. The engine reports; it never reads back. */

import type { Hex, Micros } from '@venue/protocol';
import type { Account, FillRecord, Series } from '../state/state.ts';
import type { Side } from './command.ts';

export interface TapePrint {
  readonly series: Series;
  readonly priceMicros: Micros;
  readonly qtyMicros: Micros;
  /** The taker's side. */
  readonly side: Side;
  readonly ts: number;
}

/** Cash that came or went without a fill, and what it is known by elsewhere. */
export type CashMovement =
  | { readonly kind: 'funding' | 'release'; readonly cashMicros: Micros }
  | { readonly kind: 'deposit'; readonly cashMicros: Micros; readonly txHash: Hex }
  | { readonly kind: 'withdrawal'; readonly cashMicros: Micros; readonly payoutId: number };

export interface Effects {
  /**
   * A row was added to the account's fills, which moved `cashMicros` into the account, or out of it below zero, the fee
   * aside. Together with `cashMoved` it tells of all cash of a trader.
   */
  filled(account: Account, fill: FillRecord, cashMicros: Micros): void;
  /** Cash moved without a fill; below zero out of the account. */
  cashMoved(account: Account, movement: CashMovement): void;
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
  cashMoved() {},
  printed() {},
  accountChanged() {},
  ordersChanged() {},
  spotMoved() {},
};
