/** Decides whether a price fits the recent prices of its own channel. */

/** Number of recent prices whose median is the reference. */
const MEMORY_LENGTH = 15;
/** An older price says nothing about the present. */
const MEMORY_MS = 30 * 60_000;
/** After this many consecutive outliers, each near the one before, the market has moved. */
export const CONFIRMATIONS = 5;
/** One burst of prints in a thin book confirms nothing: the sequence must span at least this long. */
export const CONFIRM_SPAN_MS = 1_000;
/** Share of the band within which two prices are near each other. */
const NEAR_SHARE = 0.2;

interface Seen {
  readonly price: number;
  readonly atMs: number;
}

/**
 * Passes a price within the band around the median of the recent ones. Outside it, and without recent prices, a price
 * must be confirmed by the following ones, which then become the new reference.
 */
export class OutlierFilter {
  readonly #band: number;
  #memory: Seen[] = [];
  #row: Seen[] = [];

  constructor(bandBps: number) {
    this.#band = bandBps / 10_000;
  }

  /** Returns whether the price may pass; `atMs` is of a clock that never steps. */
  passes(price: number, atMs: number): boolean {
    this.#memory = this.#memory.filter((seen) => atMs - seen.atMs <= MEMORY_MS);
    const seen = { price, atMs };
    if (this.#memory.length > 0 && isWithin(price, medianOf(this.#memory), this.#band)) {
      this.#memory = [...this.#memory, seen].slice(-MEMORY_LENGTH);
      this.#row = [];
      return true;
    }
    return this.#confirms(seen);
  }

  #confirms(seen: Seen): boolean {
    const last = this.#row.at(-1);
    if (last === undefined || !isWithin(seen.price, last.price, this.#band * NEAR_SHARE)) this.#row = [];
    this.#row.push(seen);
    const spanMs = seen.atMs - this.#row[0]!.atMs;
    if (this.#row.length < CONFIRMATIONS || spanMs < CONFIRM_SPAN_MS) return false;
    this.#memory = this.#row.slice(-MEMORY_LENGTH);
    this.#row = [];
    return true;
  }
}

function isWithin(price: number, of: number, band: number): boolean {
  return Math.abs(price - of) <= of * band;
}

function medianOf(seen: readonly Seen[]): number {
  const prices = seen.map(({ price }) => price).sort((a, b) => a - b);
  return prices[Math.floor(prices.length / 2)]!;
}
