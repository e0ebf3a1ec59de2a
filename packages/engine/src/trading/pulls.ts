/** Cancels of whatever an account has resting: orders, and quotes of its sets (QTS-2). */

import type { OrderHandle } from '../book/book.ts';
import type { CloseCause, Effects } from '../entry/effects.ts';
import type { Account } from '../state/account.ts';
import { isSetOwner, type QuoteSet } from '../state/quote-sets.ts';
import type { State } from '../state/state.ts';
import { OwnOrders, type Scope } from './own-orders.ts';
import { pullResting } from './resting.ts';
import { pullQuote, pullQuotesIn } from './set-quotes.ts';
import { retakeReserve } from './set-reserves.ts';

/** Which orders and quotes of an account leave, and why. */
export interface PullScope extends Scope {
  readonly account: Account;
  readonly cause: CloseCause;
  /** The account's orders, where earlier cancels of the entry have read them already. */
  readonly own?: OwnOrders;
}

/** Cancels an account's resting orders and quotes that are in scope, and returns how many. */
export function pullWhere(state: State, effects: Effects, scope: PullScope): number {
  // At once, so that what follows has the buying power.
  return pullEach(state, effects, scope, (set) => retakeReserve(state, effects, set));
}

/** The same for one of many cancels of a batch: what quotes reserved is freed by `retakeStale`, before anything needs it. */
export function pullOfMany(state: State, effects: Effects, scope: PullScope): number {
  return pullEach(state, effects, scope, () => {});
}

function pullEach(
  state: State,
  effects: Effects,
  scope: PullScope,
  onPulled: (set: QuoteSet) => void,
): number {
  const { account, cause, own = new OwnOrders(state, account) } = scope;
  const orders = own.take(scope);
  for (const h of orders) pullResting(state, effects, h, cause);
  let pulled = orders.length;
  for (const set of state.quoteSets.of(account.index)) {
    const quotes = pullQuotesIn(state, set, scope);
    if (quotes > 0) onPulled(set);
    pulled += quotes;
  }
  return pulled;
}

/** The underlyings in whose scope an account has cancelled, with the nonce of its signature or the deadline of its guard. */
interface CancelScope {
  readonly nonce: number | null;
  /** Null for all. */
  readonly symbols: readonly string[] | null;
}

/** Has the account's pushes that were signed before a cancel come too late for what lay in its scope (QTS-1). */
export function makePushesStale(state: State, account: Account, { nonce, symbols }: CancelScope): void {
  if (nonce === null) return;
  for (const symbol of symbols ?? state.instruments.keys())
    if (state.instruments.has(symbol)) state.pushFloors.raise(account.index, symbol, nonce);
}

/** Cancels a resting order or quote of any owner. */
export function pull(state: State, effects: Effects, h: OrderHandle, cause: CloseCause): void {
  if (isSetOwner(state.orders.owner(h))) pullQuote(state, h);
  else pullResting(state, effects, h, cause);
}
