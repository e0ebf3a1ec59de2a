/**
 * The settlement price of an underlying (OWN-43): a time-weighted average per source over the half hour before the
 * cutoff, and the median of those, or a refusal (ORA-1 to ORA-3). The log's time is the time of a print.
 */

import { clampMicros, type Micros, toMicros } from '@venue/protocol';
import { BPS, HAND_BPS_MAX, ORACLE_WINDOW_MS } from '../state/limits.ts';
import type {
  Decision,
  Instrument,
  OracleRefusal,
  OracleWindow,
  PriceSource,
  SourceAverage,
  SourceWindow,
} from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';
import { medianMicros } from './median.ts';

const MICRO_BPS = 1_000_000;

/** Adds a print to every window open at the log's time. Call it before updating the source itself. */
export function samplePrint(state: State, instrument: Instrument, print: PriceSource): void {
  for (const window of openWindows(state, instrument)) {
    keepLastPrint(instrument, window, print.source);
    addSample(window, print);
  }
}

/** Keeps the last print of a source that is about to be forgotten (OWN-44). */
export function keepForgotten(state: State, instrument: Instrument, source: string): void {
  for (const window of openWindows(state, instrument)) keepLastPrint(instrument, window, source);
}

/** The windows of undecided expiries whose half hour has begun. */
function openWindows(state: State, instrument: Instrument): OracleWindow[] {
  const open: OracleWindow[] = [];
  for (const expiryTs of state.expiries) {
    if (startMs(expiryTs) > state.ts) break;
    open.push(windowOf(instrument, expiryTs));
  }
  return open;
}

function windowOf({ windows }: Instrument, expiryTs: number): OracleWindow {
  let window = windows.get(expiryTs);
  if (window === undefined) {
    window = { expiryTs, sources: new Map() };
    windows.set(expiryTs, window);
  }
  return window;
}

/** Unix milliseconds of an expiry. */
export const cutoffMs = (expiryTs: number): number => expiryTs * 1_000;
const startMs = (expiryTs: number): number => cutoffMs(expiryTs) - ORACLE_WINDOW_MS;

/** Adds a source to a window with its last print from before the window opened or became known. */
function keepLastPrint({ sources }: Instrument, window: OracleWindow, source: string): void {
  const last = sources.get(source);
  if (last !== undefined && !window.sources.has(source)) addSample(window, last);
}

/** A sample holds until the next; the first in the window is extended back to its start; none after the cutoff counts. */
function addSample({ sources, expiryTs }: OracleWindow, { source, priceMicros, ts }: PriceSource): void {
  if (ts > cutoffMs(expiryTs)) return;
  const known = sources.get(source);
  const hasSample = ts >= startMs(expiryTs);
  if (known === undefined) sources.set(source, { source, integral: 0n, hasSample: false, priceMicros, ts });
  const sample = sources.get(source)!;
  if (hasSample) {
    const [held, sinceMs] = sample.hasSample
      ? [sample.priceMicros, sample.ts]
      : [priceMicros, startMs(expiryTs)];
    sample.integral += BigInt(held) * BigInt(ts - sinceMs);
    sample.hasSample = true;
  }
  sample.priceMicros = priceMicros;
  sample.ts = ts;
}

/** Judges an expiry by the prints up to its cutoff, and closes its window. */
export function judge(state: State, instrument: Instrument, expiryTs: number): Decision {
  const window = windowOf(instrument, expiryTs);
  for (const source of instrument.sources.keys()) keepLastPrint(instrument, window, source);
  instrument.windows.delete(expiryTs);
  const sources = [...window.sources.values()].map((source) => averageOf(state, expiryTs, source));
  const fresh = sources.flatMap(({ fresh, averageMicros }) => (fresh ? [averageMicros!] : []));
  const refusal = refusalOf(state, fresh);
  return {
    instrument,
    expiryTs,
    sources,
    dispersionMicroBps: fresh.length === 0 ? null : dispersionMicroBps(fresh),
    anchorMicros: sources.length === 0 ? null : medianMicros(sources.map(({ lastMicros }) => lastMicros)),
    refusal,
    boundBps: handBoundBps(state),
    judgedAt: state.ts,
    ...(refusal === null
      ? { priceMicros: medianMicros(fresh), decidedAt: state.ts, by: 'oracle' }
      : { priceMicros: null, decidedAt: null, by: null }),
  };
}

/** The bound in force for hand settlements, limited by its ceiling. */
export function handBoundBps(state: State): number {
  return Math.min(parametersOf(state).oracle.handBps, HAND_BPS_MAX);
}

function averageOf(state: State, expiryTs: number, sample: SourceWindow): SourceAverage {
  const heldMs = cutoffMs(expiryTs) - sample.ts;
  const integral = sample.integral + BigInt(sample.priceMicros) * BigInt(heldMs);
  return {
    source: sample.source,
    averageMicros: sample.hasSample ? toMicros(Number(integral / BigInt(ORACLE_WINDOW_MS))) : null,
    fresh: sample.hasSample && heldMs <= parametersOf(state).oracle.staleMs,
    lastMicros: sample.priceMicros,
    lastTs: sample.ts,
  };
}

function refusalOf(state: State, fresh: readonly Micros[]): OracleRefusal | null {
  const { minSources, dispersionBps } = parametersOf(state).oracle;
  if (fresh.length < Math.max(minSources, 1)) return 'too few fresh sources';
  const spread = BigInt(Math.max(...fresh) - Math.min(...fresh)) * BigInt(BPS);
  return spread > BigInt(dispersionBps) * BigInt(medianMicros(fresh)) ? 'dispersion too wide' : null;
}

/** For people to read; the refusal itself compares exactly. */
function dispersionMicroBps(averages: readonly Micros[]): Micros {
  return distanceMicroBps(Math.max(...averages) - Math.min(...averages), medianMicros(averages));
}

/** A distance in millionths of a basis point of a base, rounded down. No print is zero, so no average is either. */
export function distanceMicroBps(distanceMicros: number, baseMicros: Micros): Micros {
  return clampMicros(Number((BigInt(distanceMicros) * BigInt(BPS * MICRO_BPS)) / BigInt(baseMicros)));
}

/** The average so far of an expiry whose window is open; a price of null where the oracle would refuse. */
export interface SettlementSoFar {
  readonly expiryTs: number;
  readonly priceMicros: Micros | null;
}

/**
 * The settlement price of the next expiry of an underlying if its window ended with the last entry; null outside of it
 * (HIS-3).
 */
export function settlementSoFar(state: State, instrument: Instrument): SettlementSoFar | null {
  const open = [...instrument.windows.values()].filter(({ expiryTs }) => !instrument.decisions.has(expiryTs));
  const window = open.sort((a, b) => a.expiryTs - b.expiryTs)[0];
  if (window === undefined) return null;
  const { expiryTs } = window;
  const nowMs = Math.min(state.ts, cutoffMs(expiryTs));
  const elapsedMs = nowMs - startMs(expiryTs);
  if (elapsedMs <= 0) return { expiryTs, priceMicros: null };
  const { staleMs } = parametersOf(state).oracle;
  const averages = [...window.sources.values()]
    .filter(({ hasSample, ts }) => hasSample && nowMs - ts <= staleMs)
    .map(({ integral, priceMicros, ts }) => {
      const sum = integral + BigInt(priceMicros) * BigInt(nowMs - ts);
      return toMicros(Number(sum / BigInt(elapsedMs)));
    });
  const isRefused = refusalOf(state, averages) !== null;
  return { expiryTs, priceMicros: isRefused ? null : medianMicros(averages) };
}
