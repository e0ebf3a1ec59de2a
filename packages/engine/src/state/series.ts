/** What is traded: underlyings with their prices and expiries, and the series on them. */

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
  /** What a contract paid; zero until it is settled. */
  payoutMicros: Micros;
  /** Accounts with a record of a position in it, a flat one included, in the order in which they opened it. */
  readonly holders: AccountIndex[];
  readonly book: Book;
  /** Order ids of the maker's ladder, best first; ids that were filled or pulled since may still stand here. */
  readonly quotes: { bids: number[]; asks: number[] };
  /** Annotations of the market maker, carried and never computed with. */
  iv: number;
  delta: number;
  volumeMicros: Micros;
  openInterestMicros: Micros;
  /** All that rests on each side of the book. */
  restingBuyMicros: Micros;
  restingSellMicros: Micros;
}

export interface PriceSource {
  readonly source: string;
  priceMicros: Micros;
  /** The log's time of the last print. */
  ts: number;
}

export interface Instrument {
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** False when the parameters no longer name the symbol: it takes no prints and lists nothing. */
  active: boolean;
  /** Zero before the first print. */
  spotMicros: Micros;
  readonly sources: Map<string, PriceSource>;
  /** What the sources printed in the averaging windows that are open, by expiry. */
  readonly windows: Map<number, OracleWindow>;
  /** By expiry, in the order they were taken; the newest `DECISIONS_KEPT` that nothing waits for. */
  readonly decisions: Map<number, Decision>;
  /** The expiries the listings were last rolled for. */
  rolledFor: string;
  /** In listing order, the settled ones left out. */
  series: Series[];
}

/** What one source printed in the averaging window of one expiry, up to the cutoff. */
export interface SourceWindow {
  readonly source: string;
  /** Sum of price x milliseconds from the start of the window to the last sample. */
  integral: bigint;
  /** False while nothing was printed inside the window; the last print is then from before it. */
  hasSample: boolean;
  /** What it printed last, not after the cutoff, and the log's time of that. */
  priceMicros: Micros;
  ts: number;
}

export interface OracleWindow {
  readonly expiryTs: number;
  readonly sources: Map<string, SourceWindow>;
}

export interface SourceAverage {
  readonly source: string;
  /** Null for a source that printed nothing inside the window. */
  readonly averageMicros: Micros | null;
  readonly fresh: boolean;
  readonly lastMicros: Micros;
  readonly lastTs: number;
}

/** Why the oracle would not name a price. */
export type OracleRefusal = 'too few fresh sources' | 'dispersion too wide' | 'payout too large';

/** What became of one underlying at one expiry: its price and what that was decided from (ORA-2). */
export interface Decision {
  readonly instrument: Instrument;
  readonly expiryTs: number;
  readonly sources: readonly SourceAverage[];
  /** Spread of the fresh averages over their median, in millionths of a basis point; null without a fresh source. */
  readonly dispersionMicroBps: Micros | null;
  /** Median of the last prints at the cutoff over all sources, fresh or not; null when there was none (ORA-3). */
  readonly anchorMicros: Micros | null;
  readonly refusal: OracleRefusal | null;
  /** How far a hand settlement could stray when it was judged: no later configuration widens that. */
  readonly boundBps: number;
  /** When the oracle named the price or refused to. */
  readonly judgedAt: number;
  /** Null until somebody named a price. */
  priceMicros: Micros | null;
  decidedAt: number | null;
  by: 'oracle' | 'hand' | null;
}
