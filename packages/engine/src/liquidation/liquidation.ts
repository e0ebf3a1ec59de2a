/**
 * Liquidation, the third job of maintenance: accounts that stay in margin call lose their resting orders and their
 * shorts (LIQ-1 to LIQ-3). It runs in bounded slices, one per entry, so that no entry occupies the node for long.
 */

import { clampMicros, MICROS_PER_UNIT, type Micros, mulDivCeilClamped, toMicros } from '@venue/protocol';
import { ENTRY_MARGIN } from '@venue/protocol/margin';
import { SELL } from '../book/book.ts';
import type { Effects } from '../entry/effects.ts';
import { isTradable } from '../expiry/listings.ts';
import { isFeedFresh } from '../expiry/spots.ts';
import { isInMarginCall } from '../risk/margin.ts';
import { atLeastIntrinsicMicros } from '../risk/marks.ts';
import { marksByModel, positionMarkMicros } from '../risk/risk-marks.ts';
import { marginUnitMicros } from '../risk/units.ts';
import type { Account } from '../state/account.ts';
import { fillableMicros } from '../state/fillable-walk.ts';
import { HOUSE } from '../state/ids.ts';
import {
  LIQUIDATION_ORDER_WORK,
  LIQUIDATION_PRICE_MIN_MICROS,
  LIQUIDATION_SHORT_WORK,
  LIQUIDATION_SLICE_WORK,
} from '../state/limits.ts';
import type { Position } from '../state/positions.ts';
import type { Series } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';
import { assign, fillValueMicros, match, takerFeeMicros } from '../trading/matching.ts';
import { pullWhere } from '../trading/pulls.ts';
import { ownerOf } from '../trading/resting.ts';
import { Debts } from './debts.ts';
import { exposedShorts } from './exposed.ts';
import { handOver, type Slice } from './handover.ts';
import { isSpared } from './jumps.ts';
import {
  byMaintenance,
  hasModel,
  isLastQuarter,
  nextQuarter,
  quarterLimitMicros,
  quarterMicros,
} from './quarters.ts';

/** Starts a run over every account; `continueLiquidation` carries it on. */
export function startLiquidation(state: State): void {
  state.liquidationNext = 0;
}

/**
 * Processes the next slice of the run and returns true if accounts remain for another (OWN-33). A slice ends with the
 * account that brings its work to `sliceWork`.
 */
export function continueLiquidation(
  state: State,
  effects: Effects,
  sliceWork = LIQUIDATION_SLICE_WORK,
): boolean {
  if (state.liquidationNext === null) return false;
  const slice = { state, effects, debts: new Debts(state) };
  let work = 0;
  while (state.liquidationNext < state.accounts.length && work < sliceWork) {
    const account = state.accounts[state.liquidationNext]!;
    state.liquidationNext += 1;
    work += 1 + liquidateIfDue(slice, account);
  }
  if (state.liquidationNext < state.accounts.length) return true;
  state.liquidationNext = null;
  return false;
}

/** Liquidates an account that was already in margin call at the last run; returns the work done. */
function liquidateIfDue(slice: Slice, account: Account): number {
  const { state } = slice;
  if (!canBeCalled(account)) {
    noteCall(state, account, false);
    account.quarters = null;
    return 0;
  }
  const wasCalled = account.wasCalled;
  noteCall(state, account, isInMarginCall(state, account));
  const isDue = wasCalled && account.wasCalled;
  if (!isDue || !marksByModel(state)) account.quarters = null;
  if (!isDue || isSpared(state, account)) return account.positions.size;
  const work = marksByModel(state) ? liquidateQuarter(slice, account) : liquidate(slice, account);
  return account.positions.size + work;
}

function noteCall(state: State, account: Account, isCalled: boolean): void {
  account.wasCalled = isCalled;
  account.calledSince = isCalled ? (account.calledSince ?? state.ts) : null;
}

/** Without a short and with cash in hand, equity cannot be below maintenance margin. */
function canBeCalled(account: Account): boolean {
  return account.role === 'trader' && (account.shortCount > 0 || account.cashMicros < 0);
}

/** Pulls the orders and buys the shorts back, unless all of its shorts have stale prices (LIQ-3). */
function liquidate(slice: Slice, account: Account): number {
  const { state, effects } = slice;
  const isMeant = (series: Series) => isFeedFresh(state, series.instrument, state.ts);
  if (account.shortCount > 0 && !hasShort(account, isMeant)) return 0;
  const pulled = pullWhere(state, effects, { account, cause: 'liquidation', includes: () => true });
  // An expired series cannot be traded: its shorts wait for settlement.
  const shorts = exposedShorts(state, account).filter(
    ({ position: { series } }) => isMeant(series) && isTradable(series, state.ts),
  );
  let met = 0;
  for (const short of shorts) {
    const limitMicros = marginUnitMicros(state, short.position.series, ENTRY_MARGIN);
    met += buyBack(slice, { account, ...short, limitMicros, isLast: true });
  }
  const given = handOver(slice, account, isMeant);
  noteCall(state, account, isInMarginCall(state, account));
  return (shorts.length + given) * LIQUIDATION_SHORT_WORK + (pulled + met) * LIQUIDATION_ORDER_WORK;
}

function hasShort({ positions }: Account, isMeant: (series: Series) => boolean): boolean {
  for (const { qtyMicros, series } of positions) if (qtyMicros < 0 && isMeant(series)) return true;
  return false;
}

/**
 * Buys a quarter of each short back, the largest first, and stops with the one that ends the call (RSK-4). Orders
 * leave at each of the four ticks: cash reserved for a buy that was placed between two of them would be spent twice.
 */
function liquidateQuarter(slice: Slice, account: Account): number {
  const { state, effects } = slice;
  const isMeant = (series: Series) =>
    isFeedFresh(state, series.instrument, state.ts) && hasModel(state, series);
  if (account.shortCount > 0 && !hasShort(account, isMeant)) return 0;
  const exposed = exposedShorts(state, account);
  const quarters = nextQuarter(account, exposed);
  let met = pullWhere(state, effects, { account, cause: 'liquidation', includes: () => true });
  let bought = 0;
  const meant = exposed.filter(({ position }) => isMeant(position.series));
  for (const short of byMaintenance(state, meant)) {
    const { position } = short;
    if (!isTradable(position.series, state.ts)) continue;
    if (!isInMarginCall(state, account)) break;
    const limitMicros = quarterLimitMicros(state, position.series);
    const qtyMicros = quarterMicros(quarters, short);
    met += buyBack(slice, { account, position, limitMicros, qtyMicros, isLast: isLastQuarter(quarters) });
    bought += 1;
  }
  if (isLastQuarter(quarters)) bought += handOver(slice, account, isMeant);
  noteCall(state, account, isInMarginCall(state, account));
  if (!account.wasCalled || isLastQuarter(quarters)) account.quarters = null;
  return bought * (LIQUIDATION_SHORT_WORK + account.positions.size) + met * LIQUIDATION_ORDER_WORK;
}

interface BuyBack {
  readonly account: Account;
  readonly position: Position;
  /** How much of the short is to be bought. */
  readonly qtyMicros: Micros;
  /** The highest ask to take. */
  readonly limitMicros: Micros;
  /** True if the house takes what the book cannot give. */
  readonly isLast: boolean;
}

/**
 * Buys a short back from asks up to a limit, and gives the rest to the house at the greatest of mark, intrinsic and one
 * cent. All prices are taken before the first trade (FINE-11). Returns how many orders were matched.
 */
function buyBack(slice: Slice, { account, position, ...terms }: BuyBack): number {
  const { state, effects, debts } = slice;
  const { series } = position;
  const priceMicros = housePriceMicros(state, series);
  state.lastOrderId += 1;
  const order = { id: state.lastOrderId, account, series };
  const untilMicros = toMicros(position.qtyMicros + terms.qtyMicros);
  const met = takeAsks(slice, { ...order, limitMicros: terms.limitMicros, position, untilMicros });
  const left = toMicros(untilMicros - position.qtyMicros);
  if (left === 0 || !terms.isLast) return met;
  const house = state.accounts[HOUSE]!;
  const wanted = mulDivCeilClamped(priceMicros, left, MICROS_PER_UNIT);
  const valueMicros = clampMicros(Math.min(wanted, debts.roomMicros(account)));
  debts.across([account], () =>
    assign(state, effects, { order, house, priceMicros, qtyMicros: left, valueMicros }),
  );
  return met;
}

interface BuyBackOrder {
  readonly id: number;
  readonly account: Account;
  readonly series: Series;
  readonly position: Position;
  /** The position at which enough is bought. */
  readonly untilMicros: Micros;
  readonly limitMicros: Micros;
}

/** Takes the asks within the limit, one by one; one that the account cannot be made to pay counts as too expensive. */
function takeAsks(
  { state, effects, debts }: Slice,
  { position, untilMicros, ...order }: BuyBackOrder,
): number {
  const { orders } = state;
  const { account, series, limitMicros } = order;
  let met = 0;
  while (position.qtyMicros < untilMicros) {
    const h = series.book.best(SELL);
    if (h === null || orders.price(h) > limitMicros) break;
    const qtyMicros = toMicros(Math.min(untilMicros - position.qtyMicros, fillableMicros(state, h)));
    const valueMicros = fillValueMicros('buy', orders.price(h), qtyMicros);
    const costMicros = clampMicros(valueMicros + takerFeeMicros(valueMicros));
    if (costMicros > account.cashMicros && !mayOweTraders(state)) break;
    if (costMicros > account.cashMicros && costMicros > debts.roomMicros(account)) break;
    debts.across([account, ownerOf(state, h)], () =>
      match(state, effects, { ...order, side: 'buy', qtyMicros, isLiquidation: true }),
    );
    met += 1;
  }
  return met;
}

/**
 * True if a buy-back may pay other traders more than the account has. Not with real money: someone on both sides of a
 * short could place the only ask, which sets the mark and the limit, and be paid from the vault (OWN-59).
 */
function mayOweTraders(state: State): boolean {
  return parametersOf(state).fundingMode !== 'deposits';
}

function housePriceMicros(state: State, series: Series): Micros {
  const price = atLeastIntrinsicMicros(series, positionMarkMicros(state, series));
  return clampMicros(Math.max(price, LIQUIDATION_PRICE_MIN_MICROS));
}
