/** Public market data as clients see it. */

import {
  type BookSide,
  BUY,
  type Instrument,
  isFeedFresh,
  isTradable,
  markMicros,
  SELL,
  type Series,
  type State,
  type TapePrint,
} from '@venue/engine';
import {
  type ChainLeg,
  type ChainRow,
  type Level,
  MICROS_PER_UNIT,
  microsToDecimal,
  type Trade,
  toMicros,
  type Book as WireBook,
  type Chain as WireChain,
  type Instrument as WireInstrument,
  type Series as WireSeries,
  type TapePrint as WireTapePrint,
} from '@venue/protocol';
import { isMarketOpen } from './market-hours.ts';

const BOOK_DEPTH = 12;

/** Every symbol in force, with its last price and whether that is fresh at `nowMs` (FEED-2). */
export function instrumentsView(state: State, nowMs: number): WireInstrument[] {
  return [...state.instruments.values()]
    .filter(({ active }) => active)
    .map((instrument) => instrumentView(state, instrument, nowMs));
}

/** One underlying with its last price. */
export function instrumentView(state: State, instrument: Instrument, nowMs: number): WireInstrument {
  return {
    symbol: instrument.symbol,
    spot: microsToDecimal(instrument.spotMicros),
    feedFresh: isFeedFresh(state, instrument, nowMs),
  };
}

/** In listing order. Settled series have left the listings, so only listed ones are checked. */
export function pendingReviewView(state: State): string[] {
  return [...state.instruments.values()]
    .flatMap(({ series }) => series.filter(({ status }) => status === 'pending-review'))
    .sort((a, b) => a.sid - b.sid)
    .map(({ seriesId }) => seriesId);
}

/** The live series of a symbol, without settled, expired or pending ones. */
export function seriesListView(instrument: Instrument, nowMs: number): WireSeries[] {
  return instrument.series.filter((series) => isTradable(series, nowMs)).map(seriesView);
}

function seriesView(series: Series): WireSeries {
  return {
    seriesId: series.seriesId,
    sid: series.sid,
    symbol: series.instrument.symbol,
    expiryTs: series.expiryTs,
    expiryCutoffMs: series.cutoffMs,
    right: series.right,
    strike: microsToDecimal(series.strikeMicros),
  };
}

/** The live series of one expiry, one row per strike, ascending. */
export function chainView(instrument: Instrument, expiryTs: number, nowMs: number): WireChain {
  return {
    symbol: instrument.symbol,
    expiryTs,
    spot: microsToDecimal(instrument.spotMicros),
    sessionOpen: isMarketOpen(instrument.assetClass, nowMs),
    rows: chainRows(instrument.series.filter((s) => s.expiryTs === expiryTs && isTradable(s, nowMs))),
  };
}

function chainRows(series: readonly Series[]): ChainRow[] {
  const rows = new Map<number, ChainRow>();
  for (const one of series) {
    const strike = microsToDecimal(one.strikeMicros);
    const row = rows.get(strike) ?? { strike, call: null, put: null };
    row[one.right === 'C' ? 'call' : 'put'] = chainLegView(one);
    rows.set(strike, row);
  }
  return [...rows.values()].sort((a, b) => a.strike - b.strike);
}

/** One contract in a row of a chain. */
export function chainLegView(series: Series): ChainLeg {
  const mark = markMicros(series);
  return {
    seriesId: series.seriesId,
    sid: series.sid,
    bid: levelsView(series, BUY, 1)[0] ?? null,
    ask: levelsView(series, SELL, 1)[0] ?? null,
    mid: mark === null ? null : microsToDecimal(mark),
    iv: series.iv,
    delta: series.delta,
    openInterest: microsToDecimal(series.openInterestMicros),
    volume: microsToDecimal(series.volumeMicros),
  };
}

/** Twelve price levels a side, best first. */
export function bookView(series: Series): WireBook {
  return {
    seriesId: series.seriesId,
    bids: levelsView(series, BUY, BOOK_DEPTH),
    asks: levelsView(series, SELL, BOOK_DEPTH),
  };
}

function levelsView(series: Series, side: BookSide, depth: number): Level[] {
  return series.book.levels(side, depth).map(({ price, quantity }) => ({
    price: microsToDecimal(toMicros(price)),
    // The sum of a level may exceed the exact range, though every order in it is within.
    qty: quantity / MICROS_PER_UNIT,
  }));
}

export function tapePrintView(print: TapePrint): WireTapePrint {
  return {
    seriesId: print.series.seriesId,
    price: microsToDecimal(print.priceMicros),
    qty: microsToDecimal(print.qtyMicros),
    side: print.side,
    ts: print.ts,
  };
}

/** A print with its id, and whether an account traded with itself (HIS-1). */
export function tradeView(print: TapePrint): Trade {
  return { id: print.id, ...tapePrintView(print), ...(print.isSelf && { self: true }) };
}
