/** What the margin of a short adds to its premium term: max(shock x spot - OTM, floor x strike), each rounded up (MAR-1). */

import { mulDivCeil } from '@venue/protocol';
import type { Series } from '../state/series.ts';

export interface MarginLevel {
  /** Percent of spot. */
  readonly shock: number;
  /** Percent of strike. */
  readonly floor: number;
}

export const ENTRY: MarginLevel = { shock: 20, floor: 10 };
export const MAINTENANCE: MarginLevel = { shock: 12, floor: 6 };
const PERCENT = 100;

const CAPACITY_MIN = 64;
const FLOATS_SHIFT = 2;
const SPOT = 0;
const AT_ENTRY = 1;
const AT_MAINTENANCE = 2;

export function shockMicros({ instrument, right, strikeMicros }: Series, { shock }: MarginLevel): number {
  const spot = instrument.spotMicros;
  const away = right === 'C' ? strikeMicros - spot : spot - strikeMicros;
  return mulDivCeil(spot, shock, PERCENT) - Math.max(away, 0);
}

export function floorMicros({ strikeMicros }: Series, { floor }: MarginLevel): number {
  return mulDivCeil(strikeMicros, floor, PERCENT);
}

/** The charges by series, each computed once for a spot: an order asks for those of all that its account holds. */
export class RiskCharges {
  #floats = new Float64Array(CAPACITY_MIN << FLOATS_SHIFT).fill(Number.NaN);

  entryMicros(series: Series): number {
    // First the place: finding it may replace the array.
    const place = this.#placeOf(series);
    return this.#floats[place + AT_ENTRY]!;
  }

  maintenanceMicros(series: Series): number {
    // First the place: finding it may replace the array.
    const place = this.#placeOf(series);
    return this.#floats[place + AT_MAINTENANCE]!;
  }

  /** Where the charges of a series stand, brought up to its spot. */
  #placeOf(series: Series): number {
    const place = series.sid << FLOATS_SHIFT;
    if (place >= this.#floats.length) this.#grow(place);
    const floats = this.#floats;
    const spot = series.instrument.spotMicros;
    if (floats[place + SPOT] !== spot) {
      floats[place + SPOT] = spot;
      floats[place + AT_ENTRY] = chargeMicros(series, ENTRY);
      floats[place + AT_MAINTENANCE] = chargeMicros(series, MAINTENANCE);
    }
    return place;
  }

  #grow(place: number): void {
    const grown = new Float64Array(Math.max(this.#floats.length * 2, place * 2)).fill(Number.NaN);
    grown.set(this.#floats);
    this.#floats = grown;
  }
}

function chargeMicros(series: Series, level: MarginLevel): number {
  return Math.max(shockMicros(series, level), floorMicros(series, level));
}
