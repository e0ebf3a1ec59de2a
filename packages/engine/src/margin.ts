/** What an account is worth, what its shorts lock, and when that calls. Computed, never stored (MAR-3). */

import {
  clampMicros,
  ExactSum,
  MICROS_PER_UNIT,
  type Micros,
  mulDivCeil,
  mulDivCeilClamped,
  toMicros,
} from '@venue/protocol';
import { intrinsicMicros, positionMarkMicros } from './marks.ts';
import type { Account, Position, Series, State } from './state.ts';
import { parametersOf } from './state.ts';

export interface MarginLevel {
  /** Percent of spot. */
  readonly shock: number;
  /** Percent of strike. */
  readonly floor: number;
}

export const ENTRY: MarginLevel = { shock: 20, floor: 10 };
export const MAINTENANCE: MarginLevel = { shock: 12, floor: 6 };
const PERCENT = 100;

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
    shockMicros: toMicros(shockAt(series, level)),
    floorMicros: toMicros(floorAt(series, level)),
    unitMicros: unitAt(state, series, markMicros, level),
  };
}

export function marginUnitMicros(state: State, series: Series, level: MarginLevel): Micros {
  return unitAt(state, series, positionMarkMicros(series), level);
}

function unitAt(state: State, series: Series, mark: Micros, level: MarginLevel): Micros {
  return clampMicros(
    premiumAt(state, series, mark) + Math.max(shockAt(series, level), floorAt(series, level)),
  );
}

function premiumAt(state: State, series: Series, mark: Micros): number {
  const isFloored = parametersOf(state).marginPremium === 'intrinsic';
  return isFloored ? Math.max(mark, intrinsicMicros(series, series.instrument.spotMicros)) : mark;
}

function shockAt({ instrument, right, strikeMicros }: Series, { shock }: MarginLevel): number {
  const spot = instrument.spotMicros;
  const away = right === 'C' ? strikeMicros - spot : spot - strikeMicros;
  return mulDivCeil(spot, shock, PERCENT) - Math.max(away, 0);
}

function floorAt({ strikeMicros }: Series, { floor }: MarginLevel): number {
  return mulDivCeil(strikeMicros, floor, PERCENT);
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
  const equity = new ExactSum().add(account.cashMicros);
  const locked = new ExactSum().add(account.reservedMicros);
  const maintenance = new ExactSum();
  for (const position of account.positions.values()) {
    const { series, qtyMicros } = position;
    const exposure = shortExposureMicros(position);
    if (qtyMicros === 0 && exposure === 0) continue;
    const mark = positionMarkMicros(series);
    // Rounded towards minus infinity, so never to the account's favour.
    if (qtyMicros !== 0) equity.addMulDivFloor(qtyMicros, mark, MICROS_PER_UNIT);
    if (exposure > 0) locked.add(marginMicros(unitAt(state, series, mark, ENTRY), exposure));
    if (qtyMicros < 0)
      maintenance.add(marginMicros(unitAt(state, series, mark, MAINTENANCE), toMicros(-qtyMicros)));
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
  for (const position of account.positions.values()) addUnrealized(unrealized, position);
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
function addValues(account: Account): ExactSum {
  const sum = new ExactSum();
  for (const { qtyMicros, series } of account.positions.values()) {
    if (qtyMicros !== 0) sum.addMulDivFloor(qtyMicros, positionMarkMicros(series), MICROS_PER_UNIT);
  }
  return sum;
}

function addUnrealized(sum: ExactSum, { qtyMicros, costMicros, series }: Position): ExactSum {
  if (qtyMicros === 0) return sum;
  sum.addMulDivFloor(qtyMicros, positionMarkMicros(series), MICROS_PER_UNIT);
  return sum.add(qtyMicros < 0 ? costMicros : -costMicros);
}
