/** Candles of spots, trades and marks in the file of the history: of a minute, and of the longer intervals (HIS-2). */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { TOO_FAR, WrongContentError } from './schema.ts';

/** Minutes of each interval, ascending: each is a multiple of the one before. */
export const SPANS = [1, 5, 15, 60, 240, 1_440] as const;
export type Span = (typeof SPANS)[number];

/** In order of their codes. */
export const CANDLE_KINDS = ['spot', 'trade', 'mark'] as const;
export type CandleKind = (typeof CANDLE_KINDS)[number];

/** Prices in micros. `t` counts minutes since the Unix epoch, `v` is what was traded in micros of a contract. */
export interface StoredCandle {
  readonly t: number;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
  /** Null where nothing is traded, as in a spot. */
  readonly v: number | null;
  /** True of candles that are computed, all or in part; the file has none of them (HIS-5). */
  readonly simulated?: true;
}

export type Folded = { -readonly [Field in keyof StoredCandle]: StoredCandle[Field] };

/** One number for what a candle is of: a kind, and the sid of a series or the number of an underlying. */
export function candleOf(kind: CandleKind, ref: number): number {
  return ref * CANDLE_KINDS.length + CANDLE_KINDS.indexOf(kind);
}

export function kindOf(of: number): CandleKind {
  return CANDLE_KINDS[of % CANDLE_KINDS.length]!;
}

/** The minute at which the interval around a minute begins. */
export function startOf(minute: number, span: number): number {
  return minute - (minute % span);
}

/** More than the minutes until the year 2097, so that what and when make one number. */
const MINUTES_MAX = 2 ** 26;

/** Adds what is later. */
export function extend(candle: Folded, { h, l, c, v }: StoredCandle): void {
  if (h > candle.h) candle.h = h;
  if (l < candle.l) candle.l = l;
  candle.c = c;
  if (v !== null) candle.v = candle.v! + v;
}

/** The candles of minutes that a batch adds to; each is written once. */
export class CandleBatch {
  readonly #byKey = new Map<number, Folded>();

  /** Adds a price of a minute, the oldest first. */
  add(of: number, minute: number, price: number, qty: number | null): void {
    const key = of * MINUTES_MAX + minute;
    const candle = { t: minute, o: price, h: price, l: price, c: price, v: qty };
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, candle);
    else extend(known, candle);
  }

  /** In the order in which the file has them, as neighbours share its pages. */
  *[Symbol.iterator](): Generator<readonly [of: number, candle: StoredCandle]> {
    const keys = Float64Array.from(this.#byKey.keys()).sort();
    for (const key of keys) yield [Math.floor(key / MINUTES_MAX), this.#byKey.get(key)!];
  }
}

/** Open candles kept in memory: enough that no series in use is read from the file twice. */
const OPEN_MAX = 16_384;
/** The longest interval, whose start the minutes of an open candle reach back to. */
export const DAY = 1_440;

/** Minutes are written as they come; a longer candle is written when the next one of its kind begins. */
export class CandleTable {
  readonly #reads: CandleReads;
  readonly #add: StatementSync;
  readonly #nextOf: StatementSync;
  readonly #forgetFrom: StatementSync;
  readonly #forgetBefore: StatementSync;
  /** By what they are of, the candles that are not over yet, of each interval but the shortest. */
  #open = new Map<number, (Folded | null)[]>();

  constructor(db: DatabaseSync) {
    this.#reads = new CandleReads(db);
    this.#add = db.prepare(
      `INSERT INTO candle(of, span, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        h = max(h, excluded.h), l = min(l, excluded.l), c = excluded.c, v = v + excluded.v`,
    );
    this.#nextOf = db.prepare('SELECT min(of) AS of FROM candle WHERE of > ?');
    this.#forgetFrom = db.prepare(`DELETE FROM candle WHERE ${OF_SPAN} AND t >= ?`);
    this.#forgetBefore = db.prepare(`DELETE FROM candle WHERE ${OF_SPAN} AND t < ?`);
  }

  /** Forgets what was read, as after a transaction that failed. */
  reset(): void {
    this.#open = new Map();
  }

  write(batch: CandleBatch): void {
    for (const [of, candle] of batch) {
      this.#extendLonger(of, candle);
      this.#put(of, 1, candle);
    }
  }

  /** The newest price of all, or null. */
  lastPrice(of: number): number | null {
    return this.#reads.last(of)?.c ?? null;
  }

  /** Returns the next subject with candles after the one given; null if there is none. */
  nextOf(of: number): number | null {
    return this.#nextOf.get(of)!.of as number | null;
  }

  /**
   * Forgets candles that began before a minute, except for those of the two newest days with any: the open ones are made
   * from them, after a start that goes back too.
   */
  forgetBefore(of: number, minute: number, span: Span): void {
    const newest = startOf(this.#reads.last(of)?.t ?? 0, DAY);
    const [before] = this.#reads.newest(of, 1, { from: 0, to: newest, limit: 1 });
    this.#forgetBefore.run(of, span, Math.min(minute, startOf(before?.t ?? newest, DAY)));
  }

  /**
   * Forgets all that came after an entry. `minute` is the one of the entry, and the batch has what it already held by then
   * of spots and trades. A mark is of the first entry in its minute, which is no later. Throws `WrongContentError` if it
   * no longer has what that takes.
   */
  goBack(minute: number, held: CandleBatch): void {
    this.reset();
    const behind: number[] = [];
    for (let of = this.nextOf(-1); of !== null; of = this.nextOf(of)) {
      if ((this.#reads.last(of)?.t ?? 0) < minute) continue;
      this.#forgetFrom.run(of, 1, kindOf(of) === 'mark' ? minute + 1 : minute);
      for (const span of SPANS) if (span > 1) this.#forgetFrom.run(of, span, startOf(minute, span));
      behind.push(of);
    }
    for (const [of, candle] of held) this.#put(of, 1, candle);
    for (const one of behind) this.#reopen(one);
  }

  /** Candles around the newest minute are open, and stored only as their minutes. */
  #reopen(of: number): void {
    const last = this.#reads.last(of);
    const isEmpty =
      last === null && this.#reads.first(of, DAY, { from: 0, to: MINUTES_MAX, limit: 1 }).length === 0;
    if (last === null && !isEmpty) throw new WrongContentError(TOO_FAR);
    for (const span of SPANS) if (span > 1) this.#forgetFrom.run(of, span, startOf(last?.t ?? 0, span));
  }

  #extendLonger(of: number, candle: StoredCandle): void {
    const open = this.#openOf(of);
    for (let i = 1; i < SPANS.length; i++) {
      const span = SPANS[i]!;
      const t = startOf(candle.t, span);
      const known = open[i]!;
      if (known?.t === t) {
        extend(known, candle);
        continue;
      }
      if (known !== null) this.#put(of, span, known);
      open[i] = { ...candle, t };
    }
  }

  #openOf(of: number): (Folded | null)[] {
    const known = this.#open.get(of);
    if (known !== undefined) return known;
    if (this.#open.size >= OPEN_MAX) this.reset();
    const last = this.#reads.last(of);
    const open = SPANS.map((_, i) => (last === null ? null : this.#reads.open(of, i, last)));
    this.#open.set(of, open);
    return open;
  }

  #put(of: number, span: Span, { t, o, h, l, c, v }: StoredCandle): void {
    this.#add.run(of, span, t, o, h, l, c, v);
  }
}

export interface MinutesSpan {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

const COLUMNS = 't, o, h, l, c, v';
const OF_SPAN = 'of = ? AND span = ?';

export class CandleReads {
  readonly #between: StatementSync;
  readonly #newest: StatementSync;
  readonly #last: StatementSync;

  constructor(db: DatabaseSync) {
    const select = `SELECT ${COLUMNS} FROM candle WHERE ${OF_SPAN}`;
    this.#between = db.prepare(`${select} AND t >= ? AND t < ? ORDER BY t LIMIT ?`);
    this.#newest = db.prepare(`${select} AND t >= ? AND t < ? ORDER BY t DESC LIMIT ?`);
    this.#last = db.prepare(`${select} ORDER BY t DESC LIMIT 1`);
  }

  /** The newest candle of a minute, or null. */
  last(of: number): StoredCandle | null {
    return (this.#last.get(of, 1) as StoredCandle | undefined) ?? null;
  }

  /** The first candles that begin in [from, to), oldest first; times in minutes. */
  first(of: number, span: Span, { from, to, limit }: MinutesSpan): StoredCandle[] {
    const found = this.#rows(of, span, { from, to, limit });
    return found.length < limit ? [...found, ...this.#openIn(of, span, { from, to })] : found;
  }

  /** The last candles that begin in [from, to), oldest first; times in minutes. */
  newest(of: number, span: Span, { from, to, limit }: MinutesSpan): StoredCandle[] {
    const open = this.#openIn(of, span, { from, to });
    const found = this.#newest.all(of, span, from, to, limit - open.length);
    return [...(found.reverse() as unknown as StoredCandle[]), ...open];
  }

  /** The candle around the newest minute, of the interval at a place in `SPANS`: from those of the one before. */
  open(of: number, i: number, last: StoredCandle): Folded {
    if (i === 0) return { ...last };
    const [from, to] = [startOf(last.t, SPANS[i]!), startOf(last.t, SPANS[i - 1]!)];
    const [first, ...more] = [
      ...this.#rows(of, SPANS[i - 1]!, { from, to, limit: DAY }),
      this.open(of, i - 1, last),
    ];
    const candle = { ...first!, t: from };
    for (const part of more) extend(candle, part);
    return candle;
  }

  /** The candle that is open, if it begins in [from, to); minutes are stored even while they last. */
  #openIn(of: number, span: Span, { from, to }: Omit<MinutesSpan, 'limit'>): StoredCandle[] {
    const last = span === 1 ? null : this.last(of);
    if (last === null) return [];
    const t = startOf(last.t, span);
    return t >= from && t < to ? [this.open(of, SPANS.indexOf(span), last)] : [];
  }

  #rows(of: number, span: Span, { from, to, limit }: MinutesSpan): StoredCandle[] {
    return this.#between.all(of, span, from, to, limit) as unknown as StoredCandle[];
  }
}
