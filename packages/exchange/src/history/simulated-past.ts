/**
 * The chart of a simulated underlying before its first price: 90 days that lead up to it without a jump, computed when they
 * are asked for. They are in no file and no log, so nothing but a chart can ever use them (HIS-5).
 */

import { hash } from 'node:crypto';
import { Random } from '@venue/protocol/simulation';
import {
  DAY,
  extend,
  type Folded,
  type MinutesSpan,
  type Span,
  type StoredCandle,
  startOf,
} from './candles.ts';

const PAST_DAYS = 90;
const MINUTES_OF_YEAR = 365.25 * DAY;
/** Candles of this span and longer are kept; of shorter ones the days that a page needs are made again. */
const KEPT_SPAN = 15;

/** The traits of an underlying that its past is computed from. */
export interface PastProfile {
  readonly symbol: string;
  /** Standard deviation of a year's log return. */
  readonly annualVol: number;
}

/** The same on every node for a symbol, a first minute and a first price. */
export class SimulatedPast {
  readonly #first: StoredCandle;
  readonly #seed: number;
  readonly #minuteVol: number;
  readonly #startMinute: number;
  /** The price at the end of each day, the newest first: a day reaches back from the first minute, or from another day. */
  readonly #ends: number[];
  /** Oldest first. */
  readonly #kept: readonly StoredCandle[];

  /** The candle is that of the first minute with a price. */
  constructor(first: StoredCandle, { symbol, annualVol }: PastProfile) {
    this.#first = first;
    this.#seed = Number.parseInt(hash('sha256', symbol).slice(0, 8), 16);
    this.#minuteVol = annualVol / Math.sqrt(MINUTES_OF_YEAR);
    this.#startMinute = startOf(first.t - PAST_DAYS * DAY, DAY);
    this.#ends = [first.o];
    const days: StoredCandle[][] = [];
    for (let day = 0; day * DAY < first.t - this.#startMinute; day++) {
      const minutes = this.#minutesOf(day);
      this.#ends.push(minutes[0]!.o);
      days.push(folded(minutes, KEPT_SPAN));
    }
    this.#kept = folded(days.reverse().flat(), KEPT_SPAN).filter(({ t }) => t >= this.#startMinute);
  }

  /** Returns true if this past leads to the first price of a candle. */
  joins({ t, o }: StoredCandle): boolean {
    return t === this.#first.t && o === this.#first.o;
  }

  /** The first candles that begin in [from, to), oldest first; times in minutes. */
  first(span: Span, { from, to, limit }: MinutesSpan): StoredCandle[] {
    const begin = Math.max(Math.ceil(from / span) * span, this.#startMinute);
    return this.#between(span, begin, Math.min(to, begin + limit * span));
  }

  /** The last candles that begin in [from, to), oldest first; times in minutes. */
  newest(span: Span, { from, to, limit }: MinutesSpan): StoredCandle[] {
    const end = Math.min(to, this.#first.t);
    return this.#between(span, Math.max(from, end - limit * span), end);
  }

  #between(span: Span, from: number, to: number): StoredCandle[] {
    const end = Math.min(to, this.#first.t);
    if (from >= end) return [];
    const candles = span < KEPT_SPAN ? this.#minutes(startOf(from, span), end + span) : this.#kept;
    return folded(candles, span).filter(({ t }) => t >= from && t < end);
  }

  /** All minutes of the days that [from, to) touches. */
  #minutes(from: number, to: number): StoredCandle[] {
    const oldest = Math.min(this.#ends.length - 2, Math.floor((this.#first.t - 1 - from) / DAY));
    const newest = Math.max(0, Math.floor((this.#first.t - to) / DAY));
    const minutes: StoredCandle[] = [];
    for (let day = oldest; day >= newest; day--) minutes.push(...this.#minutesOf(day));
    return minutes.filter(({ t }) => t >= this.#startMinute);
  }

  /** The minutes of the day that ends so many days before the first minute, walked back from the price at its end. */
  #minutesOf(day: number): StoredCandle[] {
    const random = new Random(this.#seed * DAY + day);
    const end = this.#first.t - day * DAY;
    const minutes: StoredCandle[] = [];
    let c = this.#ends[day]!;
    for (let t = end - 1; t >= end - DAY; t--) {
      const o = Math.max(1, Math.round(c * Math.exp(this.#minuteVol * random.normal())));
      const [up, down] = [this.#reach(random, o, c), this.#reach(random, o, c)];
      const [h, l] = [Math.round((o + c + up) / 2), Math.max(1, Math.round((o + c - down) / 2))];
      minutes.push({ t, o, h, l, c, v: null, simulated: true });
      c = o;
    }
    return minutes.reverse();
  }

  /** Twice how far a Brownian motion goes beyond the middle of its ends within the minute. */
  #reach(random: Random, o: number, c: number): number {
    const deviation = this.#minuteVol * o;
    return Math.sqrt((c - o) ** 2 - 2 * deviation ** 2 * Math.log(1 - random.uniform()));
  }
}

/** The past and then what the file has; the interval in which the market began is of both. */
export function joined(
  past: readonly StoredCandle[],
  stored: readonly StoredCandle[],
): readonly StoredCandle[] {
  const [first, ...rest] = stored;
  const last = past.at(-1);
  if (first === undefined || last === undefined) return past.length === 0 ? stored : past;
  if (last.t !== first.t) return [...past, ...stored];
  const both: Folded = { ...last };
  extend(both, first);
  return [...past.slice(0, -1), both, ...rest];
}

/** Candles of a longer span, from neighbouring ones of a shorter. */
function folded(candles: readonly StoredCandle[], span: number): StoredCandle[] {
  const longer: Folded[] = [];
  for (const candle of candles) {
    const t = startOf(candle.t, span);
    const open = longer.at(-1);
    if (open?.t === t) extend(open, candle);
    else longer.push({ ...candle, t });
  }
  return longer;
}
