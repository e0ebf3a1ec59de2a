/** Rows of quotes as programs write them. */

import type { SetPushAnswer } from '@venue/protocol';
import type { Decimal } from '../net/decimal.ts';

/** Price in US dollars and size in contracts of each level, best first; null leaves a side as it is, an empty one pulls it. */
export type QuoteLevels = readonly (readonly [price: Decimal, qty: Decimal])[] | null;

/** Where the ladders of a set are to stand in one series. What is absent stays as it is. */
export interface Quote {
  readonly seriesId: string;
  readonly bids?: QuoteLevels;
  readonly asks?: QuoteLevels;
  /** Implied volatility, to annotate. */
  readonly iv?: number | null;
  /** Delta of a contract, which a limit on delta counts; without one a contract counts 1. */
  readonly delta?: number | null;
}

/**
 * The same by the venue's short number of the series, `sid` in its lists. The number is stable while the venue's log lives;
 * a signature over it says nothing else of the series.
 */
export type SidQuote = readonly [
  sid: number,
  bids: QuoteLevels,
  asks: QuoteLevels,
  iv?: number | null,
  delta?: number | null,
];

/** The binary form, which the small door for browsers leaves out. */
export interface BytesForm {
  readonly contentType: string;
  readonly encode: (rows: readonly SidQuote[]) => Uint8Array<ArrayBuffer>;
  readonly decode: (answer: Uint8Array) => SetPushAnswer;
}
