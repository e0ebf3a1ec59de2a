/** With marks of a model, liquidation buys shorts back in quarters over four ticks (RSK-4). */

import { clampMicros, type Micros, mulDivFloor, toMicros } from '@venue/protocol';
import { MAINTENANCE_MARGIN } from '@venue/protocol/margin';
import { ivAt } from '../risk/annotations.ts';
import { marginMicros } from '../risk/margin.ts';
import { positionMarkMicros } from '../risk/risk-marks.ts';
import { marginUnitMicros } from '../risk/units.ts';
import type { Account, Quarters } from '../state/account.ts';
import type { Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import type { ExposedShort } from './exposed.ts';

const TICKS = 4;
/** How far above its mark a short is bought back. */
const SPOT_PERCENT = 1;
const PERCENT = 100;

/** Begins the four ticks of an account, or goes on to the next of them. */
export function nextQuarter(account: Account, shorts: readonly ExposedShort[]): Quarters {
  const { tick, sizes } = account.quarters ?? { tick: 0, sizes: sizesOf(shorts) };
  account.quarters = { tick: tick + 1, sizes };
  return account.quarters;
}

/** At the last of the four ticks everything is bought, and the house takes what the book cannot give. */
export function isLastQuarter({ tick }: Quarters): boolean {
  return tick === TICKS;
}

function sizesOf(shorts: readonly ExposedShort[]): Quarters['sizes'] {
  return new Map(shorts.map(({ position, qtyMicros }) => [position.sid, qtyMicros]));
}

/** A quarter of the size at the first tick, rounded up; at the last tick all that is left. */
export function quarterMicros(quarters: Quarters, { position, qtyMicros: short }: ExposedShort): Micros {
  if (isLastQuarter(quarters)) return short;
  const size = quarters.sizes.get(position.sid) ?? short;
  return toMicros(Math.min(short, Math.ceil(size / TICKS)));
}

/** The highest ask a quarter takes: in place of LIQ-2's bound, one that strangers cannot move far (DET-8). */
export function quarterLimitMicros(state: State, series: Series): Micros {
  const reach = mulDivFloor(series.instrument.spotMicros, SPOT_PERCENT, PERCENT);
  return clampMicros(positionMarkMicros(state, series) + reach);
}

/** True for a short with a mark of the model: one that is intrinsic for want of a volatility is no ground to buy back. */
export function hasModel(state: State, series: Series): boolean {
  return ivAt(series, state.ts) !== null;
}

/** The shorts by their maintenance margin, the largest first; those with the same one in listing order. */
export function byMaintenance(state: State, shorts: readonly ExposedShort[]): ExposedShort[] {
  const rows = shorts.map((short) => ({ short, margin: maintenanceOf(state, short) }));
  rows.sort((a, b) => b.margin - a.margin || a.short.position.sid - b.short.position.sid);
  return rows.map(({ short }) => short);
}

function maintenanceOf(state: State, { position, qtyMicros }: ExposedShort): Micros {
  return marginMicros(marginUnitMicros(state, position.series, MAINTENANCE_MARGIN), qtyMicros);
}
