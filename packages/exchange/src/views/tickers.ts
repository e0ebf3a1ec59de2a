/** Tickers: prices, trades of a day, volatility and greeks of each series (HIS-3). */

import { setImmediate } from 'node:timers/promises';
import {
  BUY,
  type Instrument,
  isTradable,
  SELL,
  type Series,
  type State,
  settlementSoFar,
} from '@venue/engine';
import { MICROS_PER_UNIT, microsToDecimal, type Ticker, type TickerList, toMicros } from '@venue/protocol';
import { greeksOf, greeksOfPayoff } from '@venue/protocol/greeks';
import { impliedVol } from '@venue/protocol/implied-vol';
import { intrinsicMicros } from '@venue/protocol/margin';
import { MINUTES_PER_YEAR, minutesLeft, shownMark } from '../analytics/chain.ts';
import type { DayTrades } from './day-trades.ts';

/** Tickers that are made in one turn, in less than a millisecond. */
const TURN_SERIES = 128;

/** The values that a ticker is made from, each a number. */
const FACT = { bid: 0, ask: 1, mark: 2, spot: 3, minutes: 4, last: 5, volume: 6, openInterest: 7 } as const;
const FACTS = 8;

interface Kept {
  readonly facts: Float64Array;
  json: string;
}

/** Makes tickers, and keeps the JSON of each until something in it changes. */
export class Tickers {
  readonly #state: State;
  readonly #days: DayTrades;
  readonly #kept = new WeakMap<Series, Kept>();
  /** Refilled for each comparison. */
  readonly #now = new Float64Array(FACTS);

  constructor(state: State, days: DayTrades) {
    this.#state = state;
    this.#days = days;
  }

  /** Resolves once the trades of an underlying are known, if they can be; without them tickers have nulls. */
  ready(instrument: Instrument): Promise<void> {
    return this.#days.ready(instrument);
  }

  /** The ticker of a series after the last entry, as JSON; null once it is no longer traded. */
  jsonOf(series: Series): string | null {
    if (!isTradable(series, this.#state.ts)) return null;
    const now = this.#now;
    this.#writeFacts(series, now);
    const kept = this.#kept.get(series);
    if (kept !== undefined && isSame(kept.facts, now)) return kept.json;
    const json = JSON.stringify(tickerOf(series, now));
    if (kept === undefined) this.#kept.set(series, { facts: now.slice(), json });
    else {
      kept.facts.set(now);
      kept.json = json;
    }
    return json;
  }

  /**
   * All of an underlying, as the JSON that `GET /v1/tickers` answers, and the entry that it shows. A move of the spot
   * changes every ticker, so they are made a few at a time, between which other requests have their turn; only what
   * changed meanwhile is left for the end.
   */
  async list(instrument: Instrument): Promise<{ readonly seq: number; readonly json: string }> {
    await this.ready(instrument);
    const { series } = instrument;
    for (const [n, one] of series.entries()) {
      if (n % TURN_SERIES === 0) await setImmediate();
      this.jsonOf(one);
    }
    return { seq: this.#state.seq, json: this.#listOf(instrument) };
  }

  #listOf(instrument: Instrument): string {
    const rows: string[] = [];
    for (const series of instrument.series) {
      const json = this.jsonOf(series);
      if (json !== null) rows.push(json);
    }
    return `{${JSON.stringify(headOf(this.#state, instrument)).slice(1, -1)},"tickers":[${rows.join(',')}]}`;
  }

  #writeFacts(series: Series, facts: Float64Array): void {
    const { lastMicros, volumeMicros } = this.#days.of(series);
    facts[FACT.bid] = series.book.bestPrice(BUY) ?? Number.NaN;
    facts[FACT.ask] = series.book.bestPrice(SELL) ?? Number.NaN;
    facts[FACT.mark] = shownMark(this.#state, series) ?? Number.NaN;
    facts[FACT.spot] = series.instrument.spotMicros;
    facts[FACT.minutes] = minutesLeft(series, this.#state.ts);
    facts[FACT.last] = lastMicros ?? Number.NaN;
    facts[FACT.volume] = volumeMicros ?? Number.NaN;
    facts[FACT.openInterest] = series.openInterestMicros;
  }
}

/** Returns the part of a list of tickers that is about the underlying itself. */
export function headOf(state: State, instrument: Instrument): Omit<TickerList, 'tickers'> {
  const soFar = settlementSoFar(state, instrument);
  const price = soFar?.priceMicros ?? null;
  return {
    symbol: instrument.symbol,
    spot: microsToDecimal(instrument.spotMicros),
    ...(soFar !== null && { settlementSoFar: price === null ? null : microsToDecimal(price) }),
  };
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < FACTS; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}

function tickerOf(series: Series, facts: Float64Array): Ticker {
  return {
    seriesId: series.seriesId,
    bid: decimal(facts[FACT.bid]!),
    ask: decimal(facts[FACT.ask]!),
    mark: decimal(facts[FACT.mark]!),
    last: decimal(facts[FACT.last]!),
    volume24h: decimal(facts[FACT.volume]!),
    openInterest: decimal(facts[FACT.openInterest]!)!,
    ...modelOf(series, facts),
  };
}

type Model = Pick<Ticker, 'iv' | 'delta' | 'gamma' | 'vega' | 'theta'>;

const NO_MODEL: Model = { iv: null, delta: null, gamma: null, vega: null, theta: null };

/**
 * Prices enter in dollars, as gamma is for a dollar. A mark at or under intrinsic value implies no volatility, but it moves as
 * the payoff does, so that sums over a book stay whole.
 */
function modelOf({ right, strikeMicros }: Series, facts: Float64Array): Model {
  const forward = facts[FACT.spot]! / MICROS_PER_UNIT;
  const strike = strikeMicros / MICROS_PER_UNIT;
  const years = facts[FACT.minutes]! / MINUTES_PER_YEAR;
  const price = facts[FACT.mark]! / MICROS_PER_UNIT;
  const vol = impliedVol({ right, forward, strike, years, price });
  const isAtIntrinsic =
    facts[FACT.mark]! <= intrinsicMicros({ right, strikeMicros }, toMicros(facts[FACT.spot]!));
  if (vol === null)
    return isAtIntrinsic ? { iv: null, ...greeksOfPayoff({ right, forward, strike }) } : NO_MODEL;
  const { delta, gamma, vega, theta } = greeksOf({ right, forward, strike, years, vol });
  return {
    ...{ iv: rounded(vol, 1e8), delta: rounded(delta, 1e8), gamma: rounded(gamma, 1e12) },
    ...{ vega: rounded(vega, 1e8), theta: rounded(theta, 1e8) },
  };
}

/** Digits beyond the precision of a mark would only lengthen the answer. Zero has no sign. */
function rounded(value: number, perUnit: number): number {
  return Math.round(value * perUnit) / perUnit + 0;
}

function decimal(micros: number): number | null {
  return Number.isNaN(micros) ? null : micros / MICROS_PER_UNIT;
}
