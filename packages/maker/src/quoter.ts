/** What the maker has on the book, and which ladders are due to change. Knows no network. */

import type { CompactQuote, Instrument, Series } from '@venue/protocol';
import { type Ladder, ladderOf } from './ladder.ts';

/** A ladder is sent again once fair value has moved by this share of its half spread. */
const MOVE_SHARE = 0.5;
/** A ladder that stands unchanged is sent again after this long, in case the book knows better. */
const REFRESH_MS = 120_000;

interface Sent {
  readonly fair: number;
  readonly atMs: number;
  /** False for a series whose quotes were pulled. */
  readonly quoted: boolean;
}

/** A row to push, and what it will mean that it was taken. */
export interface Change {
  readonly series: Series;
  readonly row: CompactQuote;
  readonly sent: Sent;
}

export class Quoter {
  #series: readonly Series[] = [];
  /** By sid; an alias outlives neither a reload that contradicts it nor a lost connection. */
  readonly #sent = new Map<number, Sent>();

  /** Number of series with quotes on the book. */
  get quotedCount(): number {
    return [...this.#sent.values()].filter(({ quoted }) => quoted).length;
  }

  /** Takes the list of live series. Where an alias now means another contract, nothing sent before counts. */
  load(series: readonly Series[]): void {
    const before = new Map(this.#series.map(({ sid, seriesId }) => [sid, seriesId]));
    if (series.some(({ sid, seriesId }) => before.has(sid) && before.get(sid) !== seriesId))
      this.#sent.clear();
    const listed = new Set(series.map(({ sid }) => sid));
    for (const sid of this.#sent.keys()) if (!listed.has(sid)) this.#sent.delete(sid);
    this.#series = series;
  }

  /** Whether a series that was loaded as live has passed its cutoff, so that the list is out of date. */
  isOutdated(nowMs: number): boolean {
    return this.#series.some(({ expiryCutoffMs }) => expiryCutoffMs <= nowMs);
  }

  /** Whether any series of the symbol is loaded. */
  knows(symbol: string): boolean {
    return this.#series.some((series) => series.symbol === symbol);
  }

  /** Nothing on the book is certain any more: every ladder is due. */
  forgetAll(): void {
    this.#sent.clear();
  }

  /** Somebody traded in the series: its ladder is due. */
  forget(seriesId: string): void {
    const traded = this.#series.find((series) => series.seriesId === seriesId);
    if (traded !== undefined) this.#sent.delete(traded.sid);
  }

  /** The ladders that are due at these spots; a symbol whose price is stale has its quotes pulled. */
  due(instruments: readonly Instrument[], nowMs: number): Change[] {
    const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    const changes: Change[] = [];
    for (const series of this.#series) {
      const instrument = bySymbol.get(series.symbol);
      if (series.expiryCutoffMs <= nowMs) continue;
      const change =
        instrument?.feedFresh && instrument.spot > 0
          ? this.#requote(series, instrument.spot, nowMs)
          : this.#pull(series, nowMs);
      if (change !== null) changes.push(change);
    }
    return changes;
  }

  /** Rows that take everything off the book. */
  pullAll(nowMs: number): Change[] {
    return this.#series.map((series) => this.#pull(series, nowMs)).filter((change) => change !== null);
  }

  /** The venue took these rows. */
  confirm(changes: readonly Change[]): void {
    for (const { series, sent } of changes) this.#sent.set(series.sid, sent);
  }

  #requote(series: Series, spot: number, nowMs: number): Change | null {
    const ladder = ladderOf(series, spot, nowMs);
    const last = this.#sent.get(series.sid);
    if (last?.quoted && stands(last, ladder, nowMs)) return null;
    const { bids, asks, iv, delta, fair } = ladder;
    return {
      series,
      row: [series.sid, [...bids], [...asks], iv, delta],
      sent: { fair, atMs: nowMs, quoted: true },
    };
  }

  // A series never quoted in this connection may still have quotes of an earlier one.
  #pull(series: Series, nowMs: number): Change | null {
    if (this.#sent.get(series.sid)?.quoted === false) return null;
    return { series, row: [series.sid, [], []], sent: { fair: 0, atMs: nowMs, quoted: false } };
  }
}

function stands(last: Sent, { fair, halfSpread }: Ladder, nowMs: number): boolean {
  return Math.abs(fair - last.fair) < MOVE_SHARE * halfSpread && nowMs - last.atMs < REFRESH_MS;
}
