/**
 * Liquidation in the model: accounts that stay in margin call lose their orders and their shorts (LIQ-1 to LIQ-3,
 * FINE-11).
 */

import { freshPrices } from './listings.ts';
import { bookLeg, encounters, feeOf, fillValue, trade, V1_TERMS } from './matching.ts';
import { floorDiv, least, MOST, most, positive, sum } from './numbers.ts';
import { pullOrders } from './resting.ts';
import { cost, inMarginCall, intrinsic, mark, unit } from './risk.ts';
import {
  HOUSE,
  instrumentOf,
  type ModelAccount,
  type ModelSeries,
  type ModelState,
  parametersOf,
  positionIn,
} from './state.ts';

const CENT = 10_000n;
/** The most that all traders together may be made to owe. */
const DEBT_MAX = floorDiv(MOST, 4n);

/** Accounts one after the other; the venue's own are exempt (HOUSE-1). */
export function liquidate(state: ModelState): void {
  for (const account of state.accounts.filter(({ role }) => role === 'trader')) {
    const before = account.wasCalled;
    account.wasCalled = inMarginCall(state, account);
    if (before && account.wasCalled) liquidateAccount(state, account);
  }
}

function liquidateAccount(state: ModelState, account: ModelAccount): void {
  const shorts = state.series.filter(({ sid }) => positionIn(account, sid).qty < 0n);
  const fresh = shorts.filter((series) => isFresh(state, series));
  if (fresh.length < shorts.length) state.notes.push('stale short not liquidated');
  if (shorts.length > 0 && fresh.length === 0) return;
  if (shorts.length === 0) state.notes.push('liquidated without a short');
  else if (fresh.length < shorts.length) state.notes.push('fresh short liquidated beside a stale one');
  pullOrders(state, 'liquidation', ({ owner }) => owner === account.index);
  for (const series of fresh) {
    if (state.ts < series.expiryTs * 1000) buyBack(state, account, series);
    else state.notes.push('expired short not liquidated');
  }
  account.wasCalled = inMarginCall(state, account);
}

function isFresh(state: ModelState, series: ModelSeries): boolean {
  return freshPrices(state, instrumentOf(state, series.symbol)!).length > 0;
}

function buyBack(state: ModelState, account: ModelAccount, series: ModelSeries): void {
  const limit = unit(state, series, 'entry');
  const { spot } = instrumentOf(state, series.symbol)!;
  const price = most(most(mark(state, series), intrinsic(series, spot)), CENT);
  state.lastOrderId += 1;
  const id = state.lastOrderId;
  const short = () => -positionIn(account, series.sid).qty;
  const before = short();
  for (let met = nextAsk(); met !== undefined; met = nextAsk()) {
    trade(state, { ...order(), qty: met.qty, kind: 'liquidation' });
  }
  const left = short();
  if (left > 0n) giveToHouse(state, { id, account, series, price, qty: left });
  const by = left === 0n ? 'from the book' : left === before ? 'to the house' : 'by both';
  state.notes.push(`liquidated ${by}`);
  if (account.cash < 0n) state.notes.push('liquidated below zero');

  function order() {
    return { id, account, series, side: 'buy' as const, price: limit, signer: null, terms: V1_TERMS };
  }

  function nextAsk() {
    if (short() === 0n) return undefined;
    const [met] = encounters(state, { ...order(), qty: short() }).met;
    if (met === undefined) return undefined;
    const value = fillValue('buy', met.resting.price, met.qty);
    const { fundingMode } = parametersOf(state);
    const payable = fundingMode === 'deposits' ? positive(account.cash) : room(state, account);
    if (value + feeOf(value) <= payable) return met;
    state.notes.push(fundingMode === 'deposits' ? 'ask past the cash' : 'ask past the limit of debts');
    return undefined;
  }
}

interface Assignment {
  readonly id: number;
  readonly account: ModelAccount;
  readonly series: ModelSeries;
  readonly price: bigint;
  readonly qty: bigint;
}

/** No fee, no tape, no volume. */
function giveToHouse(state: ModelState, assignment: Assignment): void {
  const { account, price, qty } = assignment;
  const value = least(cost(price, qty), room(state, account));
  const leg = { ...assignment, value, fee: 0n, signer: null };
  bookLeg(state, { ...leg, side: 'buy', taker: true, kind: 'liquidation' });
  bookLeg(state, { ...leg, account: state.accounts[HOUSE]!, side: 'sell', taker: false, kind: 'trade' });
}

/** Its cash, plus the room left for all traders' debts. */
function room(state: ModelState, account: ModelAccount): bigint {
  const others = state.accounts.filter((other) => other.role === 'trader' && other !== account);
  const debts = sum(others.map(({ cash }) => positive(-cash)));
  return most(positive(account.cash), DEBT_MAX - debts + account.cash);
}
