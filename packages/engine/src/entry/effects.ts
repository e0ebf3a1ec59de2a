/** What the node may want to tell its clients about an entry. The engine reports; it never reads back. */

import type { Hex, Micros } from '@venue/protocol';
import type { Account } from '../state/account.ts';
import type { FillListener } from '../state/fills.ts';
import type { Series, Side } from '../state/series.ts';

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

/** `filled` and `cashMoved` together tell of all cash of a trader. */
export interface Effects extends FillListener {
  /** Cash moved without a fill; below zero out of the account. */
  cashMoved(account: Account, movement: CashMovement): void;
  printed(print: TapePrint): void;
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
