/** All prints, and the candles of spots, trades and marks, in the file of the history. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HistoryBatch } from './batch.ts';
import { CandleBatch, CandleTable, candleOf, DAY, kindOf, SPANS, type Span } from './candles.ts';
import { LAYOUTS, MINUTE_MS, type StoredRow } from './rows.ts';
import { TOO_FAR, WrongContentError } from './schema.ts';

/** The end of what an entry left: its time, and the newest fill by then. */
export interface MarketEnd {
  readonly seq: number;
  readonly ts: number;
  readonly lastFillId: number;
}

/**
 * Single spots are kept for so long, and so many in any case: a start that goes back into a minute makes its candles again
 * from them. A snapshot is never nearly as old.
 */
const SPOTS_KEPT_MS = 3 * DAY * MINUTE_MS;
const SPOTS_KEPT_MIN = 100_000;
/**
 * A thousand series change their marks every minute, and most expire within days: a minute's marks are kept for a week,
 * those of a quarter of an hour and more for 90 days. Spots and trades are kept for good.
 */
const MARK_DAYS_KEPT: Readonly<Record<Span, number>> = { 1: 7, 5: 7, 15: 90, 60: 90, 240: 90, 1440: 90 };
/** Series whose old marks the first batch in a minute forgets, which bounds its work. */
const FORGET_SERIES = 8;
/** Spots of which one batch forgets those that are too old, or twice as many as it adds. */
const FORGET_SPOTS = 4_096;

/** The first minute of which a candle is shown, by the time of the last entry. */
export function keptFrom(of: number, span: Span, lastTs: number): number {
  if (kindOf(of) !== 'mark') return 0;
  return (Math.floor(lastTs / MINUTE_MS / DAY) - MARK_DAYS_KEPT[span]) * DAY;
}

export class MarketTable {
  readonly #db: DatabaseSync;
  readonly #candles: CandleTable;
  readonly #addPrint: StatementSync;
  readonly #addSpot: StatementSync;
  readonly #forgetSpots: StatementSync;
  readonly #underlying: StatementSync;
  readonly #addUnderlying: StatementSync;
  /** Numbers of underlyings by symbol, and the last marks by what they are of, as far as they have been read. */
  #underlyings = new Map<string, number>();
  #marks = new Map<number, number | null>();
  /** The last market whose old marks were forgotten, and below the minute up to which. */
  #forgotten = -1;
  #forgottenMinute = -1;
  /** Single spots in the file; null while they have not been counted. */
  #spots: number | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#candles = new CandleTable(db);
    this.#addPrint = db.prepare(
      'INSERT INTO print VALUES (?1, ?2, ?3, (SELECT symbol FROM series WHERE sid = ?3), ?4, ?5, ?6, ?7)',
    );
    this.#addSpot = db.prepare('INSERT INTO spot VALUES (?, ?, ?, ?, ?)');
    this.#forgetSpots = db.prepare(
      `DELETE FROM spot WHERE (seq, n) IN
        (SELECT seq, n FROM (SELECT seq, n, ts FROM spot ORDER BY seq, n LIMIT ?) WHERE ts < ?) RETURNING ts`,
    );
    this.#underlying = db.prepare('SELECT id FROM underlying WHERE symbol = ?');
    this.#addUnderlying = db.prepare('INSERT INTO underlying(symbol) VALUES (?)');
  }

  /** Forgets what was read, as after a transaction that failed. */
  reset(): void {
    this.#underlyings = new Map();
    this.#marks = new Map();
    this.#spots = null;
    this.#candles.reset();
  }

  /** Skips entries that were written before. */
  write({ prints, spots, marks, lastTs }: HistoryBatch, afterSeq: number): void {
    const candles = new CandleBatch();
    for (const print of LAYOUTS.prints.read(prints)) if (print.seq > afterSeq) this.#print(candles, print);
    let n = 0;
    for (const spot of LAYOUTS.spots.read(spots)) if (spot.seq > afterSeq) this.#spot(candles, spot, n++);
    for (const mark of LAYOUTS.marks.read(marks)) if (mark.seq > afterSeq) this.#mark(candles, mark);
    this.#candles.write(candles);
    this.#forgetOld(lastTs, n);
  }

  /** Starts afresh. */
  clear(): void {
    for (const table of ['print', 'spot', 'candle', 'underlying']) this.#db.exec(`DELETE FROM ${table}`);
    this.#db.exec('UPDATE progress SET spots_after = -1');
    this.reset();
  }

  /**
   * Puts everything back to how it was after an entry. Throws `WrongContentError` if it no longer has what that takes.
   */
  goOn({ seq, ts, lastFillId }: MarketEnd): void {
    this.reset();
    const minute = Math.floor(ts / MINUTE_MS);
    const { spots_after } = this.#db.prepare('SELECT spots_after FROM progress').get() as {
      spots_after: number;
    };
    if (minute * MINUTE_MS <= spots_after) throw new WrongContentError(TOO_FAR);
    this.#db.prepare('DELETE FROM print WHERE id > ?').run(lastFillId);
    this.#db.prepare('DELETE FROM spot WHERE seq > ?').run(seq);
    this.#candles.goBack(minute, this.#heldIn(minute));
  }

  /** Spots and trades of a minute, after which there is nothing in the file. */
  #heldIn(minute: number): CandleBatch {
    const held = new CandleBatch();
    const since = minute * MINUTE_MS;
    const spots = this.#db.prepare('SELECT underlying, price, ts FROM spot ORDER BY seq DESC, n DESC');
    const prints = this.#db.prepare('SELECT sid, price, qty, self, ts FROM print ORDER BY id DESC');
    for (const { underlying, price } of newestSince<SpotRow>(spots.iterate(), since))
      held.add(candleOf('spot', underlying), minute, price, null);
    for (const { sid, price, qty, self } of newestSince<PrintRow>(prints.iterate(), since))
      if (self === 0) held.add(candleOf('trade', sid), minute, price, qty);
    return held;
  }

  /** A trade of an account with itself is a print and no more (HIS-1). */
  #print(candles: CandleBatch, { id, ts, sid, buy, price, qty, self }: StoredRow<'prints'>): void {
    this.#addPrint.run(id, ts, sid, buy, price, qty, self);
    if (self === 0) candles.add(candleOf('trade', sid), Math.floor(ts / MINUTE_MS), price, qty);
  }

  #spot(candles: CandleBatch, { seq, ts, symbol, price }: StoredRow<'spots'>, n: number): void {
    const underlying = this.#underlyingOf(symbol);
    if (this.#spots !== null) this.#spots += 1;
    this.#addSpot.run(seq, n, underlying, ts, price);
    candles.add(candleOf('spot', underlying), Math.floor(ts / MINUTE_MS), price, null);
  }

  /** A mark that did not change since its last sample is none (HIS-2). */
  #mark(candles: CandleBatch, { ts, sid, price }: StoredRow<'marks'>): void {
    const of = candleOf('mark', sid);
    if (this.#lastMark(of) === price) return;
    this.#marks.set(of, price);
    candles.add(of, Math.floor(ts / MINUTE_MS), price, null);
  }

  #lastMark(of: number): number | null {
    const known = this.#marks.get(of);
    return known === undefined ? this.#candles.lastPrice(of) : known;
  }

  #underlyingOf(symbol: string): number {
    const known = this.#underlyings.get(symbol) ?? (this.#underlying.get(symbol)?.id as number | undefined);
    const id = known ?? Number(this.#addUnderlying.run(symbol).lastInsertRowid);
    this.#underlyings.set(symbol, id);
    return id;
  }

  /** Forgets some of what is too old. What it has not got to yet is shown to nobody. */
  #forgetOld(lastTs: number, added: number): void {
    this.#forgetSpotsBefore(lastTs - SPOTS_KEPT_MS, Math.max(FORGET_SPOTS, 2 * added));
    const minute = Math.floor(lastTs / MINUTE_MS);
    if (minute === this.#forgottenMinute) return;
    this.#forgottenMinute = minute;
    for (let n = 0; n < FORGET_SERIES; n++) {
      const of = this.#candles.nextOf(this.#forgotten);
      this.#forgotten = of ?? -1;
      if (of === null) return;
      if (kindOf(of) !== 'mark') continue;
      for (const span of SPANS.toReversed()) this.#candles.forgetBefore(of, keptFrom(of, span, lastTs), span);
    }
  }

  #forgetSpotsBefore(ms: number, atMost: number): void {
    this.#spots ??= Number(this.#db.prepare('SELECT count(*) AS n FROM spot').get()!.n);
    const spare = this.#spots - SPOTS_KEPT_MIN;
    if (spare <= 0) return;
    const forgotten = this.#forgetSpots.all(Math.min(spare, atMost), ms);
    if (forgotten.length === 0) return;
    this.#spots -= forgotten.length;
    const newest = forgotten.reduce((max, { ts }) => Math.max(max, Number(ts)), -1);
    this.#db.prepare('UPDATE progress SET spots_after = ?').run(newest);
  }
}

interface SpotRow {
  readonly underlying: number;
  readonly price: number;
  readonly ts: number;
}

interface PrintRow {
  readonly sid: number;
  readonly price: number;
  readonly qty: number;
  /** 1 where an account traded with itself. */
  readonly self: number;
  readonly ts: number;
}

/** The rows since an instant, oldest first, of those that come newest first. */
function newestSince<Row extends { readonly ts: number }>(rows: Iterable<unknown>, sinceMs: number): Row[] {
  const found: Row[] = [];
  for (const row of rows as Iterable<Row>) {
    if (row.ts < sinceMs) break;
    found.push(row);
  }
  return found.reverse();
}
