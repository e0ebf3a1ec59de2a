/** The changes by an entry that the node may announce to clients. The engine only writes them. */

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

/** Cash that moved without a fill, with its identity outside the engine. */
export type CashMovement =
  | { readonly kind: 'funding' | 'release' | 'hold'; readonly cashMicros: Micros }
  | { readonly kind: 'deposit'; readonly cashMicros: Micros; readonly txHash: Hex }
  | { readonly kind: 'withdrawal' | 'void'; readonly cashMicros: Micros; readonly payoutId: number };

/** `filled` and `cashMoved` together cover every cash movement of a trader. */
export interface Effects extends FillListener {
  /** Cash moved without a fill; negative if out of the account. */
  cashMoved(account: Account, movement: CashMovement): void;
  printed(print: TapePrint): void;
  /** The set of resting orders, or the remaining quantity of one, changed. */
  ordersChanged(account: Account): void;
  spotMoved(symbol: string): void;
}

/** For replays and for tests that only look at the state. */
export const NO_EFFECTS: Effects = {
  filled() {},
  cashMoved() {},
  printed() {},
  accountChanged() {},
  ordersChanged() {},
  spotMoved() {},
};
