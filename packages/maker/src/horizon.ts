/**
 * The basis on which an expiry is priced. The venue settles on the average price of the last 30 minutes, so the
 * forward is that of the average, and its variance is less than the time to the cutoff suggests.
 */

import { DAYS_PER_YEAR } from './surface.ts';

/** ACT/365, in milliseconds. */
export const YEAR_MS = DAYS_PER_YEAR * 24 * 3_600_000;
/** The window over which the venue averages its settlement price, as its contract terms fix it. */
export const WINDOW_MS = 30 * 60_000;

export interface Horizon {
  /** Expected settlement price. */
  readonly forward: number;
  /** Time, in years, over which the forward takes on the spot's volatility. */
  readonly years: number;
  /** Change of the forward per change of the spot. */
  readonly gearing: number;
}

export interface HorizonTerms {
  readonly spot: number;
  /** Continuous growth of the forward per year. */
  readonly carry: number;
  readonly cutoffMs: number;
  readonly nowMs: number;
  /** Average spot since the window opened; unused before that. */
  readonly average: number;
}

/**
 * The average over a window has a third of the variance of its end, so before the window two thirds of it do not
 * count. Within the window the past part is fixed, and only the rest moves.
 */
export function horizonOf({ spot, carry, cutoffMs, nowMs, average }: HorizonTerms): Horizon {
  const leftMs = Math.max(0, cutoffMs - nowMs);
  const growth = carry === 0 ? 1 : Math.exp((carry * leftMs) / YEAR_MS);
  if (leftMs >= WINDOW_MS) {
    return { forward: spot * growth, years: (leftMs - (2 / 3) * WINDOW_MS) / YEAR_MS, gearing: growth };
  }
  const open = leftMs / WINDOW_MS;
  const gearing = open * growth;
  const forward = gearing * spot + (1 - open) * average;
  const share = (gearing * spot) / forward;
  return { forward, years: (share * share * leftMs) / 3 / YEAR_MS, gearing };
}

/** The average of an underlying's spot since a window opened; each spot holds until the next. */
export class SpotAverage {
  #openedMs = Number.NEGATIVE_INFINITY;
  #lastMs = 0;
  #last = 0;
  #weighted = 0;
  #missedMs = 0;

  /** Adds the current spot. The first of a window counts from its opening, as in the venue's own average. */
  observe({ spot, nowMs, openedMs }: { spot: number; nowMs: number; openedMs: number }): void {
    if (openedMs !== this.#openedMs) {
      this.#openedMs = openedMs;
      this.#weighted = 0;
      this.#missedMs = nowMs - openedMs;
      this.#lastMs = openedMs;
      this.#last = spot;
    }
    this.#weighted += this.#last * Math.max(0, nowMs - this.#lastMs);
    this.#lastMs = Math.max(this.#lastMs, nowMs);
    this.#last = spot;
  }

  /** Time from the opening of the window to the first spot. */
  get missedMs(): number {
    return this.#missedMs;
  }

  /** The average up to the last spot; that spot itself if no time has passed. */
  get value(): number {
    const elapsedMs = this.#lastMs - this.#openedMs;
    return elapsedMs > 0 ? this.#weighted / elapsedMs : this.#last;
  }
}
