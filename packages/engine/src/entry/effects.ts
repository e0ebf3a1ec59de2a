/** The changes by an entry that the node may announce to clients. The engine only writes them. */

import type { Hex, Micros, OrderTerms } from '@venue/protocol';
import type { Account } from '../state/account.ts';
import type { FillListener } from '../state/fills.ts';
import type { Decision, Series, Side } from '../state/series.ts';

export interface TapePrint {
  /** Ascends with the prints, and is the same in every replay: the newer of its two fills has it. */
  readonly id: number;
  readonly series: Series;
  readonly priceMicros: Micros;
  readonly qtyMicros: Micros;
  /** The taker's side. */
  readonly side: Side;
  readonly ts: number;
  /** True if one account is both sides: the price is its own word, so no figure of the market counts it (HIS-1). */
  readonly isSelf: boolean;
}

/** Cash that moved without a fill, with its identity outside the engine. */
export type CashMovement =
  | { readonly kind: 'funding' | 'release' | 'hold'; readonly cashMicros: Micros }
  | { readonly kind: 'deposit'; readonly cashMicros: Micros; readonly txHash: Hex }
  | { readonly kind: 'withdrawal' | 'void'; readonly cashMicros: Micros; readonly payoutId: number };

/** Why an order is no longer open (CID-2). */
export type CloseCause =
  | 'filled'
  | 'user'
  | 'ioc'
  | 'stp'
  | 'gtd'
  | 'guard'
  | 'margin'
  | 'settlement'
  | 'liquidation';

/** An order of a trader that passed every check, before it trades. */
export interface OpenedOrder {
  readonly id: number;
  readonly account: Account;
  readonly series: Series;
  readonly side: Side;
  /** Null for a market order. */
  readonly priceMicros: Micros | null;
  /** The quantity that a reduce-only order was cut to. */
  readonly qtyMicros: Micros;
  readonly terms: OrderTerms;
}

/** A leg of a combo. */
export interface OpenedLeg {
  readonly series: Series;
  readonly side: Side;
  /** Contracts in one unit of the combo. */
  readonly ratio: number;
}

/** A combo of a trader that passed every check, before its legs trade; it closes in the same entry (CMB-1). */
export interface OpenedCombo extends Pick<OpenedOrder, 'id' | 'account' | 'terms'> {
  readonly legs: readonly OpenedLeg[];
  /** Units. */
  readonly qtyMicros: Micros;
  /** The most that a unit may cost; null for no limit. */
  readonly netMicros: Micros | null;
}

/** New terms of an open order (AMD-1). */
export interface AmendedOrder {
  readonly id: number;
  readonly account: Account;
  readonly priceMicros: Micros;
  /** The new total, what is filled included. */
  readonly qtyMicros: Micros;
}

/**
 * Events of traders' orders. Each order is opened once, then filled (`filled` with its id) and amended any number of
 * times, then closed once.
 */
export interface OrderListener {
  orderOpened(order: OpenedOrder): void;
  /** In place of `orderOpened`; its fills name legs. */
  comboOpened(combo: OpenedCombo): void;
  orderAmended(order: AmendedOrder): void;
  orderClosed(account: Account, orderId: number, cause: CloseCause): void;
}

/** `filled` and `cashMoved` together cover every cash movement of a trader. */
export interface Effects extends FillListener, OrderListener {
  /** Cash moved without a fill; negative if out of the account. */
  cashMoved(account: Account, movement: CashMovement): void;
  printed(print: TapePrint): void;
  /** The set of resting orders, or the remaining quantity of one, changed. */
  ordersChanged(account: Account): void;
  spotMoved(symbol: string): void;
  /** An expiry got its settlement price, by the oracle or by hand; once for each underlying and expiry. */
  settled(decision: Decision): void;
}

/** For replays and for tests that only look at the state. */
export const NO_EFFECTS: Effects = {
  filled() {},
  cashMoved() {},
  printed() {},
  accountChanged() {},
  orderOpened() {},
  comboOpened() {},
  orderAmended() {},
  orderClosed() {},
  ordersChanged() {},
  spotMoved() {},
  settled() {},
};
