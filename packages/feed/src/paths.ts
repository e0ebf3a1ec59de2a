/** The true prices behind all sources: correlated geometric Brownian motion. */

import type { AssetClass, InstrumentProfile, Random } from '@venue/protocol/simulation';

export const YEAR_MS = 365.25 * 24 * 3_600_000;

/** Shares of every symbol's variance that come from the whole market and from its class. */
export const MARKET_SHARE = 0.3;
export const CLASS_SHARE = 0.35;

/**
 * Moves all symbols together. Each shock has a market, a class and an own part, so any two symbols correlate by
 * `MARKET_SHARE`, and inside a class by `MARKET_SHARE + CLASS_SHARE`, whatever the list of symbols.
 */
export class PricePaths {
  readonly #random: Random;
  readonly #instruments: readonly InstrumentProfile[];
  readonly #prices: number[];

  constructor(random: Random, instruments: readonly InstrumentProfile[]) {
    this.#random = random;
    this.#instruments = instruments;
    this.#prices = instruments.map(({ startPrice }) => startPrice);
  }

  /** Current prices, in the order of the instruments. */
  get prices(): readonly number[] {
    return this.#prices;
  }

  /** Moves every price by `stepMs`, without drift, so the expected price stays the same. */
  step(stepMs: number): void {
    const years = stepMs / YEAR_MS;
    const market = this.#random.normal();
    const classes = this.#classShocks();
    for (const [i, { annualVol, assetClass }] of this.#instruments.entries()) {
      const own = this.#random.normal();
      const shock =
        Math.sqrt(MARKET_SHARE) * market +
        Math.sqrt(CLASS_SHARE) * classes[assetClass] +
        Math.sqrt(1 - MARKET_SHARE - CLASS_SHARE) * own;
      this.#prices[i]! *= Math.exp(
        (-annualVol * annualVol * years) / 2 + annualVol * Math.sqrt(years) * shock,
      );
    }
  }

  #classShocks(): Record<AssetClass, number> {
    return { crypto: this.#random.normal(), equity: this.#random.normal(), index: this.#random.normal() };
  }
}
