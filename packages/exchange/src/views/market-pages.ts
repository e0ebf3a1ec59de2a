/** Caches the bytes of frequently requested answers until something that they show changes. */

import { type Instrument, isTradable, type Series } from '@venue/engine';
import { bookView, chainView, seriesListView } from './market.ts';
import { isMarketOpen } from './market-hours.ts';

interface BookPage {
  readonly version: number;
  readonly json: Buffer;
}

interface SeriesPage {
  readonly listings: readonly Series[];
  readonly listed: number;
  /** Unix milliseconds between which no series stops trading. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly json: Buffer;
}

interface ChainPage {
  /** How many listings it was built from. */
  readonly listed: number;
  /** Those of this expiry. */
  readonly series: readonly Series[];
  readonly spotMicros: number;
  readonly isMarketOpen: boolean;
  /** Unix minute for which that is known. */
  minute: number;
  /** Last check: nothing can have changed after that entry and until that time. */
  seq: number;
  untilMs: number;
  /** The values that the legs show, `FACTS` numbers each. */
  readonly facts: Float64Array;
  readonly json: Buffer;
}

/** The number of changing values that a leg of a chain shows. */
export const FACTS = 6;

/** Writes those values of one series from `at` on. A leg whose values are the same shows the same. */
export function writeFacts(series: Series, nowMs: number, facts: Float64Array, at: number): void {
  facts[at] = Number(isTradable(series, nowMs));
  facts[at + 1] = series.book.version;
  facts[at + 2] = series.iv;
  facts[at + 3] = series.delta;
  facts[at + 4] = series.openInterestMicros;
  facts[at + 5] = series.volumeMicros;
}

export interface Moment {
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** The last applied entry. */
  readonly seq: number;
}

export class MarketPages {
  readonly #books = new WeakMap<Series, BookPage>();
  readonly #series = new WeakMap<Instrument, SeriesPage>();
  /** By the listings, an array that grows when a series is added and is replaced, with all pages, when one leaves. */
  readonly #chains = new WeakMap<readonly Series[], Map<number, ChainPage>>();
  /** Refilled for each comparison. */
  readonly #now = new Float64Array(FACTS);

  /** JSON of `bookView`. */
  book(series: Series): Buffer {
    const { version } = series.book;
    const page = this.#books.get(series);
    if (page?.version === version) return page.json;
    const json = Buffer.from(JSON.stringify(bookView(series)));
    this.#books.set(series, { version, json });
    return json;
  }

  /** JSON of the list of `seriesListView`: some hundred kB that change only with a listing or a cutoff. */
  series(instrument: Instrument, nowMs: number): Buffer {
    const kept = this.#series.get(instrument);
    if (kept !== undefined && isSameList(kept, instrument, nowMs)) return kept.json;
    const made = makeSeries(instrument, nowMs);
    this.#series.set(instrument, made);
    return made.json;
  }

  /** JSON of `chainView`, in the state after the entry `seq`. */
  chain(instrument: Instrument, expiryTs: number, { nowMs, seq }: Moment): Buffer {
    const pages = this.#pagesOf(instrument);
    const page = pages.get(expiryTs);
    if (page !== undefined) {
      if (page.seq === seq && nowMs < page.untilMs) return page.json;
      if (this.#isStill(page, instrument, nowMs)) {
        page.seq = seq;
        page.untilMs = untilMs(page.series, nowMs);
        return page.json;
      }
    }
    const made = makeChain(instrument, expiryTs, { nowMs, seq });
    // Clients must not fill the memory with unknown expiries.
    if (made.series.length > 0) pages.set(expiryTs, made);
    else pages.delete(expiryTs);
    return made.json;
  }

  #pagesOf({ series }: Instrument): Map<number, ChainPage> {
    let pages = this.#chains.get(series);
    if (pages === undefined) {
      pages = new Map();
      this.#chains.set(series, pages);
    }
    return pages;
  }

  #isStill(page: ChainPage, instrument: Instrument, nowMs: number): boolean {
    const { listed, series, facts, spotMicros } = page;
    if (listed !== instrument.series.length) return false;
    if (spotMicros !== instrument.spotMicros || !hasSameMarketHours(page, instrument, nowMs)) return false;
    const now = this.#now;
    for (let i = 0; i < series.length; i++) {
      writeFacts(series[i]!, nowMs, now, 0);
      for (let n = 0; n < FACTS; n++) if (!Object.is(now[n], facts[i * FACTS + n])) return false;
    }
    return true;
  }
}

/** A series is live until its cutoff, and is not listed afterwards. */
function isSameList(page: SeriesPage, { series }: Instrument, nowMs: number): boolean {
  if (page.listings !== series || page.listed !== series.length) return false;
  return page.fromMs <= nowMs && nowMs < page.untilMs;
}

function makeSeries(instrument: Instrument, nowMs: number): SeriesPage {
  const { series } = instrument;
  const cutoffs = series.map(({ cutoffMs }) => cutoffMs);
  return {
    listings: series,
    listed: series.length,
    fromMs: Math.max(0, ...cutoffs.filter((cutoffMs) => cutoffMs <= nowMs)),
    untilMs: Math.min(Number.POSITIVE_INFINITY, ...cutoffs.filter((cutoffMs) => cutoffMs > nowMs)),
    json: Buffer.from(JSON.stringify({ series: seriesListView(instrument, nowMs) })),
  };
}

const MINUTE_MS = 60_000;

/** Sessions open and close on the minute. */
function hasSameMarketHours(page: ChainPage, { assetClass }: Instrument, nowMs: number): boolean {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (page.minute === minute) return true;
  if (page.isMarketOpen !== isMarketOpen(assetClass, nowMs)) return false;
  page.minute = minute;
  return true;
}

/** Without an entry a chain changes only when trading ends, or on the minute, when a session may open or close. */
function untilMs(series: readonly Series[], nowMs: number): number {
  let next = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
  for (const { cutoffMs } of series) if (cutoffMs > nowMs) next = Math.min(next, cutoffMs);
  return next;
}

function makeChain(instrument: Instrument, expiryTs: number, { nowMs, seq }: Moment): ChainPage {
  const series = instrument.series.filter((one) => one.expiryTs === expiryTs);
  const facts = new Float64Array(series.length * FACTS);
  for (const [i, one] of series.entries()) writeFacts(one, nowMs, facts, i * FACTS);
  return {
    listed: instrument.series.length,
    series,
    spotMicros: instrument.spotMicros,
    isMarketOpen: isMarketOpen(instrument.assetClass, nowMs),
    minute: Math.floor(nowMs / MINUTE_MS),
    seq,
    untilMs: untilMs(series, nowMs),
    facts,
    json: Buffer.from(JSON.stringify(chainView(instrument, expiryTs, nowMs))),
  };
}
