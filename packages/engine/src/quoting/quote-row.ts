/** Checks and applies one row of a push (MM-3, FINE-15). */

import { type MicrosQuote, type RowFault, toMicros } from '@venue/protocol';
import { BUY, SELL } from '../book/book.ts';
import type { Effects } from '../entry/effects.ts';
import { isTradable } from '../expiry/listings.ts';
import { annotate, isAnnotationDue } from '../risk/annotations.ts';
import type { Account } from '../state/account.ts';
import { MAKER } from '../state/ids.ts';
import type { Position } from '../state/positions.ts';
import type { Series, Side } from '../state/series.ts';
import { positionOf, type State } from '../state/state.ts';
import { enter } from '../trading/matching.ts';
import { changeResting, pullResting } from '../trading/resting.ts';
import { HouseLine } from './house-line.ts';
import { houseLineRefusal } from './house-line-row.ts';
import { moveLadder } from './move-ladder.ts';
import { isLadderStanding, type RowPlan, SidePlan } from './quote-ladder.ts';
import { checkCrossed, checkQuantities, faultOf } from './row-faults.ts';

/** Shared by all rows of a push. */
export interface Push {
  readonly state: State;
  readonly effects: Effects;
  readonly maker: Account;
  readonly line: HouseLine;
  /** The plan of the row being applied. */
  readonly plan: RowPlan;
}

/** Prepares a push before its first row. */
export function beginPush(state: State, effects: Effects, maker: Account): Push {
  const plan = { bids: new SidePlan('buy'), asks: new SidePlan('sell') };
  return { state, effects, maker, line: new HouseLine(state, maker), plan };
}

/** Returns true if the row changed its series, false if the ladders were already in place, or why it cannot be applied. */
export function applyRow(push: Push, series: Series, row: MicrosQuote): RowFault | boolean {
  const { state, maker, line, plan } = push;
  const { bids, asks } = plan;
  const fault = faultOf(series, row, state.ts);
  if (fault !== null) return fault;
  const position = maker.positions.get(series.sid);
  const held = position?.qtyMicros ?? 0;
  const exposureMicros = line.ofMicros(series, held);
  bids.read(state.orders, series.quotes.bids, row.bids);
  asks.read(state.orders, series.quotes.asks, row.asks);
  const ladders = { bids: bids.levels, asks: asks.levels };
  const refusal =
    checkCrossed(bids.bestPrice, asks.bestPrice) ??
    checkQuantities(series, { heldMicros: held, bidMicros: 0, askMicros: 0 }, plan) ??
    houseLineRefusal(state, line, series, { ladders, position, exposureMicros });
  if (refusal !== null) return refusal;
  // Nothing below may fail.
  if (row.iv !== undefined) series.iv = row.iv;
  annotate(state, maker, series, row.iv);
  if (row.delta !== undefined) series.delta = row.delta;
  if (!bids.changes && !asks.changes) {
    // A volatility alone moves the mark of the model.
    line.moved(exposureMicros, line.ofMicros(series, held));
    return false;
  }
  const holding = position ?? positionOf(maker, series);
  if (mayMeet(series, plan)) {
    pullPlanned(push);
    series.quotes.bids = placeSide(push, series, bids);
    series.quotes.asks = placeSide(push, series, asks);
    line.recount();
  } else {
    moveSide(push, series, holding, bids);
    moveSide(push, series, holding, asks);
    line.moved(exposureMicros, line.ofMicros(series, held));
  }
  return true;
}

/**
 * True for a row that would change nothing at a time, annotations included: it need not be pushed at all (MM-3). A
 * repeated volatility changes the age of the one that the model takes (RSK-2), so it is pushed once that is an hour old.
 */
export function isStanding(state: State, row: MicrosQuote, ts: number): boolean {
  const series = state.series[row.sid];
  if (series === undefined || !isTradable(series, ts)) return false;
  if (isAnnotationDue(state, state.accounts[MAKER]!, series, { iv: row.iv, ts })) return false;
  if ((row.iv ?? series.iv) !== series.iv || (row.delta ?? series.delta) !== series.delta) return false;
  const { bids, asks } = series.quotes;
  return isLadderStanding(state.orders, bids, row.bids) && isLadderStanding(state.orders, asks, row.asks);
}

/** True if a new level would meet a resting order, even if only the maker's own that is about to be pulled. */
function mayMeet({ book }: Series, { bids, asks }: RowPlan): boolean {
  const [bid, ask] = [bids.bestPrice, asks.bestPrice];
  return (bid !== null && book.crosses(BUY, bid)) || (ask !== null && book.crosses(SELL, ask));
}

/** Places one side's ladder if nothing can trade, as in most rows. */
function moveSide({ state, maker }: Push, series: Series, position: Position, plan: SidePlan): void {
  const ids = plan.side === 'buy' ? series.quotes.bids : series.quotes.asks;
  moveLadder(state, { series, owner: maker.index, ids }, plan);
  changeResting(position, series, plan.side, plan.wantedMicros - plan.standingMicros);
}

function pullPlanned({ state, effects, plan: { bids, asks } }: Push): void {
  for (let k = 0; k < bids.pulledCount; k++) pullResting(state, effects, bids.pulled[k]!, 'user');
  for (let k = 0; k < asks.pulledCount; k++) pullResting(state, effects, asks.pulled[k]!, 'user');
}

/** Places the new levels of a side, best first. If one crosses a trader's order, the maker is the taker (FINE-15). */
function placeSide(push: Push, series: Series, { side, levels, kept }: SidePlan): number[] {
  const ids: number[] = [];
  for (let k = 0; k < levels.length; k++) {
    const [price, qty] = levels[k]!;
    const h = kept[k] ?? null;
    const id = h === null ? placeLevel(push, { series, side, price, qty }) : push.state.orders.id(h);
    if (id !== 0) ids.push(id);
  }
  return ids;
}

interface NewLevel {
  readonly series: Series;
  readonly side: Side;
  readonly price: number;
  readonly qty: number;
}

/** The id of the resting order, or 0 if all of it traded. */
function placeLevel({ state, effects, maker }: Push, { series, side, price, qty }: NewLevel): number {
  state.lastOrderId += 1;
  const id = state.lastOrderId;
  const terms = { id, account: maker, series, side, qtyMicros: toMicros(qty), limitMicros: toMicros(price) };
  return enter(state, effects, terms) === 0 ? 0 : id;
}
