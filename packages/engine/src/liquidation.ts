/**
 * The sweep, third job of maintenance: accounts that stay in margin call lose their resting orders and their shorts
 * (LIQ-1 to LIQ-3). It runs in bounded slices, one an entry, so that no entry holds the node for long.
 */

import {
  clampMicros,
  ExactSum,
  MICROS_MAX,
  MICROS_PER_UNIT,
  type Micros,
  mulDivCeilClamped,
  toMicros,
} from '@venue/protocol';
import type { Effects } from './effects.ts';
import { LIQUIDATION_PRICE_MIN_MICROS, SWEEP_SHORT_WORK, SWEEP_SLICE_WORK } from './limits.ts';
import { ENTRY, equityMicros, MAINTENANCE, marginMicros, marginUnitMicros } from './margin.ts';
import { intrinsicMicros, positionMarkMicros } from './marks.ts';
import { assign, match } from './matching.ts';
import { pullWhere } from './resting.ts';
import { isFeedFresh } from './spots.ts';
import { type Account, HOUSE, type Position, type Series, type State } from './state.ts';

/** Starts a sweep over every account; `continueSweep` carries it on. */
export function startSweep(state: State): void {
  state.sweepNext = 0;
}

/** Does the next slice of the sweep under way and says whether accounts are left for another. */
export function continueSweep(state: State, effects: Effects): boolean {
  if (state.sweepNext === null) return false;
  const units = new MaintenanceUnits(state);
  let work = 0;
  while (state.sweepNext < state.accounts.length && work < SWEEP_SLICE_WORK) {
    const account = state.accounts[state.sweepNext]!;
    state.sweepNext += 1;
    work += 1 + sweepAccount(state, effects, account, units);
  }
  if (state.sweepNext < state.accounts.length) return true;
  state.sweepNext = null;
  return false;
}

/** Takes an account that was in margin call at the last sweep and still is; returns the work that was done. */
function sweepAccount(state: State, effects: Effects, account: Account, units: MaintenanceUnits): number {
  const isCalled = canBeCalled(account) && equityMicros(account) < units.maintenanceMicros(account);
  const isDue = isCalled && account.wasCalled;
  account.wasCalled = isCalled;
  if (!isDue) return account.shortCount === 0 ? 0 : account.positions.size;
  const shorts = freshShorts(state, account);
  if (shorts.length === 0 && account.shortCount > 0) return account.positions.size;
  pullWhere(state, effects, { account, includes: () => true });
  for (const position of shorts) buyBack(state, effects, account, position);
  account.wasCalled = equityMicros(account) < units.maintenanceMicros(account);
  return account.positions.size + shorts.length * SWEEP_SHORT_WORK;
}

/** Without a short and with cash in hand, equity cannot be under maintenance. */
function canBeCalled(account: Account): boolean {
  return account.role === 'trader' && (account.shortCount > 0 || account.cashMicros < 0);
}

/** Shorts whose underlying has a fresh spot, in listing order; stale prices never liquidate (LIQ-3). */
function freshShorts(state: State, account: Account): Position[] {
  return [...account.positions.values()]
    .filter(({ qtyMicros, series }) => qtyMicros < 0 && isFeedFresh(state, series.instrument, state.ts))
    .sort((a, b) => a.series.sid - b.series.sid);
}

/**
 * Buys a short back from asks no dearer than its entry-level unit, and gives the rest to the house at the greatest of
 * mark, intrinsic and one cent. All three prices are taken before the first trade (FINE-11).
 */
function buyBack(state: State, effects: Effects, account: Account, position: Position): void {
  const { series } = position;
  const limitMicros = marginUnitMicros(state, series, ENTRY);
  const priceMicros = housePriceMicros(series);
  const qtyMicros = toMicros(-position.qtyMicros);
  state.lastOrderId += 1;
  const order = { id: state.lastOrderId, account, series, side: 'buy', qtyMicros, limitMicros } as const;
  match(state, effects, { ...order, isLiquidation: true });
  const left = toMicros(-position.qtyMicros);
  if (left === 0) return;
  const house = state.accounts[HOUSE]!;
  const valueMicros = assignmentValueMicros([account, house], priceMicros, left);
  assign(state, effects, { order, house, priceMicros, qtyMicros: left, valueMicros });
}

function housePriceMicros(series: Series): Micros {
  const intrinsic = intrinsicMicros(series, series.instrument.spotMicros);
  return clampMicros(Math.max(positionMarkMicros(series), intrinsic, LIQUIDATION_PRICE_MIN_MICROS));
}

/** Rounded against the account; an absurd mark cannot take either side's cash out of the exact range. */
function assignmentValueMicros(sides: readonly Account[], priceMicros: Micros, qtyMicros: Micros): Micros {
  const room = Math.min(...sides.map(({ cashMicros }) => MICROS_MAX - Math.abs(cashMicros)));
  return clampMicros(Math.min(mulDivCeilClamped(priceMicros, qtyMicros, MICROS_PER_UNIT), room));
}

/** Maintenance units, each computed once while the book it depends on stands still. */
class MaintenanceUnits {
  readonly #state: State;
  readonly #bySeries = new Map<Series, { readonly version: number; readonly unitMicros: Micros }>();

  constructor(state: State) {
    this.#state = state;
  }

  maintenanceMicros(account: Account): Micros {
    const required = new ExactSum();
    for (const { qtyMicros, series } of account.positions.values()) {
      if (qtyMicros < 0) required.add(marginMicros(this.#of(series), toMicros(-qtyMicros)));
    }
    return required.clamped();
  }

  #of(series: Series): Micros {
    const known = this.#bySeries.get(series);
    if (known?.version === series.book.version) return known.unitMicros;
    const unitMicros = marginUnitMicros(this.#state, series, MAINTENANCE);
    this.#bySeries.set(series, { version: series.book.version, unitMicros });
    return unitMicros;
  }
}
