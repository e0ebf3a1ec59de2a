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
  const spot = series.instrument.spotMicros;
  const mark = positionMarkMicros(series);
  const isFloored = parametersOf(state).marginPremium === 'intrinsic';
  const premium = isFloored ? Math.max(mark, intrinsicMicros(series, spot)) : mark;
  const away = series.right === 'C' ? series.strikeMicros - spot : spot - series.strikeMicros;
  const shock = mulDivCeil(spot, level.shock, PERCENT) - Math.max(away, 0);
  const floor = mulDivCeil(series.strikeMicros, level.floor, PERCENT);
  return {
    spotMicros: spot,
    markMicros: mark,
    premiumMicros: toMicros(premium),
    shockMicros: toMicros(shock),
    floorMicros: floor,
    unitMicros: clampMicros(premium + Math.max(shock, floor)),
  };
}

export function marginUnitMicros(state: State, series: Series, level: MarginLevel): Micros {
  return marginTerms(state, series, level).unitMicros;
}

/** Quantity that is short or would be if every resting sell traded, longs netted (rule of `locked`). */
export function shortExposureMicros(position: Position): Micros {
  return clampMicros(Math.max(0, position.restingSellMicros - position.qtyMicros));
}

/** Margin for a quantity at a unit, rounded up. */
export function marginMicros(unitMicros: Micros, qtyMicros: Micros): Micros {
  return mulDivCeilClamped(unitMicros, qtyMicros, MICROS_PER_UNIT);
}

/** Short margin at entry level plus what resting buys reserve. */
export function lockedMicros(state: State, account: Account): Micros {
  const locked = new ExactSum().add(account.reservedMicros);
  for (const position of account.positions.values()) {
    const exposure = shortExposureMicros(position);
    if (exposure === 0) continue;
    locked.add(marginMicros(marginUnitMicros(state, position.series, ENTRY), exposure));
  }
  return locked.clamped();
}

/** cash - locked; may be negative, which refuses new risk and cancels nothing. */
export function buyingPowerMicros(state: State, account: Account): Micros {
  return clampMicros(account.cashMicros - lockedMicros(state, account));
}

/** Margin required to keep the shorts an account holds; longs and resting orders contribute nothing. */
export function maintenanceMicros(state: State, account: Account): Micros {
  const required = new ExactSum();
  for (const { qtyMicros, series } of account.positions.values()) {
    if (qtyMicros >= 0) continue;
    required.add(marginMicros(marginUnitMicros(state, series, MAINTENANCE), toMicros(-qtyMicros)));
  }
  return required.clamped();
}

/** cash + sum(qty x mark), shorts subtracting. */
export function equityMicros(account: Account): Micros {
  return account.positions.size === 0
    ? account.cashMicros
    : addValues(account).add(account.cashMicros).clamped();
}

/** True when nothing is left: such an account takes no new orders. */
export function isDepleted(account: Account): boolean {
  if (account.shortCount === 0 && account.cashMicros > 0) return false;
  return equityMicros(account) <= 0;
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
  // What is long is worth something or nothing, and asks for no margin.
  if (account.shortCount === 0 && account.cashMicros >= 0) return false;
  return equityMicros(account) < maintenanceMicros(state, account);
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
