/** What an account is worth, what its shorts lock, and when that calls. Computed, never stored (MAR-3). */

import {
  clampMicros,
  ExactSum,
  MICROS_MAX,
  MICROS_PER_UNIT,
  type Micros,
  mulDivCeil,
  mulDivCeilClamped,
  mulDivFloor,
  toMicros,
} from '@venue/protocol';
import type { Account } from '../state/account.ts';
import type { Sid } from '../state/ids.ts';
import type { Position } from '../state/positions.ts';
import type { Series } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';
import { intrinsicMicros, positionMarkMicros } from './marks.ts';
import { ENTRY, floorMicros, MAINTENANCE, type MarginLevel, shockMicros } from './risk-charges.ts';

export { ENTRY, MAINTENANCE, type MarginLevel };

/** What the margin of one short contract is made of. */
export interface MarginTerms {
  readonly spotMicros: Micros;
  readonly markMicros: Micros;
  readonly premiumMicros: Micros;
  readonly shockMicros: Micros;
  readonly floorMicros: Micros;
  readonly unitMicros: Micros;
}

/**
 * Margin of one short contract: premium + max(shock x spot - OTM, floor x strike), each share rounded up. The premium
 * term is the mark, or no less than intrinsic where the parameters say so (MAR-1).
 */
export function marginTerms(state: State, series: Series, level: MarginLevel): MarginTerms {
  const markMicros = positionMarkMicros(series);
  return {
    spotMicros: series.instrument.spotMicros,
    markMicros,
    premiumMicros: toMicros(premiumAt(state, series, markMicros)),
    shockMicros: toMicros(shockMicros(series, level)),
    floorMicros: toMicros(floorMicros(series, level)),
    unitMicros: unitAtMicros(state, series, markMicros, level),
  };
}

export function marginUnitMicros(state: State, series: Series, level: MarginLevel): Micros {
  return unitAtMicros(state, series, positionMarkMicros(series), level);
}

/** The same with a mark that the series need not have. */
export function unitAtMicros(state: State, series: Series, mark: Micros, level: MarginLevel): Micros {
  const { charges } = state;
  const charge = level === ENTRY ? charges.entryMicros(series) : charges.maintenanceMicros(series);
  return clampMicros(premiumAt(state, series, mark) + charge);
}

function premiumAt(state: State, series: Series, mark: Micros): number {
  const isFloored = parametersOf(state).marginPremium === 'intrinsic';
  return isFloored ? Math.max(mark, intrinsicMicros(series, series.instrument.spotMicros)) : mark;
}

/** Quantity that is short or would be if every resting sell traded, longs netted (rule of `locked`). */
export function shortExposureMicros(position: Position): Micros {
  return clampMicros(Math.max(0, position.restingSellMicros - position.qtyMicros));
}

/** Margin for a quantity at a unit, rounded up. */
export function marginMicros(unitMicros: Micros, qtyMicros: Micros): Micros {
  return mulDivCeilClamped(unitMicros, qtyMicros, MICROS_PER_UNIT);
}

/** What an account is worth, and what it has to hold for that. */
export interface Risk {
  /** cash + sum(qty x mark), shorts subtracting. */
  readonly equityMicros: Micros;
  /** Short margin at entry level plus what resting buys reserve. */
  readonly lockedMicros: Micros;
  /** Margin required to keep the shorts; longs and resting orders contribute nothing. */
  readonly maintenanceMicros: Micros;
}

/** All of it from one walk over the positions: an order asks for each. */
export function riskOf(state: State, account: Account): Risk {
  return quickRiskOf(state, account) ?? exactRiskOf(state, account);
}

/**
 * The same in doubles, or null where a product leaves the range in which they are exact. A share of a product inside it is
 * under 10^10, so that their sums stay inside.
 */
function quickRiskOf(state: State, account: Account): Risk | null {
  const { valuations } = state;
  const { positions } = account;
  let value = 0;
  let locked = 0;
  let maintenance = 0;
  for (let place = 0; place < positions.size; place++) {
    const position = positions.at(place);
    const { qtyMicros } = position;
    const exposure = shortExposureMicros(position);
    if (qtyMicros === 0 && exposure === 0) continue;
    const { sid } = position;
    bringUpToDate(state, sid);
    const mark = valuations.markMicros(sid);
    const unit = valuations.entryUnitMicros(sid);
    // Units at maintenance are smaller, and no quantity is shorter than what it may grow to.
    if (!(isExact(qtyMicros, mark) && isExact(unit, exposure))) return null;
    value += mulDivFloor(qtyMicros, mark, MICROS_PER_UNIT);
    locked += mulDivCeil(unit, exposure, MICROS_PER_UNIT);
    if (qtyMicros < 0)
      maintenance += mulDivCeil(valuations.maintenanceUnitMicros(sid), -qtyMicros, MICROS_PER_UNIT);
  }
  return {
    equityMicros: clampMicros(account.cashMicros + value),
    lockedMicros: clampMicros(account.reservedMicros + locked),
    maintenanceMicros: clampMicros(maintenance),
  };
}

/** Has the valuation of a series at hand that its book, spot and status give now. */
function bringUpToDate(state: State, sid: Sid): void {
  const topVersion = state.orders.levels.topVersion(sid);
  if (state.valuations.isKept(sid, topVersion)) return;
  const series = state.series[sid]!;
  const markMicros = positionMarkMicros(series);
  state.valuations.keep(sid, topVersion, {
    markMicros,
    entryUnitMicros: unitAtMicros(state, series, markMicros, ENTRY),
    maintenanceUnitMicros: unitAtMicros(state, series, markMicros, MAINTENANCE),
  });
}

function isExact(a: number, b: number): boolean {
  return Math.abs(a * b) <= MICROS_MAX;
}

function exactRiskOf(state: State, account: Account): Risk {
  const equity = new ExactSum().add(account.cashMicros);
  const locked = new ExactSum().add(account.reservedMicros);
  const maintenance = new ExactSum();
  for (const position of account.positions) {
    const { series, qtyMicros } = position;
    const exposure = shortExposureMicros(position);
    const mark = positionMarkMicros(series);
    // Rounded towards minus infinity, so never to the account's favour.
    equity.addMulDivFloor(qtyMicros, mark, MICROS_PER_UNIT);
    locked.add(marginMicros(unitAtMicros(state, series, mark, ENTRY), exposure));
    if (qtyMicros < 0)
      maintenance.add(marginMicros(unitAtMicros(state, series, mark, MAINTENANCE), toMicros(-qtyMicros)));
  }
  return {
    equityMicros: equity.clamped(),
    lockedMicros: locked.clamped(),
    maintenanceMicros: maintenance.clamped(),
  };
}

/** Short margin at entry level plus what resting buys reserve. */
export function lockedMicros(state: State, account: Account): Micros {
  return riskOf(state, account).lockedMicros;
}

/** cash - locked; may be negative, which refuses new risk and cancels nothing. */
export function buyingPowerMicros(state: State, account: Account): Micros {
  return clampMicros(account.cashMicros - lockedMicros(state, account));
}

/** Margin required to keep the shorts an account holds. */
export function maintenanceMicros(state: State, account: Account): Micros {
  return riskOf(state, account).maintenanceMicros;
}

/** cash + sum(qty x mark), shorts subtracting. */
export function equityMicros(account: Account): Micros {
  return account.positions.size === 0
    ? account.cashMicros
    : addValues(account).add(account.cashMicros).clamped();
}

/** Mark value less cost for a long, premium received less mark value for a short. */
export function positionUnrealizedMicros(position: Position): Micros {
  return addUnrealized(new ExactSum(), position).clamped();
}

export function unrealizedMicros(account: Account): Micros {
  const unrealized = new ExactSum();
  for (const position of account.positions) addUnrealized(unrealized, position);
  return unrealized.clamped();
}

/** True while equity is under the maintenance margin: the account is reduce-only. */
export function isInMarginCall(state: State, account: Account): boolean {
  return isCalled(riskOf(state, account));
}

/** The same of a risk that is known already. */
export function isCalled({ equityMicros: equity, maintenanceMicros: maintenance }: Risk): boolean {
  return equity < maintenance;
}

/** Every value is rounded towards minus infinity, so never to the account's favour. */
function addValues({ positions }: Account): ExactSum {
  const sum = new ExactSum();
  for (let place = 0; place < positions.size; place++) {
    const { qtyMicros, series } = positions.at(place);
    if (qtyMicros !== 0) sum.addMulDivFloor(qtyMicros, positionMarkMicros(series), MICROS_PER_UNIT);
  }
  return sum;
}

function addUnrealized(sum: ExactSum, { qtyMicros, costMicros, series }: Position): ExactSum {
  if (qtyMicros === 0) return sum;
  sum.addMulDivFloor(qtyMicros, positionMarkMicros(series), MICROS_PER_UNIT);
  return sum.add(qtyMicros < 0 ? costMicros : -costMicros);
}
