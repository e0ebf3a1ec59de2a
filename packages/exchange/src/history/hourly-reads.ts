/** Reads of what is sampled by the hour (HIS-4). */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { HOUR_MS } from './hour-slots.ts';

export interface HourlyQuery {
  readonly of:
    | { readonly kind: 'iv'; readonly symbol: string; readonly expiryTs: number }
    | { readonly kind: 'volatility'; readonly symbol: string }
    | { readonly kind: 'equity'; readonly account: number };
  /** Unix ms, inclusive; null for as many as fit before `toMs`. */
  readonly fromMs: number | null;
  /** Unix ms, exclusive. */
  readonly toMs: number;
  readonly limit: number;
}

export interface StoredSample {
  /** Hours since the Unix epoch. */
  readonly t: number;
  readonly value: number;
}

export interface HourlyPage {
  /** The entry that the answer shows. */
  readonly seq: number;
  /** Oldest first. */
  readonly samples: readonly StoredSample[];
  /** True if the requested span of time has later ones. */
  readonly hasMore: boolean;
  readonly completeFromMs: number;
}

type HourlyKind = HourlyQuery['of']['kind'];

/** The condition that selects the rows of one subject in each table. */
const KEYS: Readonly<Record<HourlyKind, string>> = {
  iv: 'symbol = ? AND expiry_ts = ?',
  volatility: 'symbol = ?',
  equity: 'account = ?',
};

interface Statements {
  readonly first: StatementSync;
  readonly newest: StatementSync;
}

export class HourlyReads {
  readonly #progress: StatementSync;
  readonly #statements: Readonly<Record<HourlyKind, Statements>>;

  constructor(db: DatabaseSync) {
    this.#progress = db.prepare('SELECT seq FROM progress');
    const statementsOf = (kind: HourlyKind): Statements => {
      const select = `SELECT t, value FROM ${kind} WHERE ${KEYS[kind]} AND t >= ? AND t < ? ORDER BY t`;
      return { first: db.prepare(`${select} LIMIT ?`), newest: db.prepare(`${select} DESC LIMIT ?`) };
    };
    this.#statements = {
      ...{ iv: statementsOf('iv'), volatility: statementsOf('volatility'), equity: statementsOf('equity') },
    };
  }

  page({ of, fromMs, toMs, limit }: HourlyQuery): Omit<HourlyPage, 'completeFromMs'> {
    const { first, newest } = this.#statements[of.kind];
    const seq = Number(this.#progress.get()!.seq);
    const key =
      of.kind === 'equity' ? [of.account] : of.kind === 'iv' ? [of.symbol, of.expiryTs] : [of.symbol];
    const to = Math.ceil(toMs / HOUR_MS);
    if (fromMs === null) {
      const samples = newest.all(...key, 0, to, limit).reverse() as unknown as StoredSample[];
      return { seq, samples, hasMore: false };
    }
    const found = first.all(...key, Math.ceil(fromMs / HOUR_MS), to, limit + 1) as unknown as StoredSample[];
    return { seq, samples: found.slice(0, limit), hasMore: found.length > limit };
  }
}
