/**
 * Settlement, the first job of maintenance: every due expiry is judged in one go, then its series are paid or put in
 * review in bounded slices of whole series, so that no entry occupies the node for long.
 */

import { ExactSum, MICROS_PER_UNIT, type Micros, mulDivCeilClamped, toMicros } from '@venue/protocol';
import { intrinsicMicros } from '@venue/protocol/margin';
import { BUY, SELL } from '../book/book.ts';
import type { Effects } from '../entry/effects.ts';
import type { Account } from '../state/account.ts';
import { bookSettlement } from '../state/booking.ts';
import type { SettlementLeg } from '../state/ledger.ts';
import {
  DECISIONS_KEPT,
  SETTLE_SERIES_WORK,
  SETTLE_SLICE_WORK,
  SETTLEMENT_DEBT_MAX_MICROS,
} from '../state/limits.ts';
import type { Decision, Instrument, Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { pull } from '../trading/pulls.ts';
import { cutoffMs, judge } from './oracle.ts';

/** Judges every undecided expiry that is due; `continueSettlement` carries the decisions out. */
export function startSettlement(state: State, effects: Effects): void {
  const decisions: Decision[] = [];
  let debt: SettlementDebt | null = null;
  for (const instrument of state.instruments.values()) {
    for (const expiryTs of undecidedExpiries(state, instrument)) {
      debt ??= new SettlementDebt(state);
      const decision = affordable(debt, judge(state, instrument, expiryTs));
      remember(instrument, decision);
      if (decision.priceMicros !== null) effects.settled(decision);
      decisions.push(decision);
    }
  }
  pruneWindows(state);
  state.settling = decisions;
}

/**
 * Ascending. Only an underlying with series in the expiry needs a price. The cutoff itself must be over, because a
 * print in that very millisecond counts (ORA-1).
 */
function undecidedExpiries(state: State, { series, decisions }: Instrument): number[] {
  const due = new Set<number>();
  for (const { expiryTs, cutoffMs: endMs, status } of series) {
    if (status === 'live' && endMs < state.ts && !decisions.has(expiryTs)) due.add(expiryTs);
  }
  return [...due].sort((a, b) => a - b);
}

/** Drops windows that are no longer needed: of decided expiries, and of those that passed without a series. */
function pruneWindows(state: State): void {
  state.expiries = state.expiries.filter((expiryTs) => cutoffMs(expiryTs) >= state.ts);
  for (const { windows } of state.instruments.values()) {
    for (const expiryTs of windows.keys()) if (cutoffMs(expiryTs) < state.ts) windows.delete(expiryTs);
  }
}

/** A price too large to be paid out settles nothing (OWN-45): it is refused like any other bad price. */
function affordable(debt: SettlementDebt, decision: Decision): Decision {
  const { priceMicros } = decision;
  if (priceMicros === null || debt.tryAdd(decision, priceMicros)) return decision;
  return { ...decision, refusal: 'payout too large', priceMicros: null, decidedAt: null, by: null };
}

/** The debts of all accounts, present and after every decided payout: no price may take them out of the exact range. */
export class SettlementDebt {
  #micros: number;

  /** `without` is a decision to leave out because its price is still being judged. */
  constructor(state: State, without: Decision | null = null) {
    const sum = new ExactSum();
    for (const { cashMicros } of state.accounts) if (cashMicros < 0) sum.add(0 - cashMicros);
    for (const { series, decisions } of state.instruments.values()) {
      for (const one of series) {
        const decision = decisions.get(one.expiryTs);
        if (decision !== undefined && decision !== without) sum.add(payoutOf(one, decision.priceMicros));
      }
    }
    this.#micros = sum.clamped();
  }

  /** Adds the payouts of an expiry at a price if there is room for them; returns false if there is not. */
  tryAdd({ instrument, expiryTs }: Decision, priceMicros: Micros): boolean {
    const payouts = new ExactSum();
    for (const series of instrument.series) {
      if (series.expiryTs === expiryTs) payouts.add(payoutOf(series, priceMicros));
    }
    const micros = this.#micros + payouts.clamped();
    if (micros > SETTLEMENT_DEBT_MAX_MICROS) return false;
    this.#micros = micros;
    return true;
  }
}

/** The debt of a series' shorts at a price; 0 without a price, and once they have paid. */
function payoutOf(series: Series, priceMicros: Micros | null): number {
  if (priceMicros === null || series.status === 'settled') return 0;
  return mulDivCeilClamped(intrinsicMicros(series, priceMicros), series.openInterestMicros, MICROS_PER_UNIT);
}

/** Drops the oldest decisions, except those that a series still waits for. */
function remember({ decisions, series }: Instrument, decision: Decision): void {
  decisions.set(decision.expiryTs, decision);
  if (decisions.size <= DECISIONS_KEPT) return;
  const awaited = new Set(series.map(({ expiryTs }) => expiryTs));
  for (const expiryTs of decisions.keys()) {
    if (decisions.size <= DECISIONS_KEPT) return;
    if (!awaited.has(expiryTs)) decisions.delete(expiryTs);
  }
}

/**
 * Carries out the tick's decisions, one whole series after the other, until about `sliceWork` is done; returns the work
 * done (OWN-46). `state.settling` keeps the rest.
 */
export function continueSettlement(state: State, effects: Effects, sliceWork = SETTLE_SLICE_WORK): number {
  let work = 0;
  while (state.settling !== null && state.settling.length > 0) {
    const decision = state.settling[0]!;
    for (const series of seriesOf(decision, 'live')) {
      if (work >= sliceWork) return work;
      work += SETTLE_SERIES_WORK + carryOut(state, effects, series, decision);
    }
    dropSettled(decision.instrument);
    state.settling.shift();
  }
  return work;
}

/** The series of an expiry with a given status, in listing order. */
export function seriesOf({ instrument, expiryTs }: Decision, status: Series['status']): Series[] {
  return instrument.series.filter((series) => series.expiryTs === expiryTs && series.status === status);
}

/** Removes settled series from the listings. */
export function dropSettled(instrument: Instrument): void {
  instrument.series = instrument.series.filter(({ status }) => status !== 'settled');
}

/** A refused expiry goes to review, even if one of its series has been settled by hand meanwhile. */
function carryOut(state: State, effects: Effects, series: Series, decision: Decision): number {
  const { priceMicros, refusal } = decision;
  if (refusal === null && priceMicros !== null) return settleSeries(state, effects, series, priceMicros);
  const pulled = pullAll(state, effects, series);
  series.status = 'pending-review';
  for (const index of series.holders) effects.accountChanged(state.accounts[index]!);
  return pulled;
}

/**
 * Pays every position of a series its intrinsic value at the settlement price and closes it. Payouts are rounded over
 * the running total in account order, so that each is within a micro of exact and all of them sum to zero (NUM-6).
 */
export function settleSeries(state: State, effects: Effects, series: Series, priceMicros: Micros): number {
  const work = pullAll(state, effects, series) + series.holders.length;
  series.status = 'settled';
  series.payoutMicros = intrinsicMicros(series, priceMicros);
  const holders = series.holders.sort((a, b) => a - b).map((index) => state.accounts[index]!);
  bookSettlement(state, effects, series, settlementLegs(holders, series));
  for (const account of holders) account.positions.delete(series.sid);
  series.holders.length = 0;
  return work;
}

/** One leg per account that is not flat. */
function settlementLegs(holders: readonly Account[], series: Series): SettlementLeg[] {
  const legs: SettlementLeg[] = [];
  const payout = BigInt(series.payoutMicros);
  let exact = 0n;
  let paid = 0n;
  for (const account of holders) {
    const position = account.positions.get(series.sid)!;
    if (position.qtyMicros === 0) continue;
    exact += BigInt(position.qtyMicros) * payout;
    const total = floorDiv(exact, BigInt(MICROS_PER_UNIT));
    legs.push({ account, position, payMicros: toMicros(Number(total - paid)) });
    paid = total;
  }
  return legs;
}

function floorDiv(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

/** Cancels every resting order of a series, of any owner, and returns how many. */
function pullAll(state: State, effects: Effects, { book, quotes }: Series): number {
  let pulled = 0;
  for (const side of [BUY, SELL] as const) {
    for (let h = book.best(side); h !== null; h = book.best(side)) {
      pull(state, effects, h, 'settlement');
      pulled += 1;
    }
  }
  quotes.bids = [];
  quotes.asks = [];
  return pulled;
}
