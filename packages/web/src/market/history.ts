/**
 * Spots that this page has received, of which the settlement price is estimated. Times are the venue's. A page open for
 * days keeps an hour.
 */

import type { Instrument } from '@venue/protocol';

export interface PricePoint {
  /** Unix seconds. */
  readonly second: number;
  readonly price: number;
}

const POINTS_KEPT = 3_600;
/** Points are dropped in batches of this size rather than one by one. */
const POINTS_SLACK = 400;

/** A price history, ascending, at most one point per second. */
export class PriceHistory {
  #points: PricePoint[] = [];

  get points(): readonly PricePoint[] {
    return this.#points;
  }

  get newest(): PricePoint | undefined {
    return this.#points.at(-1);
  }

  /** The last price in a second wins. False when nothing was added: no price, or one older than the newest. */
  add(ms: number, price: number): boolean {
    const second = Math.floor(ms / 1_000);
    const last = this.newest;
    if (!(price > 0) || (last !== undefined && second < last.second)) return false;
    if (last?.second === second) this.#points.pop();
    this.#points.push({ second, price });
    if (this.#points.length > POINTS_KEPT + POINTS_SLACK) this.#points = this.#points.slice(-POINTS_KEPT);
    return true;
  }
}

/** An hour of spots of every underlying. */
export class Histories {
  readonly #spots = new Map<string, PriceHistory>();

  /** Adds the listed spots; a stale one is skipped. */
  takeSpots(instruments: readonly Instrument[], nowMs: number): void {
    for (const { symbol, spot, feedFresh } of instruments) {
      if (feedFresh) this.#spotOf(symbol).add(nowMs, spot);
    }
  }

  spots(symbol: string): readonly PricePoint[] {
    return this.#spots.get(symbol)?.points ?? [];
  }

  #spotOf(symbol: string): PriceHistory {
    const known = this.#spots.get(symbol) ?? new PriceHistory();
    this.#spots.set(symbol, known);
    return known;
  }
}
