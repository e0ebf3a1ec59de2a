/** The model's maintenance tick: spots, stale quotes, then the jobs in order. */

import type { MaintainCommand } from '../../src/entry/command.ts';
import { judgeJumps } from './jumps.ts';
import { liquidate } from './liquidation.ts';
import { refreshSpot, roll } from './listings.ts';
import { learnExpiries } from './oracle.ts';
import { pullStaleQuotes } from './quoting/quotes.ts';
import { settle } from './settlement.ts';
import { type ModelState, parametersOf } from './state.ts';

export interface ModelTick {
  readonly done: boolean;
  readonly listed: number;
  /** The model has no slices: it always finishes. */
  readonly unfinished: boolean;
  readonly stopped: readonly string[];
}

/** A tick within half the interval after the previous one is a duplicate. */
export function maintain(state: ModelState, command: MaintainCommand): ModelTick {
  const { maintenanceMs } = parametersOf(state);
  const last = state.lastMaintenanceTs;
  const isEarly = last !== null && (state.ts - last) * 2 < maintenanceMs;
  if (isEarly) return { done: false, listed: 0, unfinished: false, stopped: [] };
  state.lastMaintenanceTs = state.ts;
  for (const instrument of state.instruments) refreshSpot(state, instrument);
  pullStaleQuotes(state);
  settle(state);
  const before = state.series.length;
  const future = command.expiries.filter((expiryTs) => expiryTs * 1000 > state.ts).sort((a, b) => a - b);
  learnExpiries(state, future);
  for (const instrument of state.instruments) roll(state, instrument, future);
  const stopped = judgeJumps(state);
  liquidate(state);
  return { done: true, listed: state.series.length - before, unfinished: false, stopped };
}
