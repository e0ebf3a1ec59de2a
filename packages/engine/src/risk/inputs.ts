/** The inputs of equity and margin of a position. */

import type { Position } from '../state/positions.ts';
import type { State } from '../state/state.ts';
import type { PositionInputs } from './position-inputs.ts';
import { valuationsFor } from './units.ts';

const NOTHING_NEW = { isEntryNew: false, isMaintenanceNew: false } as const;
const ENTRY_NEW = { isEntryNew: true, isMaintenanceNew: false } as const;
const MAINTENANCE_NEW = { isEntryNew: false, isMaintenanceNew: true } as const;
const BOTH_NEW = { isEntryNew: true, isMaintenanceNew: true } as const;

/** Brings the row of a position up to date, and tells for which level anything in it is new. */
export function readInputs(
  state: State,
  inputs: PositionInputs,
  place: number,
  { series, sid, qtyMicros, restingSellMicros }: Position,
): { readonly isEntryNew: boolean; readonly isMaintenanceNew: boolean } {
  const net = qtyMicros - restingSellMicros;
  // A flat position needs nothing, whatever the series is worth.
  const valuations = qtyMicros === 0 && net === 0 ? null : valuationsFor(state, series);
  const mark = valuations?.markMicros(sid) ?? 0;
  const isEntryNew = inputs.setEntry(place, net, valuations?.entryUnitMicros(sid) ?? 0);
  const kept = valuations?.maintenanceUnitMicros(sid) ?? 0;
  const isMaintenanceNew = inputs.setMaintenance(place, qtyMicros, kept, mark);
  if (isEntryNew) return isMaintenanceNew ? BOTH_NEW : ENTRY_NEW;
  return isMaintenanceNew ? MAINTENANCE_NEW : NOTHING_NEW;
}
