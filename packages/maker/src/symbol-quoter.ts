/** Computes the quotes that the maker wants in all series of one underlying. */

import type { Series } from '@venue/protocol';
import { type Horizon, horizonOf, SpotAverage, WINDOW_MS } from './horizon.ts';
import {
  addPosition,
  type Exposure,
  FLAT,
  type Inventory,
  type LimitUse,
  largestUse,
  limitUse,
  type Room,
  roomOf,
  shiftOf,
} from './inventory.ts';
import type { SymbolParameters } from './parameters.ts';
import { type Basis, basisOf, type SeriesValue, type Shift, valueSeries } from './pricing.ts';
import { halfSpreadOf } from './spread.ts';

/** The standing or intended quote of one series, from which its ladder is built. */
export interface Quote {
  /** Fair value and greeks, without the maker's inventory. */
  readonly value: SeriesValue;
  /** Centre of the ladder, with inventory included. */
  readonly centre: number;
  readonly halfSpread: number;
  readonly spot: number;
  /** Contracts at the best price. */
  readonly size: number;
  readonly room: Room;
  /** The most that a contract can be worth: a call its forward, a put its strike. */
  readonly ceiling: number;
  /** Levels of a side: one outside the range of deltas that is quoted closely. */
  readonly levels: 1 | 2;
}

interface Expiry {
  readonly cutoffMs: number;
  readonly series: readonly Series[];
  /** Levels of a side that its series may have; with none its quotes are pulled. */
  readonly levels: 0 | 1 | 2;
}

interface Valued extends Expiry {
  readonly horizon: Horizon;
  readonly fair: Basis;
  readonly values: readonly SeriesValue[];
}

/** A push that arrives at the cutoff would be refused. */
const CLOSE_MS = 1_000;
/** If more than this of the window's start was missed, the average differs from the venue's. */
const MISSED_MS_MAX = 60_000;

export class SymbolQuoter {
  readonly #parameters: SymbolParameters;
  readonly #inventory: Inventory;
  readonly #average = new SpotAverage();
  #expiries: readonly Expiry[] = [];
  #size = 0;
  #exposure = FLAT;
  readonly #fair = new Map<string, SeriesValue>();
  readonly #far = new Set<string>();

  constructor(parameters: SymbolParameters, inventory: Inventory) {
    this.#parameters = parameters;
    this.#inventory = inventory;
  }

  /** Net greeks in the last round. */
  get exposure(): Exposure {
    return this.#exposure;
  }

  /** Fair value and greeks of a series in the last round. */
  valuedAt(seriesId: string): SeriesValue | undefined {
    return this.#fair.get(seriesId);
  }

  get hasSeries(): boolean {
    return this.#expiries.length > 0;
  }

  /** Loads the live series of the underlying. `levelsMax` bounds the levels of all of them together, both sides counted. */
  load(list: readonly Series[], levelsMax = Number.POSITIVE_INFINITY): void {
    const listed = new Set(list.map(({ seriesId }) => seriesId));
    for (const known of [this.#fair, this.#far])
      for (const seriesId of known.keys()) if (!listed.has(seriesId)) known.delete(seriesId);
    const expiries = Map.groupBy(list, ({ expiryCutoffMs }) => expiryCutoffMs);
    this.#expiries = withLevels([...expiries], levelsMax);
  }

  /** The intended quote of every live series, or null for none. */
  quotes(spot: number, nowMs: number): [Series, Quote | null][] {
    if (this.#size === 0) this.#size = sizeOf(this.#parameters, spot);
    const valued = this.#live(nowMs).map((expiry) => this.#valueExpiry(expiry, spot, nowMs));
    this.#exposure = this.#sum(valued, spot);
    const use = limitUse(this.#exposure, this.#parameters.limits);
    const shift = shiftOf(use, this.#parameters.skew);
    return valued.flatMap((expiry) => this.#quoteExpiry(expiry, { spot, nowMs, use, shift }));
  }

  /** No quote for any live series. */
  noQuotes(nowMs: number): [Series, null][] {
    this.#fair.clear();
    return this.#live(nowMs).flatMap(({ series }) => series.map((one): [Series, null] => [one, null]));
  }

  #live(nowMs: number): Expiry[] {
    return this.#expiries.filter(({ cutoffMs }) => cutoffMs - nowMs > CLOSE_MS);
  }

  #valueExpiry(expiry: Expiry, spot: number, nowMs: number): Valued {
    const { cutoffMs, series } = expiry;
    const openedMs = cutoffMs - WINDOW_MS;
    if (nowMs >= openedMs) this.#average.observe({ spot, nowMs, openedMs });
    const { surface, carry } = this.#parameters;
    const average = this.#average.value;
    const horizon = horizonOf({ spot, carry: carry.rate, cutoffMs, nowMs, average });
    const fair = basisOf(surface, spot, horizon);
    const values = series.map((one) => valueSeries(fair, one));
    series.forEach(({ seriesId }, i) => {
      this.#fair.set(seriesId, values[i]!);
    });
    return { ...expiry, horizon, fair, values };
  }

  #sum(expiries: readonly Valued[], spot: number): Exposure {
    let sum = FLAT;
    for (const { series, values } of expiries) {
      for (const [i, { seriesId }] of series.entries()) {
        const qty = this.#inventory.of(seriesId);
        if (qty !== 0) sum = addPosition(sum, qty, values[i]!, spot);
      }
    }
    return sum;
  }

  #quoteExpiry(expiry: Valued, at: Moment): [Series, Quote | null][] {
    const { cutoffMs, series, values, horizon } = expiry;
    const isBlind = at.nowMs > cutoffMs - WINDOW_MS && this.#average.missedMs > MISSED_MS_MAX;
    const isShifted = at.shift.spot !== 0 || at.shift.vol !== 0;
    const shifted = isShifted ? basisOf(this.#parameters.surface, at.spot, horizon, at.shift) : null;
    return series.map((one, i) => [
      one,
      isBlind || expiry.levels === 0 ? null : this.#quote(one, values[i]!, expiry, shifted, at),
    ]);
  }

  #quote(
    series: Series,
    value: SeriesValue,
    { cutoffMs, fair, levels }: Valued,
    shifted: Basis | null,
    at: Moment,
  ): Quote | null {
    const { spread, limits, range } = this.#parameters;
    const isFar = this.#isFar(series.seriesId, Math.abs(value.delta));
    const { spot, use } = at;
    const atmVol = Math.sqrt(fair.slice.theta / fair.slice.years);
    const leftMs = cutoffMs - at.nowMs;
    const farSpreads = isFar ? range.farSpreads : 1;
    const halfSpread = halfSpreadOf(spread, {
      ...{ value, spot, atmVol, leftMs, farSpreads },
      use: largestUse(use),
    });
    const centre = shifted === null ? value.price : valueSeries(shifted, series).price;
    const room = roomOf({
      right: series.right,
      held: this.#inventory.of(series.seriesId),
      positionMax: limits.positionSizes * this.#size,
      use,
      isFullHouse: this.#inventory.isFullHouse(series.symbol),
    });
    const ceiling = series.right === 'C' ? fair.forward : series.strike;
    return {
      value,
      centre,
      halfSpread,
      spot,
      size: this.#size,
      room,
      ceiling,
      levels: isFar || levels < 2 ? 1 : 2,
    };
  }

  #isFar(seriesId: string, absDelta: number): boolean {
    const { deltaMin, deltaMax } = this.#parameters.range;
    const band = this.#far.has(seriesId) ? FAR_DELTA_BAND : 0;
    const isFar =
      absDelta < deltaMin + (deltaMin > 0 ? band : 0) || (deltaMax < 1 && absDelta > deltaMax - band);
    if (isFar) this.#far.add(seriesId);
    else this.#far.delete(seriesId);
    return isFar;
  }
}

/** One level a side for every expiry, the nearest first, as far as the levels reach; a second one likewise with the rest. */
function withLevels(expiries: [cutoffMs: number, series: Series[]][], levelsMax: number): Expiry[] {
  const nearestFirst = expiries.toSorted(([a], [b]) => a - b);
  const first = reachOf(nearestFirst, levelsMax);
  const taken = nearestFirst.slice(0, first).reduce((sum, [, { length }]) => sum + 2 * length, 0);
  const second = Math.min(first, reachOf(nearestFirst, levelsMax - taken));
  return nearestFirst.map(([cutoffMs, series], i) => {
    return { cutoffMs, series, levels: i < second ? 2 : i < first ? 1 : 0 };
  });
}

/** How many expiries can have a level on both sides of each series. */
function reachOf(expiries: readonly (readonly [number, readonly Series[]])[], levelsMax: number): number {
  let left = levelsMax;
  const short = expiries.findIndex(([, { length }]) => {
    left -= 2 * length;
    return left < 0;
  });
  return short === -1 ? expiries.length : short;
}

/** How much further in a series has to come before it is quoted closely again, so that none goes back and forth. */
const FAR_DELTA_BAND = 0.03;

/** The common inputs for quoting all series of the symbol. */
interface Moment {
  readonly spot: number;
  readonly nowMs: number;
  readonly use: LimitUse;
  readonly shift: Shift;
}

/** Contracts at the best price; if not set, what the dollars buy, to one significant digit. */
function sizeOf({ size: { contracts, usd } }: SymbolParameters, spot: number): number {
  return contracts > 0 ? contracts : Number(Math.max(0.001, usd / spot).toPrecision(1));
}
