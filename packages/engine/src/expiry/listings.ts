/** The listed contracts: strikes around spot, and the roll that lists missing series (LIST-1 to LIST-6). */

import {
  formatSeriesId,
  MICROS_MAX,
  MICROS_PER_UNIT,
  type Micros,
  type Right,
  toMicros,
  ZERO,
} from '@venue/protocol';
import { Book } from '../book/book.ts';
import type { Sid } from '../state/ids.ts';
import { EXPIRIES_MAX } from '../state/limits.ts';
import type { Instrument, Series } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';
import { isFeedFresh } from './spots.ts';

const HALF_UNIT = MICROS_PER_UNIT / 2;

/** [spot below which the step applies, step], in micros. */
const LOW_STEPS: readonly (readonly [number, number])[] = [
  [25 * MICROS_PER_UNIT, HALF_UNIT],
  [100 * MICROS_PER_UNIT, MICROS_PER_UNIT],
  [250 * MICROS_PER_UNIT, 2.5 * MICROS_PER_UNIT],
  [1_000 * MICROS_PER_UNIT, 5 * MICROS_PER_UNIT],
];
/** From 1,000 up, the step is a hundredth of the largest of 1, 2.5, 5, 10, … not above the spot. */
const HIGH_STEPS_FROM = 1_000 * MICROS_PER_UNIT;
const SHARE_OF_BOUND = 100;

/**
 * Distance between strikes at a spot (LIST-1); a boundary belongs to the higher row (FINE-5).
 *
 * @example strikeStepMicros(1_000_000_000) // 10_000_000: at 1,000 the step is 10
 */
export function strikeStepMicros(spotMicros: Micros): Micros {
  for (const [below, step] of LOW_STEPS) if (spotMicros < below) return toMicros(step);
  let decade = HIGH_STEPS_FROM;
  while (decade * 10 <= spotMicros) decade *= 10;
  const factor = spotMicros >= decade * 5 ? 5 : spotMicros >= decade * 2.5 ? 2.5 : 1;
  return toMicros((decade * factor) / SHARE_OF_BOUND);
}

/**
 * Strikes around a spot: the multiple of the step nearest to it, and equally many below and above, all positive
 * (LIST-2).
 */
export function strikesAroundMicros(spotMicros: Micros, strikesPerSide: number): Micros[] {
  const step = strikeStepMicros(spotMicros);
  const raised = spotMicros + Math.floor(step / 2);
  const centre = raised - (raised % step);
  const strikes: Micros[] = [];
  for (let k = -strikesPerSide; k <= strikesPerSide; k += 1) {
    const strike = centre + k * step;
    if (strike > 0 && strike <= MICROS_MAX) strikes.push(toMicros(strike));
  }
  return strikes;
}

/** True until the cutoff: the series is listed and can be traded. */
export function isTradable(series: Series, nowMs: number): boolean {
  return series.status === 'live' && nowMs < series.cutoffMs;
}

/**
 * Lists missing series for every priced symbol not yet rolled for these expiries; delists nothing (LIST-3). A symbol
 * without a price stays due, so that a later tick lists it. Returns how many series were added.
 */
export function roll(state: State, expiries: readonly number[]): number {
  const upcoming = soundExpiries(state, expiries);
  state.expiries = withKnown(state, upcoming);
  const key = upcoming.join(',');
  let listed = 0;
  for (const instrument of state.instruments.values()) {
    const isDue = instrument.active && instrument.rolledFor !== key;
    if (!isDue || instrument.spotMicros === 0 || !isFeedFresh(state, instrument, state.ts)) continue;
    listed += listAround(state, instrument, upcoming);
    instrument.rolledFor = key;
  }
  return listed;
}

/** The proposer's instants are an input (LIST-4); expiries that can no longer be listed are dropped (OWN-18). */
function soundExpiries(state: State, expiries: readonly number[]): number[] {
  const upcoming = expiries.filter((ts) => Number.isSafeInteger(ts) && ts * 1_000 > state.ts);
  return [...new Set(upcoming)].sort((a, b) => a - b).slice(0, EXPIRIES_MAX);
}

/** An expiry once named stays known until it is judged: its averaging window may already be open. */
function withKnown(state: State, upcoming: readonly number[]): number[] {
  return [...new Set([...upcoming, ...state.expiries])].sort((a, b) => a - b);
}

function listAround(state: State, instrument: Instrument, expiries: readonly number[]): number {
  const strikes = strikesAroundMicros(instrument.spotMicros, parametersOf(state).strikesPerSide);
  let listed = 0;
  for (const expiryTs of expiries) {
    for (const strikeMicros of strikes) {
      for (const right of ['C', 'P'] as const) {
        if (list(state, { instrument, expiryTs, right, strikeMicros })) listed += 1;
      }
    }
  }
  return listed;
}

interface Listing {
  readonly instrument: Instrument;
  readonly expiryTs: number;
  readonly right: Right;
  readonly strikeMicros: Micros;
}

/** Sids are assigned in listing order and never reused (LIST-5). */
function list(state: State, listing: Listing): boolean {
  const { instrument, expiryTs, right, strikeMicros } = listing;
  const seriesId = formatSeriesId({ symbol: instrument.symbol, expiryTs, right, strikeMicros });
  if (state.seriesById.has(seriesId)) return false;
  const sid = state.series.length as Sid;
  const series: Series = {
    sid,
    seriesId,
    instrument,
    expiryTs,
    cutoffMs: expiryTs * 1_000,
    right,
    strikeMicros,
    status: 'live',
    payoutMicros: ZERO,
    holders: [],
    book: new Book(state.orders, sid),
    quotes: { bids: [], asks: [] },
    iv: 0,
    annotatedIv: 0,
    annotatedAt: 0,
    delta: 0,
    volumeMicros: ZERO,
    openInterestMicros: ZERO,
    restingBuyMicros: ZERO,
    restingSellMicros: ZERO,
  };
  state.series.push(series);
  state.seriesById.set(seriesId, series);
  instrument.series.push(series);
  return true;
}
