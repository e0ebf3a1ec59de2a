/** Settlement in the model: first job of a tick, one expiry, one series, one account after the other (NUM-6, ORA-2). */

import { intrinsic } from './marks.ts';
import { bookLeg } from './matching.ts';
import { floorDiv, MILLION, MOST, positive, sum } from './numbers.ts';
import { judge } from './oracle.ts';
import type { ModelDecision, ModelSeries } from './records.ts';
import { pullOrders } from './resting.ts';
import { cost, openInterest } from './risk.ts';
import { type ModelState, positionIn } from './state.ts';

/** The most that all accounts together may owe once every decision is paid. */
const DEBT_MAX = floorDiv(MOST, 4n);

/** Judges every expiry that is due, then pays its series or puts them in review. */
export function settle(state: ModelState): void {
  const taken = state.instruments.flatMap(({ symbol }) =>
    dueExpiries(state, symbol).map((expiryTs) => decide(state, symbol, expiryTs)),
  );
  for (const decision of taken) {
    for (const series of seriesAt(state, decision)) {
      if (decision.price === null) review(state, series);
      else pay(state, series, decision.price);
    }
  }
}

function dueExpiries(state: ModelState, symbol: string): number[] {
  const due = state.series.filter(
    (series) => series.symbol === symbol && series.status === 'live' && series.expiryTs * 1000 < state.ts,
  );
  return [...new Set(due.map(({ expiryTs }) => expiryTs))].sort((a, b) => a - b);
}

function decide(state: ModelState, symbol: string, expiryTs: number): ModelDecision {
  const decision = judge(state, symbol, expiryTs);
  if (decision.price !== null && !canBePaid(state, decision, decision.price)) {
    Object.assign(decision, { refusal: 'payout too large', price: null, decidedAt: null, by: null });
  }
  state.decisions.push(decision);
  state.notes.push(decision.refusal === null ? 'settled by the oracle' : `refused: ${decision.refusal}`);
  return decision;
}

export function decisionOn(
  state: ModelState,
  { symbol, expiryTs }: Pick<ModelSeries, 'symbol' | 'expiryTs'>,
): ModelDecision | undefined {
  return state.decisions.find((decision) => decision.symbol === symbol && decision.expiryTs === expiryTs);
}

export function seriesAt(
  state: ModelState,
  { symbol, expiryTs }: Pick<ModelDecision, 'symbol' | 'expiryTs'>,
): ModelSeries[] {
  return state.series.filter((series) => series.symbol === symbol && series.expiryTs === expiryTs);
}

/** True if existing debts, all decided but unpaid payouts, and this expiry at this price stay within bounds. */
export function canBePaid(state: ModelState, meant: ModelDecision, price: bigint): boolean {
  const debts = sum(state.accounts.map(({ cash }) => positive(-cash)));
  const isMeant = (series: ModelSeries) =>
    series.symbol === meant.symbol && series.expiryTs === meant.expiryTs;
  const payout = (series: ModelSeries) => {
    const at = isMeant(series) ? price : decisionOn(state, series)?.price;
    if (series.status === 'settled' || at === undefined || at === null) return 0n;
    return cost(intrinsic(series, at), openInterest(state, series.sid));
  };
  const isPayable = debts + sum(state.series.map(payout)) <= DEBT_MAX;
  const isPayableAlone = debts + sum(state.series.filter(isMeant).map(payout)) <= DEBT_MAX;
  if (isPayableAlone && !isPayable) state.notes.push('not payable beside what is decided');
  return isPayable;
}

function review(state: ModelState, series: ModelSeries): void {
  pullAll(state, series);
  series.status = 'pending-review';
  const isHeld = state.accounts.some(({ positions }) => (positions.get(series.sid)?.qty ?? 0n) !== 0n);
  if (isHeld) state.notes.push('position put under review');
}

function pullAll(state: ModelState, series: ModelSeries): void {
  const pulled = pullOrders(state, 'settlement', ({ sid }) => sid === series.sid);
  if (pulled > 0) state.notes.push('orders pulled at the end of a series');
}

/**
 * Closes every position at its intrinsic value. Each account's payout brings the running total to its exact value
 * rounded down, so that all payouts sum to zero (NUM-6).
 */
export function pay(state: ModelState, series: ModelSeries, underlying: bigint): void {
  pullAll(state, series);
  series.payout = intrinsic(series, underlying);
  series.status = 'settled';
  let before = 0n;
  for (const account of state.accounts) {
    const { qty } = positionIn(account, series.sid);
    const after = before + qty * series.payout;
    const pays = floorDiv(after, MILLION) - floorDiv(before, MILLION);
    before = after;
    if (qty !== 0n) {
      if (pays !== floorDiv(qty * series.payout, MILLION)) state.notes.push('payout rounded up');
      const [size, value] = qty > 0n ? [qty, pays] : [-qty, -pays];
      const side = qty > 0n ? 'sell' : 'buy';
      const closing = { id: 0, side, price: series.payout, qty: size, value, fee: 0n } as const;
      bookLeg(state, { account, series, ...closing, taker: false, kind: 'settlement', signer: null });
      if (account.cash < 0n && pays < 0n) state.notes.push('settled below zero');
    }
    account.positions.delete(series.sid);
  }
}
