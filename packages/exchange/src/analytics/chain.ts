/** The live series of an underlying as a chain of strikes for each expiry, and what the model needs to know of them. */

import {
  type Instrument,
  isTradable,
  markMicros,
  positionMarkMicros,
  type Series,
  type State,
} from '@venue/engine';

/** One strike; a right is null where it is not listed or no longer live. */
export interface Strike {
  readonly strikeMicros: number;
  readonly call: Series | null;
  readonly put: Series | null;
}

export interface Expiry {
  /** Unix seconds. */
  readonly expiryTs: number;
  /** Whole minutes to the cutoff, rounded up, as in a risk mark (RSK-2). */
  readonly minutes: number;
  /** Ascending. */
  readonly strikes: readonly Strike[];
}

const MINUTE_MS = 60_000;
/** A year has 365 days. */
export const MINUTES_PER_YEAR = 525_600;

/** Whole minutes to the cutoff at a time of the log, rounded up. */
export function minutesLeft({ cutoffMs }: Series, ts: number): number {
  return Math.max(0, Math.ceil((cutoffMs - ts) / MINUTE_MS));
}

/** The mark that accounts are valued at (RSK-1); null if there is none, as by the book in a series where nothing rests. */
export function shownMark(state: State, series: Series): number | null {
  return state.parameters?.riskMark === 'model' ? positionMarkMicros(state, series) : markMicros(series);
}

/** Chains of the live expiries as of the last entry, the next one first. */
export function chainsOf({ ts }: State, { series }: Instrument): Expiry[] {
  const byExpiry = Map.groupBy(
    series.filter((one) => isTradable(one, ts)),
    ({ expiryTs }) => expiryTs,
  );
  return [...byExpiry]
    .map(([expiryTs, listed]) => ({
      expiryTs,
      minutes: minutesLeft(listed[0]!, ts),
      strikes: strikesOf(listed),
    }))
    .sort((a, b) => a.expiryTs - b.expiryTs);
}

function strikesOf(series: readonly Series[]): Strike[] {
  const rows = new Map<number, { strikeMicros: number; call: Series | null; put: Series | null }>();
  for (const one of series) {
    const row = rows.get(one.strikeMicros) ?? { strikeMicros: one.strikeMicros, call: null, put: null };
    rows.set(one.strikeMicros, row);
    row[one.right === 'C' ? 'call' : 'put'] = one;
  }
  return [...rows.values()].sort((a, b) => a.strikeMicros - b.strikeMicros);
}
