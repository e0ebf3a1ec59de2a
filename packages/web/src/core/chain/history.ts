/**
 * Prices this page has received: the only history of an underlying, as the venue keeps none. Times are the venue's.
 * Everything is bounded, so that a page open for days keeps an hour.
 */

import type { Instrument, TapePrint } from '@venue/protocol';
import type { ChainShape, Market } from './market.ts';

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

const MARKS_EVERY_S = 5;
const MARKS_KEPT = 720;

/** Marks of every contract of the chain at one second, indexed like its legs. */
interface MarkSample {
  readonly second: number;
  readonly marks: Float64Array;
}

/** An hour of spots of every underlying, and an hour of marks of the chain on the screen. */
export class Histories {
  readonly #spots = new Map<string, PriceHistory>();
  readonly #isFresh = new Map<string, boolean>();
  readonly #listeners = new Set<() => void>();
  #shape: ChainShape | null = null;
  #samples: MarkSample[] = [];

  /** Adds the listed spots; a stale one is skipped. */
  takeSpots(instruments: readonly Instrument[], nowMs: number): void {
    for (const { symbol, spot, feedFresh } of instruments) {
      this.#isFresh.set(symbol, feedFresh);
      if (feedFresh) this.#spotOf(symbol).add(nowMs, spot);
    }
    this.#tell();
  }

  /** Adds the chain's current marks. */
  takeMarket(market: Market, nowMs: number): void {
    const { shape, spot } = market;
    if (shape === null) return;
    if (this.#isFresh.get(shape.symbol)) this.#spotOf(shape.symbol).add(nowMs, spot);
    this.#takeMarks(shape, market, Math.floor(nowMs / 1_000));
    this.#tell();
  }

  spots(symbol: string): readonly PricePoint[] {
    return this.#spots.get(symbol)?.points ?? [];
  }

  /** Marks of a contract since its expiry was chosen; none for other expiries. */
  marks(seriesId: string): PricePoint[] {
    const leg = this.#shape?.legs.find((one) => one.seriesId === seriesId);
    if (leg === undefined) return [];
    return this.#samples.flatMap(({ second, marks }) => {
      const price = marks[leg.index]!;
      return price > 0 ? { second, price } : [];
    });
  }

  /** Calls the listener after something was added. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #spotOf(symbol: string): PriceHistory {
    const known = this.#spots.get(symbol) ?? new PriceHistory();
    this.#spots.set(symbol, known);
    return known;
  }

  #takeMarks(shape: ChainShape, market: Market, second: number): void {
    if (this.#shape !== shape) {
      this.#shape = shape;
      this.#samples = [];
    }
    const last = this.#samples.at(-1);
    if (last !== undefined && second - last.second < MARKS_EVERY_S) return;
    const marks = Float64Array.from(shape.legs, (leg) => market.value(leg, 'mark'));
    this.#samples.push({ second, marks });
    if (this.#samples.length > MARKS_KEPT) this.#samples.shift();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/**
 * Merges the known trades of one contract with those on its underlying's tape, which is newest first: ascending, the
 * last trade of each second.
 */
export function tradesOf(
  seriesId: string,
  tape: readonly TapePrint[],
  known: readonly PricePoint[],
): PricePoint[] {
  const bySecond = new Map(known.map((point) => [point.second, point]));
  for (const print of tape.toReversed()) {
    const second = Math.floor(print.ts / 1_000);
    if (print.seriesId === seriesId) bySecond.set(second, { second, price: print.price });
  }
  return [...bySecond.values()].sort((a, b) => a.second - b.second).slice(-POINTS_KEPT);
}

/** A history in words: the current price and its range. */
export function historySentence(points: readonly PricePoint[], format: (price: number) => string): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return 'Nothing has been seen yet.';
  let [low, high] = [first.price, first.price];
  for (const { price } of points) {
    low = Math.min(low, price);
    high = Math.max(high, price);
  }
  const minutes = Math.max(1, Math.round((last.second - first.second) / 60));
  const span = minutes === 1 ? 'the last minute' : `the last ${minutes} minutes`;
  return `${format(last.price)} now, between ${format(low)} and ${format(high)} in ${span}.`;
}

/** At most `most` evenly spaced points, always including the last: for a table. */
export function thinned(points: readonly PricePoint[], most: number): PricePoint[] {
  const step = Math.max(1, (points.length - 1) / Math.max(1, most - 1));
  const chosen = new Set<PricePoint>();
  for (let at = points.length - 1; at >= 0; at -= step) chosen.add(points[Math.round(at)]!);
  return [...chosen];
}
