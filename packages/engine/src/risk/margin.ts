/** Equity, locked margin and margin calls of an account. Computed, never stored (MAR-3). */

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
import { ENTRY_MARGIN, MAINTENANCE_MARGIN } from '@venue/protocol/margin';
import type { Account } from '../state/account.ts';
import type { Position } from '../state/positions.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { definedRiskOf } from './defined-risk.ts';
import type { Risk } from './risk.ts';
import { positionMarkMicros } from './risk-marks.ts';
import { entryUnitAtMicros, marginUnitMicros, valuationsFor } from './units.ts';

/** Quantity that is short or would be if every resting sell filled, net of longs (the rule for `locked`). */
export function shortExposureMicros(position: Position): Micros {
  return clampMicros(Math.max(0, position.restingSellMicros - position.qtyMicros));
}

/** Margin for a quantity at a unit, rounded up (OWN-2). */
export function marginMicros(unitMicros: Micros, qtyMicros: Micros): Micros {
  return mulDivCeilClamped(unitMicros, qtyMicros, MICROS_PER_UNIT);
}

/** Entry margin of a short of that many contracts at a given mark, which may differ from the series' current one. */
export function shortMarginAtMicros(
  state: State,
  series: Series,
  { markMicros, qtyMicros }: { readonly markMicros: Micros; readonly qtyMicros: Micros },
): Micros {
  return marginMicros(entryUnitAtMicros(state, series, markMicros), qtyMicros);
}

/** Everything in one pass over the positions, because an order needs all of it. */
export function riskOf(state: State, account: Account): Risk {
  if (account.marginMode === 'defined-risk') return definedRiskOf(state, account);
  return quickRiskOf(state, account) ?? exactRiskOf(state, account);
}

/**
 * The same in doubles, or null if a product leaves their exact range. A product inside the range contributes less than
 * 10^10, so that the sums stay inside too.
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
    // Maintenance units are smaller, and no short is larger than its possible exposure.
    if (!(isExact(qtyMicros, mark) && isExact(unit, exposure))) return null;
    value += mulDivFloor(qtyMicros, mark, MICROS_PER_UNIT);
    locked += mulDivCeil(unit, exposure, MICROS_PER_UNIT);
    if (qtyMicros < 0)
      maintenance += mulDivCeil(valuations.maintenanceUnitMicros(sid), -qtyMicros, MICROS_PER_UNIT);
  }
  const equityMicros = clampMicros(account.cashMicros + value);
  const maintenanceMarginMicros = clampMicros(maintenance);
  const lockedMicros = clampMicros(account.reservedMicros + locked);
  return {
    equityMicros,
    lockedMicros,
    maintenanceMarginMicros,
    isCalled: equityMicros < maintenanceMarginMicros,
  };
}

function isExact(a: number, b: number): boolean {
  return Math.abs(a * b) <= MICROS_MAX;
}

/** The same in exact sums of any size: the fallback when absurd prices make `quickRiskOf` return null. */
export function exactRiskOf(state: State, account: Account): Risk {
  const equity = new ExactSum().add(account.cashMicros);
  const locked = new ExactSum().add(account.reservedMicros);
  const maintenance = new ExactSum();
  for (const position of account.positions) {
    const { series, qtyMicros } = position;
    const exposure = shortExposureMicros(position);
    // Rounded towards minus infinity, so never in the account's favour.
    equity.addMulDivFloor(qtyMicros, positionMarkMicros(state, series), MICROS_PER_UNIT);
    locked.add(marginMicros(marginUnitMicros(state, series, ENTRY_MARGIN), exposure));
    if (qtyMicros < 0)
      maintenance.add(
        marginMicros(marginUnitMicros(state, series, MAINTENANCE_MARGIN), toMicros(-qtyMicros)),
      );
  }
  const equityMicros = equity.clamped();
  const maintenanceMarginMicros = maintenance.clamped();
  const isCalled = equityMicros < maintenanceMarginMicros;
  return { equityMicros, lockedMicros: locked.clamped(), maintenanceMarginMicros, isCalled };
}

/** Entry margin of shorts plus the reserves of resting buys. */
export function lockedMicros(state: State, account: Account): Micros {
  return riskOf(state, account).lockedMicros;
}

/** cash - locked; may be negative, which refuses new risk and cancels nothing. */
export function buyingPowerMicros(state: State, account: Account): Micros {
  return clampMicros(account.cashMicros - lockedMicros(state, account));
}

/** Margin required to keep an account's shorts. */
export function maintenanceMarginMicros(state: State, account: Account): Micros {
  return riskOf(state, account).maintenanceMarginMicros;
}

/** cash + sum(qty x mark); shorts subtract. */
export function equityMicros(state: State, account: Account): Micros {
  return riskOf(state, account).equityMicros;
}

/** Mark value less cost for a long, premium received less mark value for a short. */
export function positionUnrealizedMicros(state: State, position: Position): Micros {
  return addUnrealized(state, new ExactSum(), position).clamped();
}

export function unrealizedMicros(state: State, account: Account): Micros {
  const unrealized = new ExactSum();
  for (const position of account.positions) addUnrealized(state, unrealized, position);
  return unrealized.clamped();
}

/** True while equity is below maintenance margin: the account is reduce-only. */
export function isInMarginCall(state: State, account: Account): boolean {
  return riskOf(state, account).isCalled;
}

function addUnrealized(state: State, sum: ExactSum, { qtyMicros, costMicros, series }: Position): ExactSum {
  if (qtyMicros === 0) return sum;
  sum.addMulDivFloor(qtyMicros, positionMarkMicros(state, series), MICROS_PER_UNIT);
  return sum.add(qtyMicros < 0 ? costMicros : -costMicros);
}
