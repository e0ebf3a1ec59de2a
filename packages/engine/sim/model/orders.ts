/** The model's checks of an order in their documented order (ORD-1), and the effect of an accepted order. */

import { insufficientBuyingPower, insufficientMargin, type Micros, REJECT } from '@venue/protocol';
import type { OrderCommand } from '../../src/entry/command.ts';
import { feeOf, fillValue, type Meeting, meetings, opposite, rest, type Taker, trade } from './matching.ts';
import { ceilDiv, clamp, floorDiv, least, MILLION, MOST, positive, sum } from './numbers.ts';
import {
  buyingPower,
  cost,
  equity,
  inMarginCall,
  openInterest,
  reserved,
  restingQty,
  seriesOf,
  shortExposure,
  unit,
} from './risk.ts';
import { bookSide, type ModelAccount, type ModelSeries, type ModelState, positionIn } from './state.ts';

export type ModelOrderOutcome =
  | {
      status: 'filled' | 'partial' | 'rested' | 'cancelled';
      orderId: number;
      trades: Meeting[];
      rested: bigint;
    }
  | { status: 'rejected'; reason: string };

/** Executes an order whose signature, if any, has already been spent. */
export function placeOrder(
  state: ModelState,
  account: ModelAccount,
  command: OrderCommand,
): ModelOrderOutcome {
  const series = state.series.find((listed) => listed.seriesId === command.seriesId);
  if (series === undefined) return rejected(REJECT.unknownSeries);
  const refused = seriesRefusal(state, series) ?? sizeRefusal(state, account, series, command);
  if (refused !== undefined) return rejected(refused);
  const asked: Asked = {
    account,
    series,
    side: command.side,
    qty: BigInt(command.qtyMicros),
    price: command.priceMicros === null ? null : BigInt(command.priceMicros),
  };
  const reason = riskRefusal(state, asked);
  if (reason !== undefined) return rejected(reason);
  return execute(state, asked, command);
}

type Asked = Omit<Taker, 'id' | 'signer'>;

function execute(state: ModelState, asked: Asked, command: OrderCommand): ModelOrderOutcome {
  state.lastOrderId += 1;
  const taker: Taker = { ...asked, id: state.lastOrderId, signer: command.authorization?.sessionKey ?? null };
  const { trades, left } = trade(state, taker);
  const rested = taker.price === null ? 0n : left;
  if (rested > 0n) rest(state, taker, rested);
  const orderId = taker.id;
  if (left === 0n) return { status: 'filled', orderId, trades, rested };
  if (trades.length > 0) return { status: 'partial', orderId, trades, rested };
  return { status: rested > 0n ? 'rested' : 'cancelled', orderId, trades, rested };
}

function rejected(reason: string): ModelOrderOutcome {
  return { status: 'rejected', reason };
}

/** From the cutoff on, orders are refused (FINE-5). */
function seriesRefusal(state: ModelState, series: ModelSeries): string | undefined {
  if (series.status === 'settled') return REJECT.seriesSettled;
  if (series.status === 'pending-review' || state.ts >= series.expiryTs * 1000) return REJECT.seriesExpired;
  return undefined;
}

/** Refuses quantities and prices that are not positive or would leave the exact range (NUM-1). */
function sizeRefusal(
  state: ModelState,
  account: ModelAccount,
  series: ModelSeries,
  command: OrderCommand,
): string | undefined {
  if (command.qtyMicros <= 0) return REJECT.badQty;
  if (command.priceMicros !== null && command.priceMicros <= 0) return REJECT.badPrice;
  const totals = totalsWith(state, account, series, command);
  return totals.every((total) => total <= MOST) ? undefined : REJECT.badQty;
}

/** Every total that could include the quantity; a market order never enters the book. */
function totalsWith(
  state: ModelState,
  account: ModelAccount,
  series: ModelSeries,
  { side, qtyMicros, priceMicros }: OrderCommand,
): bigint[] {
  const qty = BigInt(qtyMicros);
  const held = positionIn(account, series.sid).qty;
  const towards = positive(side === 'buy' ? held : -held);
  const totals = [
    towards + restingQty(state, account, series, side) + qty,
    openInterest(state, series.sid) + qty,
  ];
  if (priceMicros === null) return totals;
  const beside = bookSide(state, series.sid, side).map((resting) => resting.remaining);
  return [...totals, cost(BigInt(priceMicros), qty), sum(beside) + qty];
}

function riskRefusal(state: ModelState, asked: Asked): string | undefined {
  const { account, series, side, price } = asked;
  if (account.frozen) return REJECT.accountFrozen;
  if (inMarginCall(state, account)) {
    if (!reduces(state, asked)) return REJECT.reduceOnly;
    return buyCost(state, asked) > account.cash - reserved(state, account)
      ? REJECT.insufficientCash
      : undefined;
  }
  if (equity(state, account) <= 0n) return REJECT.equityDepleted;
  if (price === null && bookSide(state, series.sid, opposite(side)).length === 0) return REJECT.noLiquidity;
  return side === 'sell' ? sellRefusal(state, asked) : buyRefusal(state, asked);
}

/** In a margin call, resting buys count together with the order against the short (FINE-9). */
function reduces(state: ModelState, asked: Asked): boolean {
  const { account, series, side, qty } = asked;
  const short = -positionIn(account, series.sid).qty;
  return side === 'buy' && short > 0n && qty + restingQty(state, account, series, 'buy') <= short;
}

/** Only opening or extending a short needs margin (ORD-4); a market order counts what the book offers (ORD-3). */
function sellRefusal(state: ModelState, asked: Asked): string | undefined {
  const { account, series, price } = asked;
  const bids = sum(bookSide(state, series.sid, 'buy').map((order) => order.remaining));
  const qty = price === null ? least(asked.qty, bids) : asked.qty;
  const long = positive(positionIn(account, series.sid).qty);
  const resting = restingQty(state, account, series, 'sell');
  const opening = positive(qty + resting - long) - positive(resting - long);
  if (opening === 0n) return undefined;
  if (!account.marginEnabled) return REJECT.marginOff;
  const need = ceilDiv(unit(state, series, 'entry') * opening, MILLION);
  const have = buyingPower(state, account);
  return need > have ? insufficientMargin(amounts(need, have)) : undefined;
}

/** A buy needs its trades, their fees and its resting cost, less the margin released by closing a short (ORD-3). */
function buyRefusal(state: ModelState, asked: Asked): string | undefined {
  const { account, series } = asked;
  const filled = sum(meetings(state, asked).map((met) => met.qty));
  const short = positive(-positionIn(account, series.sid).qty);
  // Both are clamped to the exact range.
  const credit = clamp(floorDiv(unit(state, series, 'entry') * least(filled, short), MILLION));
  const gross = clamp(buyCost(state, asked));
  const need = gross - credit;
  const have = buyingPower(state, account);
  // A closing buy that releases all it costs adds no risk: with negative buying power it is allowed if cash alone
  // covers it (MAR-3).
  const relieves = need <= 0n && gross <= account.cash - reserved(state, account);
  return need <= have || relieves ? undefined : insufficientBuyingPower(amounts(need, have));
}

function buyCost(state: ModelState, asked: Asked): bigint {
  const met = meetings(state, asked);
  const values = met.map(({ resting, qty }) => fillValue('buy', resting.price, qty));
  const rests = asked.qty - sum(met.map(({ qty }) => qty));
  const resting = asked.price === null ? 0n : cost(asked.price, rests);
  return sum(values) + sum(values.map(feeOf)) + resting;
}

function amounts(need: bigint, have: bigint): { needMicros: Micros; haveMicros: Micros } {
  return { needMicros: plainMicros(need), haveMicros: plainMicros(have) };
}

/** For a message. */
export function plainMicros(amount: bigint): Micros {
  return Number(clamp(amount)) as Micros;
}

/** True if a short, or a resting sell that would open one, remains: margin stays on then (ACC-3). */
export function hasShortExposure(state: ModelState, account: ModelAccount): boolean {
  return seriesOf(state, account).some((series) => shortExposure(state, account, series) > 0n);
}
