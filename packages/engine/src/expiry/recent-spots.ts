/** A symbol's spot in each of the last 60 seconds, and their median (RSK-5). */

import type { Micros } from '@venue/protocol';
import { JUMP_MS, SECOND_MS } from '../state/limits.ts';
import type { Instrument, SpotOfSecond } from '../state/series.ts';
import { parametersOf, type State } from '../state/state.ts';
import { medianMicros } from './median.ts';

const SECONDS = JUMP_MS / SECOND_MS;

/** Largest distance of a spot from its median that stops no liquidation, in basis points; 0 if none ever does. */
export function jumpStopBps(state: State): number {
  return parametersOf(state).jumpStopBps;
}

/** Begins with the present spot if jumps stop liquidation from now on, and forgets everything if they no longer do. */
export function beginSpots(state: State, instrument: Instrument): void {
  if (jumpStopBps(state) === 0) Object.assign(instrument, { spots: [], jump: null });
  else if (instrument.spots.length === 0 && instrument.spotMicros > 0) keepSpot(state, instrument);
}

/** Remembers the spot as that of the present second. Call it when the spot has moved. */
export function keepSpot(state: State, { spots, spotMicros }: Instrument): void {
  if (jumpStopBps(state) === 0) return;
  const second = secondOf(state.ts);
  if (spots.at(-1)?.[0] === second) spots.pop();
  if (spots.at(-1)?.[1] !== spotMicros) spots.push([second, spotMicros]);
  spots.splice(0, spots.length - recentSpots(spots, state.ts).length);
}

/** Spots that the median may still need: those of the last 60 s, and the one that they began with. */
export function recentSpots(spots: readonly SpotOfSecond[], ts: number): readonly SpotOfSecond[] {
  const first = spots.findLastIndex(([second]) => second <= secondOf(ts) - SECONDS);
  return first > 0 ? spots.slice(first) : spots;
}

/**
 * The median of the last 60 whole seconds, each with the spot at its end; a spot without fresh sources counts as long as
 * it stays, and the first known one for the time before it. Null before there is any, and without a jump stop.
 */
export function recentMedianMicros({ spots }: Instrument, ts: number): Micros | null {
  if (spots.length === 0) return null;
  const held: Micros[] = [];
  let at = 0;
  for (let second = secondOf(ts) - SECONDS; second < secondOf(ts); second++) {
    while (at + 1 < spots.length && spots[at + 1]![0] <= second) at += 1;
    held.push(spots[at]![1]);
  }
  return medianMicros(held);
}

function secondOf(ts: number): number {
  return Math.floor(ts / SECOND_MS);
}
