/** The market maker's ladders, row by row; what a push asks for and already rests is left where it is (MM-3). */

import {
  MICROS_MAX,
  type MicrosLevel,
  type MicrosQuote,
  QUOTE_LEVELS_MAX,
  REJECT,
  toMicros,
} from '@venue/protocol';
import { NIL } from './book.ts';
import type { PullCommand, QuoteSessionCommand, QuotesCommand, Side } from './command.ts';
import type { Effects } from './effects.ts';
import { HouseLine } from './house-line.ts';
import { houseLineRefusal, type Ladders } from './house-line-row.ts';
import { QUOTE_ATTEMPTS_KEPT } from './limits.ts';
import { isTradable } from './listings.ts';
import { match, tradedMicros } from './matching.ts';
import type { OutcomeOf, RowError } from './outcome.ts';
import { isCostExact, pullResting, pullWhere, rest } from './resting.ts';
import { type Account, MAKER, parametersOf, type Series, type State } from './state.ts';

/**
 * Registers an attempt: the same one answers the same session, a new one fences every session before it. Quotes of a
 * fenced session are pulled, as nobody is left to take them back (MM-1).
 */
export function registerSession(
  state: State,
  effects: Effects,
  { attemptId }: QuoteSessionCommand,
): OutcomeOf<'quote-session'> {
  const { attempts } = state.quoting;
  const known = attempts.get(attemptId);
  if (known !== undefined) return { session: known };
  pullQuotes(state, effects);
  state.quoting.session += 1;
  state.lastQuoteTs = state.ts;
  attempts.set(attemptId, state.quoting.session);
  for (const oldest of attempts.keys()) {
    if (attempts.size <= QUOTE_ATTEMPTS_KEPT) break;
    attempts.delete(oldest);
  }
  return { session: state.quoting.session };
}

/** True for the session that no later one has fenced. */
export function isLiveSession({ quoting }: State, session: number): boolean {
  return session > 0 && session === quoting.session;
}

/** Pulls what a live session has on the books. */
export function pullSession(state: State, effects: Effects, { session }: PullCommand): OutcomeOf<'pull'> {
  if (!isLiveSession(state, session)) return { refusal: 'noQuoteSession' };
  state.lastQuoteTs = state.ts;
  return { pulled: pullQuotes(state, effects) };
}

/** Applies the rows of a push that are sound and says what is wrong with the others. */
export function applyQuotes(state: State, effects: Effects, command: QuotesCommand): OutcomeOf<'quotes'> {
  const { session } = command;
  if (session !== null && !isLiveSession(state, session)) return { refusal: 'noQuoteSession' };
  const maker = makerOf(state);
  const line = new HouseLine(state, maker);
  const rowErrors: RowError[] = [];
  const unknownSids: number[] = [];
  let applied = 0;
  let kept = 0;
  state.lastQuoteTs = state.ts;
  command.rows.forEach((row, i) => {
    const series = state.series[row.sid];
    if (series === undefined) {
      unknownSids.push(row.sid);
      return;
    }
    const ladders = laddersAfter(state, series, row);
    const error = checkRow(state, series, row, ladders) ?? houseLineRefusal(state, line, series, ladders);
    if (error !== null) {
      rowErrors.push({ i, error });
      return;
    }
    // Nothing below may fail.
    if (line.across(series, () => applyRow(state, effects, maker, series, row))) applied += 1;
    else kept += 1;
  });
  return { applied, kept, rowErrors, unknownSids };
}

/** True for a row that would leave everything as it is, annotations included: it need not be pushed at all (MM-3). */
export function isStanding(state: State, row: MicrosQuote): boolean {
  const series = state.series[row.sid];
  if (series === undefined || !isTradable(series, state.ts)) return false;
  if ((row.iv ?? series.iv) !== series.iv || (row.delta ?? series.delta) !== series.delta) return false;
  const { bids, asks } = series.quotes;
  return !planSide(state, bids, row.bids).changes && !planSide(state, asks, row.asks).changes;
}

/** Pulls every quote of the maker and says how many orders that took off the books. */
export function pullQuotes(state: State, effects: Effects): number {
  return pullWhere(state, effects, { account: makerOf(state), includes: () => true });
}

/** A maker that pushes nothing for longer than the limit loses its quotes (MM-4). */
export function expireQuotes(state: State, effects: Effects): void {
  if (state.ts - state.lastQuoteTs >= parametersOf(state).quoteTtlMs) pullQuotes(state, effects);
}

function makerOf(state: State): Account {
  return state.accounts[MAKER]!;
}

/**
 * What is wrong with a row whatever else rests and whatever the maker holds, or null: it can be refused before it is
 * logged. An unknown series is no fault.
 */
export function rowFault(state: State, row: MicrosQuote): string | null {
  const series = state.series[row.sid];
  if (series === undefined) return null;
  if (series.status === 'settled') return REJECT.seriesSettled;
  if (!isTradable(series, state.ts)) return REJECT.seriesExpired;
  const fault = checkSide(row.bids, 'buy') ?? checkSide(row.asks, 'sell');
  return fault ?? checkCrossed({ bids: row.bids ?? [], asks: row.asks ?? [] });
}

/** Why a row cannot be applied, whatever the maker's exposure. */
function checkRow(state: State, series: Series, row: MicrosQuote, ladders: Ladders): string | null {
  return rowFault(state, row) ?? checkCrossed(ladders) ?? checkQuantities(state, series, ladders);
}

/** Not too many levels, each positive and representable, strictly best first. */
function checkSide(levels: readonly MicrosLevel[] | null, side: Side): string | null {
  if (levels !== null && levels.length > QUOTE_LEVELS_MAX) return 'too many levels';
  let previous = side === 'buy' ? Number.POSITIVE_INFINITY : 0;
  for (const [price, qty] of levels ?? []) {
    if (!(Number.isSafeInteger(price) && price > 0)) return REJECT.badPrice;
    if (!(Number.isSafeInteger(qty) && qty > 0 && isCostExact(price, qty))) return REJECT.badQty;
    if (side === 'buy' ? price >= previous : price <= previous) return 'levels must stand best first';
    previous = price;
  }
  return null;
}

function checkCrossed({ bids: [bid], asks: [ask] }: Ladders): string | null {
  return bid !== undefined && ask !== undefined && bid[0] >= ask[0] ? 'crossed ladder' : null;
}

/** Positions, both sides of the book and open interest stay in the exact range whatever of the row trades. */
function checkQuantities(state: State, series: Series, ladders: Ladders): string | null {
  const { quotes, openInterestMicros } = series;
  const bids = quantityOf(ladders.bids);
  const asks = quantityOf(ladders.asks);
  const held = makerOf(state).positions.get(series.sid)?.qtyMicros ?? 0;
  const largest = Math.max(
    Math.max(held, 0) + bids,
    Math.max(-held, 0) + asks,
    series.restingBuyMicros - quantityOf(standing(state, quotes.bids)) + bids,
    series.restingSellMicros - quantityOf(standing(state, quotes.asks)) + asks,
    openInterestMicros + Math.max(bids, asks),
  );
  return largest <= MICROS_MAX ? null : REJECT.badQty;
}

function quantityOf(levels: readonly MicrosLevel[]): number {
  return levels.reduce((sum, [, qty]) => sum + qty, 0);
}

/** The maker's ladders as the row would leave them: its own sides, and what stands on those it leaves alone. */
function laddersAfter(state: State, { quotes }: Series, { bids, asks }: MicrosQuote): Ladders {
  return { bids: bids ?? standing(state, quotes.bids), asks: asks ?? standing(state, quotes.asks) };
}

function standing(state: State, ids: readonly number[]): MicrosLevel[] {
  const { orders } = state;
  return restingHandles(state, ids).map((h): MicrosLevel => [orders.price(h), orders.remaining(h)]);
}

function restingHandles(state: State, ids: readonly number[]): number[] {
  return ids.map((id) => state.orders.find(id)).filter((h) => h !== NIL);
}

/** Brings both sides to the requested ladders; false when they stood there already. */
function applyRow(state: State, effects: Effects, maker: Account, series: Series, row: MicrosQuote): boolean {
  if (row.iv !== undefined) series.iv = row.iv;
  if (row.delta !== undefined) series.delta = row.delta;
  const bids = planSide(state, series.quotes.bids, row.bids);
  const asks = planSide(state, series.quotes.asks, row.asks);
  if (!bids.changes && !asks.changes) return false;
  for (const h of [...bids.pulled, ...asks.pulled]) pullResting(state, effects, h);
  const push = { state, effects, maker, series };
  series.quotes.bids = placeSide(push, 'buy', bids);
  series.quotes.asks = placeSide(push, 'sell', asks);
  return true;
}

interface SidePlan {
  readonly changes: boolean;
  /** The ladder to be, each level with the id of the order that stands there already, or 0. */
  readonly levels: readonly { readonly price: number; readonly qty: number; readonly keptId: number }[];
  readonly pulled: readonly number[];
}

function planSide(state: State, ids: readonly number[], wanted: readonly MicrosLevel[] | null): SidePlan {
  const { orders } = state;
  const standing = new Map(restingHandles(state, ids).map((h) => [orders.price(h), h]));
  const target = wanted ?? [...standing].map(([price, h]): MicrosLevel => [price, orders.remaining(h)]);
  const levels = target.map(([price, qty]) => {
    const h = standing.get(price);
    const isKept = h !== undefined && orders.remaining(h) === qty;
    if (isKept) standing.delete(price);
    return { price, qty, keptId: isKept ? orders.id(h) : 0 };
  });
  const pulled = [...standing.values()];
  return { changes: pulled.length > 0 || levels.some(({ keptId }) => keptId === 0), levels, pulled };
}

interface Push {
  readonly state: State;
  readonly effects: Effects;
  readonly maker: Account;
  readonly series: Series;
}

/** Places the new levels of a side, best first. Where one crosses a trader's order the maker is the taker (FINE-15). */
function placeSide(push: Push, side: Side, plan: SidePlan): number[] {
  const ids: number[] = [];
  for (const { price, qty, keptId } of plan.levels) {
    const id = keptId === 0 ? placeLevel(push, side, price, qty) : keptId;
    if (id !== 0) ids.push(id);
  }
  return ids;
}

function placeLevel({ state, effects, maker, series }: Push, side: Side, price: number, qty: number): number {
  state.lastOrderId += 1;
  const id = state.lastOrderId;
  const order = { id, account: maker, series, side, qtyMicros: toMicros(qty) };
  const limitMicros = toMicros(price);
  const trades = match(state, effects, { ...order, limitMicros });
  const remainingMicros = toMicros(qty - tradedMicros(trades));
  if (remainingMicros === 0) return 0;
  rest(state, effects, { ...order, priceMicros: limitMicros, remainingMicros });
  return id;
}
