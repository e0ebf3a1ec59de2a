/**
 * Liquidation in the model: accounts that stay in margin call lose their orders and their shorts (LIQ-1 to LIQ-3,
 * FINE-11).
 */

import { coverageOf, groupsOf } from './defined-risk.ts';
import { isSpared } from './jumps.ts';
import { freshPrices } from './listings.ts';
import { byModel, intrinsic, ivOf, mark } from './marks.ts';
import { bookLeg, encounters, feeOf, fillValue, trade, V1_TERMS } from './matching.ts';
import { ceilDiv, floorDiv, least, MILLION, MOST, most, positive, sum } from './numbers.ts';
import type { ModelAccount, ModelSeries } from './records.ts';
import { pullOrders } from './resting.ts';
import { cost, inMarginCall } from './risk.ts';
import { HOUSE, instrumentOf, type ModelState, parametersOf, positionIn } from './state.ts';
import { unit } from './units.ts';

const CENT = 10_000n;
/** The most that all traders together may be made to owe. */
const DEBT_MAX = floorDiv(MOST, 4n);

/** Accounts one after the other; the venue's own are exempt (HOUSE-1). */
export function liquidate(state: ModelState): void {
  for (const account of state.accounts.filter(({ role }) => role === 'trader')) {
    const before = account.wasCalled;
    note(state, account);
    const isDue = before && account.wasCalled;
    if (!isDue || !byModel(state)) account.quarters = null;
    if (isDue && isSpared(state, account)) noteSpared(state, account);
    else if (isDue && byModel(state)) liquidateQuarter(state, account);
    else if (isDue) liquidateAccount(state, account);
  }
}

/** Only of one that would be liquidated otherwise. */
function noteSpared(state: ModelState, account: ModelAccount): void {
  const shorts = state.series.filter(({ sid }) => positionIn(account, sid).qty < 0n);
  const mayTake = (series: ModelSeries) =>
    isFresh(state, series) && (!byModel(state) || ivOf(state, series) !== undefined);
  if (shorts.length === 0 || shorts.some(mayTake)) state.notes.push('called account spared in a jump');
}

function note(state: ModelState, account: ModelAccount): void {
  account.wasCalled = inMarginCall(state, account);
  account.calledSince = account.wasCalled ? (account.calledSince ?? state.ts) : null;
}

/** A quarter of every short at each of four ticks, the largest margin first, until the call ends (RSK-4). */
function liquidateQuarter(state: ModelState, account: ModelAccount): void {
  const shorts = state.series.filter(({ sid }) => positionIn(account, sid).qty < 0n);
  const mayTake = (series: ModelSeries) => isFresh(state, series) && ivOf(state, series) !== undefined;
  const known = shorts.filter(mayTake);
  if (known.length < shorts.length) state.notes.push('short without a spot or a model not liquidated');
  if (shorts.length > 0 && known.length === 0) return;
  const exposed = exposedShorts(state, account);
  const { tick, sizes } = nextQuarter(account, exposed);
  state.notes.push(`liquidated at tick ${tick}`);
  pullOrders(state, 'liquidation', ({ owner }) => owner === account.index);
  const open = known.filter(({ sid, expiryTs }) => exposed.has(sid) && state.ts < expiryTs * 1000);
  for (const series of largestFirst(state, exposed, open)) {
    if (!inMarginCall(state, account)) {
      state.notes.push('call ended before all shorts had their turn');
      break;
    }
    const short = exposed.get(series.sid)!;
    const quarter = least(ceilDiv(sizes.get(series.sid) ?? short, 4n), short);
    const { spot } = instrumentOf(state, series.symbol)!;
    const limit = least(mark(state, series) + floorDiv(spot, 100n), MOST);
    const isLast = tick === 4;
    buyBack(state, account, series, { limit, qty: isLast ? short : quarter, isLast });
  }
  if (tick === 4) handOver(state, account, mayTake);
  note(state, account);
  if (tick === 4 || !account.wasCalled) account.quarters = null;
}

function nextQuarter(
  account: ModelAccount,
  exposed: ReadonlyMap<number, bigint>,
): NonNullable<ModelAccount['quarters']> {
  const { tick, sizes } = account.quarters ?? { tick: 0, sizes: new Map(exposed) };
  account.quarters = { tick: tick + 1, sizes };
  return account.quarters;
}

function largestFirst(
  state: ModelState,
  exposed: ReadonlyMap<number, bigint>,
  shorts: readonly ModelSeries[],
): ModelSeries[] {
  const rows = shorts.map((series) => ({
    series,
    margin: cost(unit(state, series, 'maintenance'), exposed.get(series.sid)!),
  }));
  rows.sort((a, b) => (a.margin === b.margin ? a.series.sid - b.series.sid : a.margin < b.margin ? 1 : -1));
  return rows.map(({ series }) => series);
}

function liquidateAccount(state: ModelState, account: ModelAccount): void {
  const shorts = state.series.filter(({ sid }) => positionIn(account, sid).qty < 0n);
  const fresh = shorts.filter((series) => isFresh(state, series));
  if (fresh.length < shorts.length) state.notes.push('stale short not liquidated');
  if (shorts.length > 0 && fresh.length === 0) return;
  if (shorts.length === 0) state.notes.push('liquidated without a short');
  else if (fresh.length < shorts.length) state.notes.push('fresh short liquidated beside a stale one');
  pullOrders(state, 'liquidation', ({ owner }) => owner === account.index);
  const exposed = exposedShorts(state, account);
  for (const series of fresh) {
    const qty = exposed.get(series.sid);
    if (qty === undefined) continue;
    const limit = unit(state, series, 'entry');
    if (state.ts < series.expiryTs * 1000) buyBack(state, account, series, { limit, qty, isLast: true });
    else state.notes.push('expired short not liquidated');
  }
  handOver(state, account, (series) => isFresh(state, series));
  note(state, account);
}

/** The part of each short that is bought back, by sid: where longs cover shorts, what none covers (DRM-4). */
function exposedShorts(state: ModelState, account: ModelAccount): Map<number, bigint> {
  if (account.marginMode === 'defined-risk') {
    const uncovered = groupsOf(state, account).flatMap((group) => [
      ...coverageOf(state, account, group).uncovered,
    ]);
    return new Map(uncovered.map(([{ sid }, qty]) => [sid, qty]));
  }
  const shorts = state.series.filter(({ sid }) => positionIn(account, sid).qty < 0n);
  return new Map(shorts.map(({ sid }) => [sid, -positionIn(account, sid).qty]));
}

interface Given {
  readonly series: ModelSeries;
  /** Negative for a short. */
  readonly qty: bigint;
}

/** Pairs and whole groups go to the house while the call lasts, unless one of their shorts may not be taken. */
function handOver(state: ModelState, account: ModelAccount, mayTake: (series: ModelSeries) => boolean): void {
  if (account.marginMode === 'per-leg') return;
  const isHeld = ({ sid }: ModelSeries) => positionIn(account, sid).qty !== 0n;
  const groups = groupsOf(state, account).map((group) => group.filter(isHeld));
  groups.sort(([one], [other]) => (one?.sid ?? 0) - (other?.sid ?? 0));
  for (const group of groups) {
    const { whole, pairs } = coverageOf(state, account, group);
    const bundles: { given: readonly Given[]; most: bigint }[] = pairs.map(({ short, long, qty, each }) => ({
      given: [
        { series: short, qty: -qty },
        { series: long, qty },
      ],
      most: cost(each, qty),
    }));
    if (whole !== null) bundles.push({ given: whole.legs, most: whole.most });
    for (const { given, most: required } of bundles) {
      const isOpen = given.every(({ series, qty }) => {
        return series.status === 'live' && state.ts < series.expiryTs * 1000 && (qty > 0n || mayTake(series));
      });
      if (!isOpen || !inMarginCall(state, account)) continue;
      state.notes.push(whole === null ? 'covered pair handed over' : 'covered group handed over');
      give(state, account, given, required);
    }
  }
}

/** All for one amount: the shorts less the longs, each at its mark or at intrinsic, at least 0 and at most what is required. */
function give(state: ModelState, account: ModelAccount, given: readonly Given[], required: bigint): void {
  const legs = given.map(({ series, qty }) => {
    const { spot } = instrumentOf(state, series.symbol)!;
    const price = most(mark(state, series), intrinsic(series, spot));
    const value = least(qty < 0n ? cost(price, -qty) : floorDiv(price * qty, MILLION), MOST);
    return { series, qty, price, value };
  });
  const ofSide = (isShort: boolean) =>
    sum(legs.filter(({ qty }) => qty < 0n === isShort).map((leg) => leg.value));
  const paid = least(least(positive(ofSide(true) - ofSide(false)), required), room(state, account));
  for (const leg of [...legs].reverse()) {
    const excess = ofSide(true) - ofSide(false) - paid;
    if (leg.qty < 0n) leg.value -= least(leg.value, positive(excess));
    else leg.value -= least(leg.value, positive(-excess));
  }
  state.lastOrderId += 1;
  for (const { series, qty, price, value } of legs) {
    const [side, other] = qty < 0n ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
    const leg = {
      id: state.lastOrderId,
      series,
      price,
      qty: qty < 0n ? -qty : qty,
      value,
      fee: 0n,
      signer: null,
    };
    bookLeg(state, { ...leg, account, side, taker: true, kind: 'liquidation' });
    bookLeg(state, { ...leg, account: state.accounts[HOUSE]!, side: other, taker: false, kind: 'trade' });
  }
}

function isFresh(state: ModelState, series: ModelSeries): boolean {
  return freshPrices(state, instrumentOf(state, series.symbol)!).length > 0;
}

interface BuyBackTerms {
  readonly limit: bigint;
  readonly qty: bigint;
  /** The house takes what the book does not give. */
  readonly isLast: boolean;
}

function buyBack(
  state: ModelState,
  account: ModelAccount,
  series: ModelSeries,
  { limit, qty, isLast }: BuyBackTerms,
): void {
  const { spot } = instrumentOf(state, series.symbol)!;
  const price = most(most(mark(state, series), intrinsic(series, spot)), CENT);
  state.lastOrderId += 1;
  const id = state.lastOrderId;
  const short = () => -positionIn(account, series.sid).qty;
  const before = short();
  const wanted = () => qty - (before - short());
  for (let met = nextAsk(); met !== undefined; met = nextAsk()) {
    trade(state, { ...order(), qty: met.qty, kind: 'liquidation' });
  }
  const left = wanted();
  if (left > 0n && isLast) giveToHouse(state, { id, account, series, price, qty: left });
  const by = left === 0n ? 'from the book' : left === qty ? 'to the house' : 'by both';
  if (isLast) state.notes.push(`liquidated ${by}`);
  if (account.cash < 0n) state.notes.push('liquidated below zero');

  function order() {
    return { id, account, series, side: 'buy' as const, price: limit, signer: null, terms: V1_TERMS };
  }

  function nextAsk() {
    if (wanted() === 0n) return undefined;
    const [met] = encounters(state, { ...order(), qty: wanted() }).met;
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
