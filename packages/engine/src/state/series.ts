/** Underlyings with their prices and expiries, and the series on them. */

import type { Micros, Right } from '@venue/protocol';
import type { Book } from '../book/book.ts';
import type { AccountIndex, Sid } from './ids.ts';
import type { AssetClass } from './parameters.ts';

export type Side = 'buy' | 'sell';

export type SeriesStatus = 'live' | 'pending-review' | 'settled';

export interface Series {
  readonly sid: Sid;
  readonly seriesId: string;
  readonly instrument: Instrument;
  /** Unix seconds. */
  readonly expiryTs: number;
  readonly cutoffMs: number;
  readonly right: Right;
  readonly strikeMicros: Micros;
  status: SeriesStatus;
  /** The payout per contract; zero until it is settled. */
  payoutMicros: Micros;
  /** Accounts with a position record in the series, even if flat, in the order in which they opened it. */
  readonly holders: AccountIndex[];
  readonly book: Book;
  /** Order ids of the maker's ladder, best first; may include ids that have since been filled or pulled. */
  readonly quotes: { bids: number[]; asks: number[] };
  /** Annotations of the market maker, stored but never used in computations. */
  iv: number;
  delta: number;
  /**
   * The newest volatility annotated by the market maker or a mark maker, and the log's time of it (RSK-2); zeros before
   * the first one.
   */
  annotatedIv: number;
  annotatedAt: number;
  volumeMicros: Micros;
  openInterestMicros: Micros;
  /** Total resting quantity on each side of the book. */
  restingBuyMicros: Micros;
  restingSellMicros: Micros;
}

export interface PriceSource {
  readonly source: string;
  priceMicros: Micros;
  /** The log's time of the last print. */
  ts: number;
}

/** Second of the log's time, and the spot at its end. */
export type SpotOfSecond = readonly [second: number, spotMicros: Micros];

/** Times of the ticks that found a spot too far from the median of its last 60 s (RSK-5). */
export interface Jump {
  /** The first of them. */
  readonly sinceTs: number;
  /** The tick since which the spot is back; null while it is too far. */
  readonly backTs: number | null;
}

export interface Instrument {
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** False if the parameters no longer name the symbol: it takes no prints and lists nothing. */
  active: boolean;
  /** Zero before the first print. */
  spotMicros: Micros;
  /** Seconds in which the spot moved, ascending: those of the last 60 s and the one before; none without a jump stop. */
  spots: SpotOfSecond[];
  /** Until the spot has been back for 60 s; null without one. */
  jump: Jump | null;
  readonly sources: Map<string, PriceSource>;
  /** Prints of the sources in the open averaging windows, by expiry. */
  readonly windows: Map<number, OracleWindow>;
  /** By expiry, in the order they were made; the newest `DECISIONS_KEPT`, plus those still awaited. */
  readonly decisions: Map<number, Decision>;
  /** The expiries of the last roll of the listings. */
  rolledFor: string;
  /** In listing order, without settled ones. */
  series: Series[];
}

/** The prints of one source in the averaging window of one expiry, up to the cutoff. */
export interface SourceWindow {
  readonly source: string;
  /** Sum of price x milliseconds from the start of the window to the last sample. */
  integral: bigint;
  /** False while there is no print inside the window; the last print is then from before it. */
  hasSample: boolean;
  /** The last print, not after the cutoff, and its time. */
  priceMicros: Micros;
  ts: number;
}

export interface OracleWindow {
  readonly expiryTs: number;
  readonly sources: Map<string, SourceWindow>;
}

export interface SourceAverage {
  readonly source: string;
  /** Null for a source without a print inside the window. */
  readonly averageMicros: Micros | null;
  readonly fresh: boolean;
  readonly lastMicros: Micros;
  readonly lastTs: number;
}

/** Why the oracle gave no price. */
export type OracleRefusal = 'too few fresh sources' | 'dispersion too wide' | 'payout too large';

/** The settlement of one underlying at one expiry: its price and the inputs of the decision (ORA-2). */
export interface Decision {
  readonly instrument: Instrument;
  readonly expiryTs: number;
  readonly sources: readonly SourceAverage[];
  /**
   * Spread of the fresh averages relative to their median, in millionths of a basis point; null without a fresh source.
   */
  readonly dispersionMicroBps: Micros | null;
  /** Median of the last prints at the cutoff over all sources, fresh or not; null without any (ORA-3). */
  readonly anchorMicros: Micros | null;
  readonly refusal: OracleRefusal | null;
  /** The maximum distance of a hand settlement when the expiry was judged: no later configuration widens it. */
  readonly boundBps: number;
  /** When the oracle gave a price or refused. */
  readonly judgedAt: number;
  /** Null until there is a price. */
  priceMicros: Micros | null;
  decidedAt: number | null;
  by: 'oracle' | 'hand' | null;
}
