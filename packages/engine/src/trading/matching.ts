/** Price-time matching of an incoming order against a book, and the effects of each trade. */

import {
  MICROS_MAX,
  MICROS_PER_UNIT,
  type Micros,
  mulDivCeil,
  mulDivFloor,
  type SelfTradePrevention,
  toMicros,
  ZERO,
} from '@venue/protocol';
import { BUY, type OrderHandle, SELL } from '../book/book.ts';
import type { Effects } from '../entry/effects.ts';
import type { Trade } from '../entry/outcome.ts';
import type { Account } from '../state/account.ts';
import { bookTrade } from '../state/booking.ts';
import { FillableWalk, fillableMicros, type WalkedSet } from '../state/fillable-walk.ts';
import { BPS, TAKER_FEE_BPS } from '../state/limits.ts';
import { isSetOwner } from '../state/quote-sets.ts';
import type { Series, Side } from '../state/series.ts';
import type { SessionRecord } from '../state/session.ts';
import type { State } from '../state/state.ts';
import { PLAIN_LIMIT } from '../state/terms.ts';
import { pull } from './pulls.ts';
import { fillResting, ownerIndexOf, ownerOf, rest, signerOf } from './resting.ts';
import { fillQuote } from './set-quotes.ts';
import { visitsOf } from './work.ts';

export interface IncomingOrder {
  readonly id: number;
  readonly account: Account;
  readonly series: Series;
  readonly side: Side;
  readonly qtyMicros: Micros;
  /** Null for a market order. */
  readonly limitMicros: Micros | null;
  readonly signer?: SessionRecord | null | undefined;
  /** The behaviour where it meets its own account's orders; by default it trades with them (STP-1). */
  readonly stp?: SelfTradePrevention;
  /** A liquidation's buy-back, so that its own side of the fills is marked (FINE-11). */
  readonly isLiquidation?: boolean;
}

/** The immediate fills of an order, without executing them. */
export interface BookWalk {
  readonly filledMicros: Micros;
  readonly valueMicros: Micros;
  readonly feeMicros: Micros;
  /** True if an own order ends the walk before the quantity is filled (STP-1). */
  readonly isPrevented: boolean;
  /** The number of resting orders visited; above the limit if there are more, and the walk then ends. */
  readonly visits: number;
  readonly fills: number;
  /** Quotes of the sets whose allowance is used up by then. */
  readonly leaving: number;
  /** The sets that it trades with. */
  readonly sets: readonly WalkedSet[];
}

export interface WalkBounds {
  /** The quantities that orders before this one have taken. */
  readonly walk?: FillableWalk;
  /** How many resting orders may be looked at. */
  readonly visitsMax?: number;
}

/** Value of one fill, rounded against the taker; both sides move this one integer (NUM-3). */
export function fillValueMicros(takerSide: Side, priceMicros: number, qtyMicros: number): Micros {
  const mulDiv = takerSide === 'buy' ? mulDivCeil : mulDivFloor;
  return mulDiv(priceMicros, qtyMicros, MICROS_PER_UNIT);
}

/** Taker fee on the premium, rounded up (NUM-3, NUM-4). */
export function takerFeeMicros(valueOfFillMicros: Micros): Micros {
  return mulDivCeil(valueOfFillMicros, TAKER_FEE_BPS, BPS);
}

/**
 * Walks the book as the matching will, without changing it (ORD-3, BAT-6). Sums are clamped to the exact range: no account
 * covers as much.
 */
export function walkBook(
  state: State,
  order: Omit<IncomingOrder, 'id'>,
  { walk = new FillableWalk(state), visitsMax = Number.POSITIVE_INFINITY }: WalkBounds = {},
): BookWalk {
  const { book } = order.series;
  const { orders } = state;
  let left: number = order.qtyMicros;
  let value = 0;
  let fee = 0;
  let isPrevented = false;
  let visits = 0;
  let fills = 0;
  let h = book.best(order.side === 'buy' ? SELL : BUY);
  while (h !== null && left > 0 && crosses(order.side, orders.price(h), order.limitMicros)) {
    visits += visitsOf(orders.owner(h));
    if (visits > visitsMax) break;
    if (mayNotTrade(state, order, h)) {
      isPrevented = order.stp !== 'maker';
      if (isPrevented) break;
    } else {
      const qty = Math.min(left, walk.fillableMicros(h));
      walk.take(h, qty);
      if (qty > 0) fills += 1;
      const fillValue = fillValueMicros(order.side, orders.price(h), qty);
      value = Math.min(value + fillValue, MICROS_MAX);
      fee = Math.min(fee + takerFeeMicros(fillValue), MICROS_MAX);
      left -= qty;
    }
    h = book.next(h);
  }
  return {
    filledMicros: toMicros(order.qtyMicros - left),
    valueMicros: toMicros(value),
    feeMicros: toMicros(fee),
    isPrevented,
    visits,
    fills,
    leaving: walk.leaving,
    sets: walk.sets,
  };
}

/** True if the order does not trade with a resting one, because it is its own account's (STP-1). */
function mayNotTrade(state: State, { stp, account }: Omit<IncomingOrder, 'id'>, h: OrderHandle): boolean {
  return stp !== undefined && stp !== 'none' && ownerIndexOf(state, h) === account.index;
}

/** The result of an order entering a book. */
export interface Entered {
  /** One per matched resting order. */
  readonly trades: readonly Trade[];
  /** The quantity that did not trade. */
  readonly leftMicros: Micros;
  /** True if an own order stopped it before all of it was traded (STP-1). */
  readonly isPrevented: boolean;
}

/** Trades an incoming order against the book until it is filled, nothing crosses or an own order stops it. */
export function match(state: State, effects: Effects, order: IncomingOrder): Entered {
  const { book } = order.series;
  const opposite = order.side === 'buy' ? SELL : BUY;
  const trades: Trade[] = [];
  let left: number = order.qtyMicros;
  let isPrevented = false;
  while (left > 0 && !isPrevented) {
    const h = book.best(opposite);
    if (h === null || !crosses(order.side, state.orders.price(h), order.limitMicros)) break;
    if (mayNotTrade(state, order, h)) {
      if (order.stp !== 'taker') pull(state, effects, h, 'stp');
      isPrevented = order.stp !== 'maker';
      continue;
    }
    const trade = {
      priceMicros: state.orders.price(h),
      qtyMicros: toMicros(Math.min(left, fillableMicros(state, h))),
    };
    execute(state, effects, { order, h, ...trade });
    trades.push(trade);
    left -= trade.qtyMicros;
  }
  return { trades, leftMicros: toMicros(left), isPrevented };
}

/** Trades an order, and rests the remainder of one with a limit. Returns the quantity that rests. */
export function enter(state: State, effects: Effects, order: IncomingOrder): Micros {
  const { leftMicros } = match(state, effects, order);
  const { limitMicros } = order;
  if (limitMicros === null || leftMicros === 0) return ZERO;
  rest(state, effects, {
    ...order,
    priceMicros: limitMicros,
    remainingMicros: leftMicros,
    terms: PLAIN_LIMIT,
  });
  return leftMicros;
}

function crosses(side: Side, restingMicros: number, limitMicros: Micros | null): boolean {
  if (limitMicros === null) return true;
  return side === 'buy' ? restingMicros <= limitMicros : restingMicros >= limitMicros;
}

interface Execution extends Trade {
  readonly order: IncomingOrder;
  /** The matched resting order. */
  readonly h: OrderHandle;
}

function execute(state: State, effects: Effects, execution: Execution): void {
  const { order, h, priceMicros, qtyMicros } = execution;
  const { account: taker, series, side } = order;
  const maker = ownerOf(state, h);
  const valueMicros = fillValueMicros(side, priceMicros, qtyMicros);
  const feeMicros = takerFeeMicros(valueMicros);

  series.volumeMicros = toMicros(Math.min(series.volumeMicros + qtyMicros, MICROS_MAX));
  const terms = { series, side, priceMicros, qtyMicros, valueMicros, feeMicros };
  const kind = order.isLiquidation ? 'liquidation' : 'trade';
  bookTrade(state, effects, terms, {
    taker: { account: taker, orderId: order.id, kind, signer: order.signer?.handle ?? null },
    maker: { account: maker, orderId: state.orders.id(h), kind: 'trade', signer: signerOf(state, h) },
  });
  // After the fill holds the session that signed it, as the order lets go of its own hold.
  if (isSetOwner(state.orders.owner(h))) fillQuote(state, h, qtyMicros);
  else fillResting(state, effects, h, qtyMicros);
  effects.printed({
    ...{ id: state.lastFillId, series, priceMicros, qtyMicros, side, ts: state.ts },
    isSelf: taker === maker,
  });
}

export interface Assignment extends Trade {
  readonly order: Pick<IncomingOrder, 'id' | 'account' | 'series'>;
  readonly house: Account;
  readonly valueMicros: Micros;
}

/** Gives a short that the book could not absorb to the house: no fee, no tape, no volume (FINE-11). */
export function assign(state: State, effects: Effects, assignment: Assignment): void {
  const { order, house, priceMicros, qtyMicros, valueMicros } = assignment;
  const { account, series, id: orderId } = order;
  const terms = { series, side: 'buy', priceMicros, qtyMicros, valueMicros, feeMicros: ZERO } as const;
  bookTrade(state, effects, terms, {
    taker: { account, orderId, kind: 'liquidation', signer: null },
    maker: { account: house, orderId, kind: 'trade', signer: null },
  });
}
