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
import type { Position } from '../state/positions.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { positionMarkMicros } from './marks.ts';
import { ENTRY, entryUnitAtMicros, MAINTENANCE, marginUnitMicros, valuationsFor } from './units.ts';

/** Quantity that is short or would be if every resting sell traded, longs netted (rule of `locked`). */
export function shortExposureMicros(position: Position): Micros {
  return clampMicros(Math.max(0, position.restingSellMicros - position.qtyMicros));
}

/** Margin for a quantity at a unit, rounded up (OWN-2). */
export function marginMicros(unitMicros: Micros, qtyMicros: Micros): Micros {
  return mulDivCeilClamped(unitMicros, qtyMicros, MICROS_PER_UNIT);
}

/** Margin at entry level for a short of that many contracts, at a mark that its series need not have. */
export function shortMarginAtMicros(
  state: State,
  series: Series,
  { markMicros, qtyMicros }: { readonly markMicros: Micros; readonly qtyMicros: Micros },
): Micros {
  return marginMicros(entryUnitAtMicros(state, series, markMicros), qtyMicros);
}

/** What an account is worth, and what it has to hold for that. */
export interface Risk {
  /** cash + sum(qty x mark), shorts subtracting. */
  readonly equityMicros: Micros;
  /** Short margin at entry level plus what resting buys reserve. */
  readonly lockedMicros: Micros;
  /** Margin required to keep the shorts; longs and resting orders contribute nothing. */
  readonly maintenanceMicros: Micros;
  /** True while equity is under that: the account is reduce-only. */
  readonly isCalled: boolean;
}

/** All of it from one walk over the positions: an order asks for each. */
export function riskOf(state: State, account: Account): Risk {
  return quickRiskOf(state, account) ?? exactRiskOf(state, account);
}

/**
 * The same in doubles, or null where a product leaves the range in which they are exact. A share of a product inside it is
 * under 10^10, so that their sums stay inside.
 */
export function quickRiskOf(state: State, account: Account): Risk | null {
  const { positions } = account;
  let value = 0;
  let locked = 0;
  let maintenance = 0;
  for (let place = 0; place < positions.size; place++) {
    const position = positions.at(place);
    const { qtyMicros } = position;
    const exposure = shortExposureMicros(position);
    if (qtyMicros === 0 && exposure === 0) continue;
    const { sid, series } = position;
    const valuations = valuationsFor(state, series);
    const mark = valuations.markMicros(sid);
    const unit = valuations.entryUnitMicros(sid);
    // Units at maintenance are smaller, and no quantity is shorter than what it may grow to.
    if (!(isExact(qtyMicros, mark) && isExact(unit, exposure))) return null;
    value += mulDivFloor(qtyMicros, mark, MICROS_PER_UNIT);
    locked += mulDivCeil(unit, exposure, MICROS_PER_UNIT);
    if (qtyMicros < 0)
      maintenance += mulDivCeil(valuations.maintenanceUnitMicros(sid), -qtyMicros, MICROS_PER_UNIT);
  }
  const equityMicros = clampMicros(account.cashMicros + value);
  const maintenanceMicros = clampMicros(maintenance);
  const lockedMicros = clampMicros(account.reservedMicros + locked);
  return { equityMicros, lockedMicros, maintenanceMicros, isCalled: equityMicros < maintenanceMicros };
}

function isExact(a: number, b: number): boolean {
  return Math.abs(a * b) <= MICROS_MAX;
}

/** The same in sums that are exact however large: what a price without sense can do, `quickRiskOf` leaves to this one. */
export function exactRiskOf(state: State, account: Account): Risk {
  const equity = new ExactSum().add(account.cashMicros);
  const locked = new ExactSum().add(account.reservedMicros);
  const maintenance = new ExactSum();
  for (const position of account.positions) {
    const { series, qtyMicros } = position;
    const exposure = shortExposureMicros(position);
    // Rounded towards minus infinity, so never to the account's favour.
    equity.addMulDivFloor(qtyMicros, positionMarkMicros(series), MICROS_PER_UNIT);
    locked.add(marginMicros(marginUnitMicros(state, series, ENTRY), exposure));
    if (qtyMicros < 0)
      maintenance.add(marginMicros(marginUnitMicros(state, series, MAINTENANCE), toMicros(-qtyMicros)));
  }
  const equityMicros = equity.clamped();
  const maintenanceMicros = maintenance.clamped();
  const isCalled = equityMicros < maintenanceMicros;
  return { equityMicros, lockedMicros: locked.clamped(), maintenanceMicros, isCalled };
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
export function equityMicros(state: State, account: Account): Micros {
  return riskOf(state, account).equityMicros;
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
  return riskOf(state, account).isCalled;
}

function addUnrealized(sum: ExactSum, { qtyMicros, costMicros, series }: Position): ExactSum {
  if (qtyMicros === 0) return sum;
  sum.addMulDivFloor(qtyMicros, positionMarkMicros(series), MICROS_PER_UNIT);
  return sum.add(qtyMicros < 0 ? costMicros : -costMicros);
}
