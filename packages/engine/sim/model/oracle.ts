/** The model's oracle: every print is kept, and searched when an expiry is judged (ORA-1 to ORA-3). */

import { floorDiv, median, most } from './numbers.ts';
import type { ModelDecision, ModelSample, ModelSourceAverage } from './records.ts';
import { type ModelState, parametersOf } from './state.ts';

const WINDOW_MS = 30 * 60_000;

export function keepSample(state: ModelState, taken: Pick<ModelSample, 'symbol' | 'source' | 'price'>): void {
  state.samples.push({ ...taken, at: state.samples.length, ts: state.ts, forgotten: null });
}

/** A source lost its place to another. */
export function forgetSource(state: ModelState, symbol: string, source: string): void {
  for (const sample of samplesOf(state, symbol, source)) {
    sample.forgotten ??= { at: state.samples.length, ts: state.ts };
  }
}

/** An expiry is known from the first tick that names it. */
export function learnExpiries(state: ModelState, expiries: readonly number[]): void {
  for (const expiryTs of expiries) {
    if (!state.known.has(expiryTs)) state.known.set(expiryTs, state.samples.length);
  }
}

/** Decides on a price for the expiry, or why there is none. */
export function judge(state: ModelState, symbol: string, expiryTs: number): ModelDecision {
  const names = new Set(state.samples.filter((sample) => sample.symbol === symbol).map((s) => s.source));
  const sources = [...names].sort().flatMap((source) => averageOf(state, symbol, source, expiryTs));
  const fresh = sources.flatMap(({ fresh, average }) => (fresh ? [average!] : []));
  const refusal = refusalOf(state, fresh);
  const price = refusal === null ? median(fresh) : null;
  return {
    symbol,
    expiryTs,
    sources,
    dispersion: fresh.length === 0 ? null : distance(spread(fresh), median(fresh)),
    anchor: sources.length === 0 ? null : median(sources.map(({ last }) => last)),
    boundBps: Math.min(parametersOf(state).oracle.handBps, 1_000),
    judgedAt: state.ts,
    refusal,
    price,
    decidedAt: price === null ? null : state.ts,
    by: price === null ? null : 'oracle',
  };
}

function refusalOf(state: ModelState, fresh: readonly bigint[]): string | null {
  const { minSources, dispersionBps } = parametersOf(state).oracle;
  if (fresh.length === 0 || fresh.length < minSources) return 'too few fresh sources';
  const [wide, allowed] = [spread(fresh) * 10_000n, BigInt(dispersionBps) * median(fresh)];
  if (wide > 0n && wide === allowed) state.notes.push('dispersion at the very bound');
  return wide > allowed ? 'dispersion too wide' : null;
}

function spread(amounts: readonly bigint[]): bigint {
  const highest = amounts.reduce(most);
  const lowest = -amounts.map((amount) => -amount).reduce(most);
  return highest - lowest;
}

/** In millionths of a basis point of the base. */
export function distance(apart: bigint, base: bigint): bigint {
  const parts = floorDiv(apart * 10_000n * 1_000_000n, base);
  return parts > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : parts;
}

/** A source's average; undefined if it had printed nothing by the cutoff. */
function averageOf(
  state: ModelState,
  symbol: string,
  source: string,
  expiryTs: number,
): ModelSourceAverage[] {
  const cutoffMs = expiryTs * 1000;
  const startMs = cutoffMs - WINDOW_MS;
  const heard = heardSamples(state, samplesOf(state, symbol, source), expiryTs);
  const last = heard.at(-1);
  if (last === undefined) return [];
  const inside = heard.filter(({ ts }) => ts >= startMs);
  const isRecent = cutoffMs - last.ts <= parametersOf(state).oracle.staleMs;
  note(state, { heard, inside, last, expiryTs });
  return [
    {
      source,
      average: inside.length === 0 ? null : timeWeighted(inside, startMs, cutoffMs),
      fresh: inside.length > 0 && isRecent,
      last: last.price,
      lastTs: last.ts,
    },
  ];
}

function samplesOf(state: ModelState, symbol: string, source: string): ModelSample[] {
  return state.samples.filter((sample) => sample.symbol === symbol && sample.source === source);
}

/**
 * A source's samples that count for an expiry, none after its cutoff. They count from the start of its half hour, or
 * from when the expiry became known if that is later. The last print before that also counts, unless the source was
 * forgotten meanwhile.
 */
function heardSamples(state: ModelState, samples: readonly ModelSample[], expiryTs: number): ModelSample[] {
  const startMs = expiryTs * 1000 - WINDOW_MS;
  const knownAt = state.known.get(expiryTs)!;
  const inTime = samples.filter(({ ts }) => ts <= expiryTs * 1000);
  const isHeard = ({ at, ts }: { at: number; ts: number }) => at >= knownAt && ts >= startMs;
  const earlier = inTime.filter((sample) => !isHeard(sample)).at(-1);
  const heard = inTime.filter(isHeard);
  const isRemembered = earlier !== undefined && (earlier.forgotten === null || isHeard(earlier.forgotten));
  return isRemembered ? [earlier, ...heard] : heard;
}

/** A sample holds until the next, the last until the cutoff; the first is extended back to the start. */
function timeWeighted(samples: readonly ModelSample[], startMs: number, cutoffMs: number): bigint {
  let total = 0n;
  samples.forEach(({ price, ts }, place) => {
    const from = place === 0 ? startMs : ts;
    const until = samples[place + 1]?.ts ?? cutoffMs;
    total += price * BigInt(until - from);
  });
  return floorDiv(total, BigInt(WINDOW_MS));
}

interface Heard {
  readonly heard: readonly ModelSample[];
  readonly inside: readonly ModelSample[];
  readonly last: ModelSample;
  readonly expiryTs: number;
}

function note(state: ModelState, { heard, inside, last, expiryTs }: Heard): void {
  const { symbol, source } = last;
  const cutoffMs = expiryTs * 1000;
  const { staleMs } = parametersOf(state).oracle;
  const later = samplesOf(state, symbol, source).filter(({ ts }) => ts > cutoffMs);
  const found: Record<string, boolean> = {
    'average over several prints': inside.length > 1,
    'print at the cutoff': last.ts === cutoffMs,
    'print right after the cutoff': later[0]?.ts === cutoffMs + 1,
    'print at the start of a window': inside[0]?.ts === cutoffMs - WINDOW_MS,
    'source as old as it may be': inside.length > 0 && cutoffMs - last.ts === staleMs,
    'source a millisecond too old': inside.length > 0 && cutoffMs - last.ts === staleMs + 1,
    'source silent in a window': inside.length === 0,
    'print before its expiry was known': inside.length > 0 && heard[0]!.at < state.known.get(expiryTs)!,
    'forgotten source heard': last.forgotten !== null,
  };
  for (const [what, isSo] of Object.entries(found)) if (isSo) state.notes.push(what);
}
