/** Reads of prints and candles from the history (HIS-1, HIS-2). */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type CandleKind, CandleReads, candleOf, DAY, type Span, type StoredCandle } from './candles.ts';
import { keptFrom } from './market-table.ts';
import { MINUTE_MS } from './rows.ts';
import { joined, type PastProfile, SimulatedPast } from './simulated-past.ts';

/** A print as stored: micros and Unix ms. */
export interface StoredPrint {
  readonly id: number;
  readonly ts: number;
  readonly seriesId: string;
  readonly price: number;
  readonly qty: number;
  /** 1 where the taker bought, 0 where it sold. */
  readonly buy: number;
  /** 1 where an account traded with itself. */
  readonly self: number;
}

export interface PrintsQuery {
  readonly of: { readonly symbol: string } | { readonly seriesId: string };
  /** Only prints with a smaller id. */
  readonly before: number;
  readonly limit: number;
}

/** The entry that an answer shows; `isKnown` is false for a series that never had a print or a mark. */
export interface MarketShown {
  readonly seq: number;
  readonly isKnown: boolean;
}

export interface PrintsPage extends MarketShown {
  /** Newest first. */
  readonly prints: readonly StoredPrint[];
  readonly hasMore: boolean;
}

export interface CandlesQuery {
  readonly kind: CandleKind;
  /** The symbol of a spot, the id of a series. */
  readonly name: string;
  readonly span: Span;
  /** Unix ms, inclusive; null for as many as fit before `toMs`. */
  readonly fromMs: number | null;
  /** Unix ms, exclusive. */
  readonly toMs: number;
  readonly limit: number;
  /** For a spot whose chart begins before its first price (HIS-5). */
  readonly past?: PastProfile | undefined;
}

export interface CandlesPage extends MarketShown {
  /** Oldest first. */
  readonly candles: readonly StoredCandle[];
  /** True if the requested span of time has later ones. */
  readonly hasMore: boolean;
}

export interface DayTradesQuery {
  readonly sids: readonly number[];
  /** The first minute that counts. */
  readonly fromMinute: number;
}

export interface DayTradesAnswer {
  /** The entry that the answer shows. */
  readonly seq: number;
  /** Those that ever traded, trades of an account with itself aside. */
  readonly series: readonly {
    readonly sid: number;
    readonly lastMicros: number;
    /** Oldest first. */
    readonly minutes: readonly { readonly minute: number; readonly qtyMicros: number }[];
  }[];
}

const PRINTS = `SELECT p.id, p.ts, s.series_id AS seriesId, p.price, p.qty, p.buy, p.self FROM print p`;
const PAGE = 'AND p.id < ? ORDER BY p.id DESC LIMIT ?';

export class MarketReads {
  readonly #candles: CandleReads;
  readonly #ofSymbol: StatementSync;
  readonly #ofSeries: StatementSync;
  readonly #sid: StatementSync;
  readonly #underlying: StatementSync;
  readonly #progress: StatementSync;
  /** By what their candles are of. */
  readonly #pasts = new Map<number, SimulatedPast>();

  constructor(db: DatabaseSync) {
    this.#candles = new CandleReads(db);
    const join = 'JOIN series s ON s.sid = p.sid';
    this.#ofSymbol = db.prepare(`${PRINTS} INDEXED BY print_by_symbol ${join} WHERE p.symbol = ? ${PAGE}`);
    this.#ofSeries = db.prepare(`${PRINTS} INDEXED BY print_by_series ${join} WHERE p.sid = ? ${PAGE}`);
    this.#sid = db.prepare('SELECT max(sid) AS ref FROM series WHERE series_id = ?');
    this.#underlying = db.prepare('SELECT max(id) AS ref FROM underlying WHERE symbol = ?');
    this.#progress = db.prepare('SELECT seq, ts, complete_from FROM progress');
  }

  prints({ of, before, limit }: PrintsQuery): PrintsPage {
    const { seq } = this.#end();
    const sid = 'seriesId' in of ? refOf(this.#sid, of.seriesId) : null;
    const isKnown = 'symbol' in of || sid !== null;
    const found =
      'symbol' in of
        ? this.#ofSymbol.all(of.symbol, before, limit + 1)
        : this.#ofSeries.all(sid, before, limit + 1);
    const prints = found.slice(0, limit) as unknown as StoredPrint[];
    return { seq, isKnown, prints, hasMore: found.length > limit };
  }

  candles({ kind, name, span, fromMs, toMs, limit, past: profile }: CandlesQuery): CandlesPage {
    const { seq, ts } = this.#end();
    const ref = refOf(kind === 'spot' ? this.#underlying : this.#sid, name);
    if (ref === null) return { seq, isKnown: kind === 'spot', candles: [], hasMore: false };
    const of = candleOf(kind, ref);
    const from = Math.max(Math.ceil((fromMs ?? 0) / MINUTE_MS), keptFrom(of, span, ts));
    const minutes = { from, to: Math.ceil(toMs / MINUTE_MS), limit: limit + 1 };
    const past = profile && this.#pastOf(of, profile);
    if (fromMs === null) {
      const found = this.#candles.newest(of, span, { ...minutes, limit });
      const candles = joined(past?.newest(span, { ...minutes, limit }) ?? [], found).slice(-limit);
      return { seq, isKnown: true, candles, hasMore: false };
    }
    const found = joined(past?.first(span, minutes) ?? [], this.#candles.first(of, span, minutes));
    return { seq, isKnown: true, candles: found.slice(0, limit), hasMore: found.length > limit };
  }

  dayTrades({ sids, fromMinute }: DayTradesQuery): DayTradesAnswer {
    const { seq } = this.#end();
    const minutes = { from: fromMinute, to: Number.MAX_SAFE_INTEGER, limit: DAY };
    const series = sids.flatMap((sid) => {
      const of = candleOf('trade', sid);
      const last = this.#candles.last(of);
      if (last === null) return [];
      const traded = this.#candles.first(of, 1, minutes).map(({ t, v }) => ({ minute: t, qtyMicros: v! }));
      return [{ sid, lastMicros: last.c, minutes: traded }];
    });
    return { seq, series };
  }

  /** A history that does not reach back to the venue's beginning has lost prices, and nothing stands for those. */
  #pastOf(of: number, profile: PastProfile): SimulatedPast | undefined {
    const { complete_from } = this.#progress.get() as { complete_from: number };
    const [first] = this.#candles.first(of, 1, { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1 });
    if (complete_from > 0 || first === undefined) return undefined;
    const known = this.#pasts.get(of);
    if (known?.joins(first)) return known;
    const past = new SimulatedPast(first, profile);
    this.#pasts.set(of, past);
    return past;
  }

  #end(): { readonly seq: number; readonly ts: number } {
    return this.#progress.get() as { seq: number; ts: number };
  }
}

/** The number of a series or an underlying in the file; null if it has none such. */
function refOf(statement: StatementSync, name: string): number | null {
  return statement.get(name)!.ref as number | null;
}
