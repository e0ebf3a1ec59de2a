/** Tracks the maker's standing quotes and decides which ladders are due. Does no network access. */

import type { CompactQuote, Instrument, Position, Series } from '@venue/protocol';
import type { Inventory, Opinion } from './inventory.ts';
import { farAskOf, ladderOf, sideSize } from './ladder.ts';
import type { Parameters } from './parameters.ts';
import { type Quote, SymbolQuoter } from './symbol-quoter.ts';

/** A ladder is sent again once its centre has moved by this share of its half spread, */
const MOVE_SHARE = 0.5;
/** or its half spread or a size has changed by this share, */
const CHANGE_SHARE = 0.25;
/** or, unchanged, after this long, in case the book differs. */
const REFRESH_MS = 120_000;

export interface Sent {
  readonly atMs: number;
  /** Null for a series whose quotes were pulled. */
  readonly quote: Quote | null;
}

/** A row to push, and the state to record once it is accepted. */
export interface Change {
  readonly series: Series;
  readonly row: CompactQuote;
  readonly sent: Sent;
  /** The venue marks the maker's position far above its value, which closes its line for every other row (HOUSE-1). */
  readonly isUrgent: boolean;
}

export class Quoter {
  readonly #parameters: Parameters;
  readonly #inventory: Inventory;
  readonly #symbols = new Map<string, SymbolQuoter>();
  #series = new Map<string, Series>();
  /** By sid; cleared when a reload contradicts an alias, and when the connection is lost. */
  readonly #sent = new Map<number, Sent>();

  constructor(parameters: Parameters, inventory: Inventory) {
    this.#parameters = parameters;
    this.#inventory = inventory;
  }

  /** The quoted symbols, with the results of their last round. */
  get symbols(): ReadonlyMap<string, SymbolQuoter> {
    return this.#symbols;
  }

  /** Quotes on the book. */
  *standing(): Generator<Quote> {
    for (const { quote } of this.#sent.values()) if (quote !== null) yield quote;
  }

  get quotedCount(): number {
    let count = 0;
    for (const { quote } of this.#sent.values()) if (quote !== null) count += 1;
    return count;
  }

  /** Loads the list of live series. If an alias now means another contract, everything sent before is void. */
  load(list: readonly Series[]): void {
    const before = new Map([...this.#series.values()].map(({ sid, seriesId }) => [sid, seriesId]));
    if (list.some(({ sid, seriesId }) => (before.get(sid) ?? seriesId) !== seriesId)) this.#sent.clear();
    this.#series = new Map(list.map((series) => [series.seriesId, series]));
    const listed = new Set(list.map(({ sid }) => sid));
    for (const sid of this.#sent.keys()) if (!listed.has(sid)) this.#sent.delete(sid);
    const bySymbol = Map.groupBy(list, ({ symbol }) => symbol);
    for (const symbol of bySymbol.keys()) if (!this.#symbols.has(symbol)) this.#add(symbol);
    for (const [symbol, quoter] of this.#symbols) quoter.load(bySymbol.get(symbol) ?? []);
  }

  /** Returns whether a loaded series has passed its cutoff, so that the list is out of date. */
  isOutdated(nowMs: number): boolean {
    for (const { expiryCutoffMs } of this.#series.values()) if (expiryCutoffMs <= nowMs) return true;
    return false;
  }

  /** Returns whether any series of the symbol is loaded. */
  knows(symbol: string): boolean {
    return this.#symbols.get(symbol)?.hasSeries ?? false;
  }

  /** Makes every ladder due, because the state of the book is unknown. */
  forgetAll(): void {
    this.#sent.clear();
  }

  /** Makes the ladder of a series due after a trade in it. */
  forget(seriesId: string): void {
    const traded = this.#series.get(seriesId);
    if (traded !== undefined) this.#sent.delete(traded.sid);
  }

  /** The series' fair value in the last round, or null. */
  fairOf(seriesId: string): number | null {
    const series = this.#series.get(seriesId);
    return (series && this.#symbols.get(series.symbol)?.fairOf(seriesId)) ?? null;
  }

  /**
   * The ladders that are due at these spots: first those that correct an absurd mark, then those to remove, then
   * those that waited longest. If a symbol's price is stale, its quotes are pulled.
   */
  due(instruments: readonly Instrument[], nowMs: number): Change[] {
    const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    const changes: Change[] = [];
    this.#inventory.revalue((position) => this.#opinionOf(position, bySymbol.get(position.symbol)));
    for (const [symbol, quoter] of this.#symbols) {
      const instrument = bySymbol.get(symbol);
      const isPriced = instrument?.feedFresh && instrument.spot > 0;
      const quotes = isPriced ? quoter.quotes(instrument.spot, nowMs) : quoter.noQuotes(nowMs);
      for (const [series, quote] of quotes) {
        const isUrgent = quote !== null && (this.#inventory.markOf(series.seriesId) ?? 0) > farAskOf(quote);
        if (!isUrgent && !isDue(this.#sent.get(series.sid), quote, nowMs)) continue;
        changes.push({ series, row: rowOf(series, quote), sent: { atMs: nowMs, quote }, isUrgent });
      }
    }
    return changes.sort((a, b) => this.#rank(a) - this.#rank(b));
  }

  /** Records that the venue accepted these rows. */
  confirm(changes: readonly Change[]): void {
    for (const { series, sent, isUrgent } of changes) {
      this.#sent.set(series.sid, sent);
      if (isUrgent) this.#inventory.forgetMark(series.seriesId);
    }
  }

  /** As of the last round; a position that was not valued there counts at its average price. */
  #opinionOf({ seriesId, avgPrice, strike }: Position, instrument: Instrument | undefined): Opinion {
    return { price: this.fairOf(seriesId) ?? avgPrice, spot: instrument?.spot || strike };
  }

  #rank({ series, sent, isUrgent }: Change): number {
    if (isUrgent) return -2;
    return sent.quote === null ? -1 : (this.#sent.get(series.sid)?.atMs ?? 0);
  }

  #add(symbol: string): void {
    this.#symbols.set(symbol, new SymbolQuoter(this.#parameters.of(symbol), this.#inventory));
  }
}

// A series not yet sent in this connection may still have quotes from an earlier one, so it is pulled as well.
function isDue(sent: Sent | undefined, quote: Quote | null, nowMs: number): boolean {
  if (sent === undefined) return true;
  if (quote === null || sent.quote === null) return quote !== sent.quote;
  return nowMs - sent.atMs >= REFRESH_MS || hasMoved(sent.quote, quote);
}

function hasMoved(before: Quote, now: Quote): boolean {
  return (
    Math.abs(now.centre - before.centre) >= MOVE_SHARE * Math.min(before.halfSpread, now.halfSpread) ||
    isFar(before.halfSpread, now.halfSpread) ||
    isFar(sideSize(before.size, before.room.bid), sideSize(now.size, now.room.bid)) ||
    isFar(sideSize(before.size, before.room.ask), sideSize(now.size, now.room.ask))
  );
}

function isFar(before: number, now: number): boolean {
  return Math.abs(now - before) > CHANGE_SHARE * Math.max(before, now);
}

function rowOf({ sid }: Series, quote: Quote | null): CompactQuote {
  if (quote === null) return [sid, [], []];
  const { bids, asks } = ladderOf(quote);
  return [sid, [...bids], [...asks], round(quote.value.vol), round(quote.value.delta)];
}

function round(value: number): number {
  // Adding zero turns a negative zero into zero.
  return Math.round(value * 10_000) / 10_000 + 0;
}
