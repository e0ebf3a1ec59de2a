/** Candles of spots, trades and marks in the file of the history: of a minute, and of the longer intervals (HIS-2). */

import type { DatabaseSync, StatementSync } from 'node:sqlite';

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
}

type Folded = { -readonly [Field in keyof StoredCandle]: StoredCandle[Field] };

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

/** Candles of one interval, as far as one batch changes them. */
class Fold {
  readonly #span: number;
  readonly #byKey = new Map<number, Folded>();

  constructor(span: Span) {
    this.#span = span;
  }

  /** Adds what is later than everything so far. */
  add(of: number, { t, o, h, l, c, v }: StoredCandle): void {
    const start = startOf(t, this.#span);
    const key = of * MINUTES_MAX + start;
    const known = this.#byKey.get(key);
    if (known === undefined) {
      this.#byKey.set(key, { t: start, o, h, l, c, v });
      return;
    }
    if (h > known.h) known.h = h;
    if (l < known.l) known.l = l;
    known.c = c;
    if (v !== null) known.v = known.v! + v;
  }

  *[Symbol.iterator](): Generator<readonly [of: number, candle: StoredCandle]> {
    for (const [key, candle] of this.#byKey) yield [Math.floor(key / MINUTES_MAX), candle];
  }
}

/** The candles that a batch adds to; each is written once. */
export class CandleBatch {
  readonly #minutes = new Fold(1);

  /** Adds a price of a minute, the oldest first. */
  add(of: number, minute: number, price: number, qty: number | null): void {
    this.#minutes.add(of, { t: minute, o: price, h: price, l: price, c: price, v: qty });
  }

  /** The candles of one interval that the batch adds to. */
  of(span: Span): Iterable<readonly [of: number, candle: StoredCandle]> {
    if (span === 1) return this.#minutes;
    const fold = new Fold(span);
    for (const [of, candle] of this.#minutes) fold.add(of, candle);
    return fold;
  }
}

const COLUMNS = 't, o, h, l, c, v';
const OF_SPAN = 'of = ? AND span = ?';

export class CandleTable {
  readonly #add: StatementSync;
  readonly #between: StatementSync;
  readonly #newest: StatementSync;
  readonly #last: StatementSync;
  readonly #nextOf: StatementSync;
  readonly #forgetFrom: StatementSync;
  readonly #forgetBefore: StatementSync;

  constructor(db: DatabaseSync) {
    this.#add = db.prepare(
      `INSERT INTO candle(of, span, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        h = max(h, excluded.h), l = min(l, excluded.l), c = excluded.c, v = v + excluded.v`,
    );
    const select = `SELECT ${COLUMNS} FROM candle WHERE ${OF_SPAN}`;
    this.#between = db.prepare(`${select} AND t >= ? AND t < ? ORDER BY t LIMIT ?`);
    this.#newest = db.prepare(`${select} AND t >= ? AND t < ? ORDER BY t DESC LIMIT ?`);
    this.#last = db.prepare(`SELECT c FROM candle WHERE ${OF_SPAN} ORDER BY t DESC LIMIT 1`);
    this.#nextOf = db.prepare('SELECT min(of) AS of FROM candle WHERE of > ?');
    this.#forgetFrom = db.prepare(`DELETE FROM candle WHERE ${OF_SPAN} AND t >= ?`);
    this.#forgetBefore = db.prepare(
      `DELETE FROM candle WHERE ${OF_SPAN} AND t < min(?, (SELECT max(t) FROM candle WHERE ${OF_SPAN}))`,
    );
  }

  write(batch: CandleBatch): void {
    for (const span of SPANS) for (const [of, candle] of batch.of(span)) this.#put(of, span, candle);
  }

  /** The first candles in [from, to), oldest first; times in minutes. */
  between(of: number, span: Span, { from, to, limit }: MinutesSpan): StoredCandle[] {
    return this.#between.all(of, span, from, to, limit) as unknown as StoredCandle[];
  }

  /** The last candles in [from, to), oldest first; times in minutes. */
  newest(of: number, span: Span, { from, to, limit }: MinutesSpan): StoredCandle[] {
    return (this.#newest.all(of, span, from, to, limit) as unknown as StoredCandle[]).reverse();
  }

  /** The newest price of all, or null. Those of a day last longest. */
  lastPrice(of: number): number | null {
    return (this.#last.get(of, SPANS.at(-1)!)?.c ?? null) as number | null;
  }

  /** What the table has candles of, after the one given; null if there is no other. */
  nextOf(of: number): number | null {
    return this.#nextOf.get(of)!.of as number | null;
  }

  /** Forgets candles that began before a minute, except for the newest. */
  forgetBefore(of: number, span: Span, minute: number): void {
    this.#forgetBefore.run(of, span, minute, of, span);
  }

  /**
   * Forgets all that came after an entry. `minute` is the one of the entry, and the batch has what it already held by then
   * of spots and trades. A mark is of the first entry in its minute, which is no later.
   */
  goBack(minute: number, held: CandleBatch): void {
    const behind: number[] = [];
    for (let of = this.nextOf(-1); of !== null; of = this.nextOf(of)) {
      if (!this.#reaches(of, minute)) continue;
      behind.push(of);
      this.#forgetFrom.run(of, 1, kindOf(of) === 'mark' ? minute + 1 : minute);
    }
    for (const [of, candle] of held.of(1)) this.#put(of, 1, candle);
    for (const one of behind)
      for (let i = 1; i < SPANS.length; i++) this.#makeAgain(one, SPANS[i]!, { minute, i });
  }

  /** Makes the candle around a minute from those of the interval before. */
  #makeAgain(of: number, span: Span, { minute, i }: { minute: number; i: number }): void {
    const from = startOf(minute, span);
    this.#forgetFrom.run(of, span, from);
    const parts = this.between(of, SPANS[i - 1]!, { from, to: from + span, limit: span });
    const fold = new Fold(span);
    for (const part of parts) fold.add(of, part);
    for (const [, candle] of fold) this.#put(of, span, candle);
  }

  /** Whether there is anything in the day of a minute, or later. */
  #reaches(of: number, minute: number): boolean {
    const day = SPANS.at(-1)!;
    const [found] = this.between(of, day, { from: startOf(minute, day), to: MINUTES_MAX, limit: 1 });
    return found !== undefined;
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
