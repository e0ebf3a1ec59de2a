/** Marks in a market that is only imagined: at another spot, and at other volatilities (CMB-4). */

import { type Micros, mulDivFloorClamped, toMicros } from '@venue/protocol';
import { impliedVol } from '@venue/protocol/implied-vol';
import { intrinsicMicros, modelPriceMicros } from '@venue/protocol/margin';
import { Book, BUY, type OrderStore } from '../book/book.ts';
import { MAKER } from '../state/ids.ts';
import type { Instrument, Series } from '../state/series.ts';
import type { State } from '../state/state.ts';
import { ivAt } from './annotations.ts';
import { marksByModel, positionMarkMicros, yearsLeft } from './risk-marks.ts';

/** The difference of an imagined market from the present one. */
export interface MarketShift {
  /** Share of every spot, in millionths: 100,000 is 10 % more. Above minus a million. */
  readonly spotMicros: number;
  /** Added to every volatility: 0.05 is five points more. No volatility falls below zero. */
  readonly vol: number;
}

/**
 * The volatility at which the model gives the mark of a series, so that the model goes through the present mark. Where
 * the mark implies none, as at or under intrinsic value, it is the newest annotation that counts; null without one, and
 * in a series that is not live.
 */
export function volOf(state: State, series: Series): number | null {
  if (series.status !== 'live') return null;
  const { right, strikeMicros, instrument } = series;
  const implied = impliedVol({
    right,
    forward: instrument.spotMicros,
    strike: strikeMicros,
    years: yearsLeft(series, state.ts),
    price: positionMarkMicros(state, series),
  });
  return implied ?? ivAt(series, state.ts);
}

/** A volatility of a shifted market. */
export function shiftedVol(vol: number | null, shift: MarketShift): number | null {
  return vol === null ? null : Math.max(0, vol + shift.vol);
}

/** An underlying at its shifted spot, rounded down to the micro but never to nothing. */
export function shiftedInstrument(instrument: Instrument, { spotMicros }: MarketShift): Instrument {
  const shifted = mulDivFloorClamped(instrument.spotMicros, MILLION + spotMicros, MILLION);
  return { ...instrument, spotMicros: toMicros(Math.max(1, shifted)) };
}

const MILLION = 1_000_000;

/**
 * A series on a shifted underlying, whose mark by every rule is the model's at a volatility, or intrinsic without one.
 * Its book is its own: by the book its mark is what it holds, and by the model an empty book leaves the model alone.
 */
export function shiftedSeries(
  state: State,
  series: Series,
  { instrument, vol, orders }: { instrument: Instrument; vol: number | null; orders: OrderStore },
): Series {
  const book = new Book(orders, series.sid);
  const shifted: Series = { ...series, instrument, book, holders: [] };
  if (series.status !== 'live') return shifted;
  shifted.annotatedIv = vol ?? 0;
  shifted.annotatedAt = vol === null ? 0 : state.ts;
  const mark =
    vol === null
      ? intrinsicMicros(shifted, instrument.spotMicros)
      : modelPriceMicros(shifted, {
          spotMicros: instrument.spotMicros,
          years: yearsLeft(series, state.ts),
          vol,
        });
  if (mark > 0 && !marksByModel(state)) placeMark(book, mark);
  return shifted;
}

/** The least that can rest, so that no impact price is read from it. */
function placeMark(book: Book, price: Micros): void {
  const least = { quantity: 1, remaining: 1, placedAt: 0 };
  book.place({ ...least, id: book.number + 1, owner: MAKER, side: BUY, price });
}
