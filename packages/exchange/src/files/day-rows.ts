/** Reads the rows of whole days from the file of the history. */

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type CandleKind, CandleReads, candleOf } from '../history/candles.ts';
import { MINUTE_MS } from '../history/rows.ts';
import { DAY_MS, type Row, type TableName } from './tables.ts';

const DAY_MINUTES = DAY_MS / MINUTE_MS;

interface Print {
  readonly id: number;
  readonly ts: number;
}

/** The subject of candles: the symbol of an underlying with its number, or the id of a series with its sid. */
interface Named {
  readonly name: string;
  readonly ref: number;
}

export class DayRows {
  readonly #db: DatabaseSync;
  readonly #candles: CandleReads;
  readonly #printFrom: StatementSync;

  /** Opens the file for reading only; a node may write it meanwhile. Throws if it is not there. */
  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true });
    this.#candles = new CandleReads(this.#db);
    this.#printFrom = this.#db.prepare('SELECT id, ts FROM print WHERE id >= ? ORDER BY id LIMIT 1');
  }

  close(): void {
    this.#db.close();
  }

  /**
   * The days of which the history has every row, and at least one, oldest first. A day is over when an entry of a later
   * one is in the file; one that began before the history did is never complete.
   */
  *finishedDays(): Generator<number> {
    const { ts, from } = this.#db.prepare('SELECT ts, complete_from AS "from" FROM progress').get() as {
      ts: number;
      from: number;
    };
    const end = Math.floor(ts / DAY_MS);
    for (let day = this.#nextDay(Math.ceil(from / DAY_MS)); day < end; day = this.#nextDay(day + 1))
      yield day;
  }

  /** The rows of a table on a day, always in the same order. */
  rowsOf(table: TableName, day: number): Generator<Row> {
    if (table === 'trades') return this.#trades(day);
    return table === 'settlements' ? this.#settlements(day) : this.#minutes(day);
  }

  /** The first day from one on that has rows; later than any other if there is none. */
  #nextDay(day: number): number {
    const ms = day * DAY_MS;
    const print = this.#printFrom.get(this.#firstIdSince(ms)) as Print | undefined;
    const settled = this.#db
      .prepare('SELECT min(decided_at) AS ts FROM settlement WHERE decided_at >= ?')
      .get(ms)!.ts as number | null;
    const spots = this.#underlyings().map(({ ref }) => {
      const span = { from: day * DAY_MINUTES, to: Number.MAX_SAFE_INTEGER, limit: 1 };
      return (this.#candles.first(candleOf('spot', ref), 1, span)[0]?.t ?? Infinity) * MINUTE_MS;
    });
    return Math.floor(Math.min(print?.ts ?? Infinity, settled ?? Infinity, ...spots) / DAY_MS);
  }

  *#trades(day: number): Generator<Row> {
    const rows = this.#db
      .prepare(
        `SELECT p.id, p.ts, s.series_id AS seriesId, s.symbol, p.buy, p.qty, p.price, p.self
          FROM print p JOIN series s ON s.sid = p.sid WHERE p.id >= ? AND p.id < ? ORDER BY p.id`,
      )
      .iterate(...this.#idsOf(day)) as Iterable<unknown> as Iterable<
      {
        readonly [Name in 'id' | 'ts' | 'buy' | 'qty' | 'price' | 'self']: number;
      } & { readonly seriesId: string; readonly symbol: string }
    >;
    for (const { id, ts, seriesId, symbol, buy, qty, price, self } of rows)
      yield [id, ts, seriesId, symbol, buy === 1 ? 'buy' : 'sell', qty, price, self];
  }

  /** The numbers of underlyings depend on where a history began, so names give the order. */
  *#minutes(day: number): Generator<Row> {
    yield* this.#candlesOf('spot', this.#underlyings(), day);
    const traded = this.#db
      .prepare(
        `SELECT DISTINCT s.series_id AS name, s.sid AS ref FROM print p JOIN series s ON s.sid = p.sid
          WHERE p.id >= ? AND p.id < ?`,
      )
      .all(...this.#idsOf(day)) as unknown as Named[];
    yield* this.#candlesOf('trade', traded, day);
  }

  *#candlesOf(kind: CandleKind, named: readonly Named[], day: number): Generator<Row> {
    const span = { from: day * DAY_MINUTES, to: (day + 1) * DAY_MINUTES, limit: DAY_MINUTES };
    for (const { name, ref } of named.toSorted(byName))
      for (const { t, o, h, l, c, v } of this.#candles.first(candleOf(kind, ref), 1, span))
        yield [kind, name, t * MINUTE_MS, o, h, l, c, v];
  }

  *#settlements(day: number): Generator<Row> {
    const rows = this.#db
      .prepare(
        `SELECT symbol, expiry_ts AS expiryTs, decided_at AS ts, price, by, dispersion FROM settlement
          WHERE decided_at >= ? AND decided_at < ? ORDER BY symbol, expiry_ts`,
      )
      .iterate(day * DAY_MS, (day + 1) * DAY_MS) as Iterable<unknown> as Iterable<
      {
        readonly [Name in 'expiryTs' | 'ts' | 'price']: number;
      } & { readonly symbol: string; readonly by: string; readonly dispersion: number | null }
    >;
    for (const { symbol, expiryTs, ts, price, by, dispersion } of rows)
      yield [symbol, expiryTs * 1_000, ts, price, by, dispersion];
  }

  #underlyings(): Named[] {
    return this.#db.prepare('SELECT symbol AS name, id AS ref FROM underlying').all() as unknown as Named[];
  }

  /** The ids that prints of a day have: from one, and below another. */
  #idsOf(day: number): [from: number, below: number] {
    return [this.#firstIdSince(day * DAY_MS), this.#firstIdSince((day + 1) * DAY_MS)];
  }

  /** Prints have no index by time, but their ids ascend with it. */
  #firstIdSince(ms: number): number {
    let low = 0;
    let high = Number(this.#db.prepare('SELECT max(id) AS id FROM print').get()!.id ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const print = this.#printFrom.get(middle) as Print | undefined;
      if (print === undefined || print.ts >= ms) high = middle;
      else low = print.id + 1;
    }
    return low;
  }
}

/** By the bytes of their names, as no locale changes those; one series cannot be listed twice under two sids on a day. */
function byName(a: Named, b: Named): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.ref - b.ref;
}
