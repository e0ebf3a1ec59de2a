/** A side of the market, and the best prices of both. */

export type Side = 'buy' | 'sell';

/** Best prices and mark in dollars, NaN if there is none. */
export interface Touch {
  readonly bid: number;
  readonly ask: number;
  readonly mark: number;
}
