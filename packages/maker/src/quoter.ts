/** Tracks the maker's standing quotes and decides which ladders are due. Does no network access. */

import type { CompactQuote, Instrument, Position, QuoteLevel, Series } from '@venue/protocol';
import type { Inventory, Opinion } from './inventory.ts';
import { farAskOf, ladderOf, sideSize } from './ladder.ts';
import type { Parameters } from './parameters.ts';
import type { SeriesValue } from './pricing.ts';
import { type Quote, SymbolQuoter } from './symbol-quoter.ts';

/**
 * A ladder may be sent again once its centre has moved by this share of its half spread. Every row is in the log for
 * good, so it is not sent sooner.
 */
const MOVE_SHARE = 0.6;
/** It has to be sent, whatever the pace, once fair value is this close to its prices, in shares of the half spread. */
const MUST_SHARE = 0.8;
/** Or its half spread or a size has changed by this share, */
const CHANGE_SHARE = 0.3;
/** or, unchanged, after this long, in case the book differs, */
const REFRESH_MS = 120_000;
/** with the next push, or in one of its own after this long: without a changed row a push is little but its signature. */
const REFRESH_PACE_MS = 18_000;
/** Annotations are sent again when they have moved by this, */
const [IV_STEP, DELTA_STEP] = [0.005, 0.02];
/** or after this long, well within the day after which a mark would count them no more (RSK-2). */
const ANNOTATE_MS = 6 * 3_600_000;

/** Implied volatility and delta, as the venue has them. */
export interface Annotation {
  readonly atMs: number;
  readonly iv: number;
  readonly delta: number;
}

export interface Sent {
  readonly atMs: number;
  /** Null for a series whose quotes were pulled. */
  readonly quote: Quote | null;
  /** Null before the first, and once no level stands. */
  readonly annotation: Annotation | null;
}

/** A row to push, and the state to record once it is accepted. */
export interface Change {
  readonly series: Series;
  readonly row: CompactQuote;
  readonly sent: Sent;
  /** The venue marks the maker's position far above its value, which closes its line for every other row (HOUSE-1). */
  readonly isUrgent: boolean;
}

export interface QuoterOptions {
  readonly parameters: Parameters;
  readonly inventory: Inventory;
  /** The least time between two pushes of a symbol in which nothing has to be sent at once. */
  readonly paceMs: number;
  /** The most levels of a symbol beside the others that are loaded; by default any number. */
  readonly levelsMaxOf?: (symbol: string, symbols: readonly string[]) => number;
}

interface Look {
  /** 0 while there is none, or none that is fresh. */
  readonly spot: number;
  readonly atMs: number;
}

/** Share of the pace in which a symbol is not valued again at an unchanged price. */
const LOOK_SHARE = 0.3;

export class Quoter {
  readonly #options: QuoterOptions;
  readonly #symbols = new Map<string, SymbolQuoter>();
  #series = new Map<string, Series>();
  /** By sid; cleared when a reload contradicts an alias, and when the connection is lost. */
  readonly #sent = new Map<number, Sent>();

  /** When each symbol was last sent to. */
  readonly #pushedAtMs = new Map<string, number>();
  /** The last look at each symbol. */
  readonly #looks = new Map<string, Look>();

  constructor(options: QuoterOptions) {
    this.#options = options;
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
    const { levelsMaxOf } = this.#options;
    const symbols = [...bySymbol.keys()];
    for (const [symbol, quoter] of this.#symbols)
      quoter.load(bySymbol.get(symbol) ?? [], levelsMaxOf?.(symbol, symbols));
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

  /** Makes every ladder of a symbol due, because its quotes have left the book. */
  forgetSymbol(symbol: string): void {
    for (const series of this.#series.values()) if (series.symbol === symbol) this.#sent.delete(series.sid);
  }

  /** Makes the ladder of a series due after a trade in it. */
  forget(seriesId: string): void {
    const traded = this.#series.get(seriesId);
    if (traded !== undefined) this.#sent.delete(traded.sid);
  }

  /** Every series that was valued in the last round. */
  *values(): Generator<readonly [Series, SeriesValue]> {
    for (const series of this.#series.values()) {
      const value = this.#symbols.get(series.symbol)?.valuedAt(series.seriesId);
      if (value !== undefined) yield [series, value];
    }
  }

  /** The series' fair value in the last round, or null. */
  fairOf(seriesId: string): number | null {
    const series = this.#series.get(seriesId);
    return (series && this.#symbols.get(series.symbol)?.valuedAt(seriesId)?.price) ?? null;
  }

  /**
   * The ladders that are due at these spots: first those that correct an absurd mark, then those to remove, then
   * those that waited longest. If a symbol's price is stale, its quotes are pulled.
   */
  due(instruments: readonly Instrument[], nowMs: number): Change[] {
    const { inventory } = this.#options;
    const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    inventory.revalue((position) => this.#opinionOf(position, bySymbol.get(position.symbol)));
    const changes = [...this.#symbols].flatMap(([symbol, quoter]) =>
      this.#dueOf(quoter, { symbol, instrument: bySymbol.get(symbol), nowMs }),
    );
    return changes.sort((a, b) => this.#rank(a) - this.#rank(b));
  }

  /** Waits for the pace of the symbol, unless a ladder has to go at once; then all go that may. */
  #dueOf(
    quoter: SymbolQuoter,
    { symbol, instrument, nowMs }: { symbol: string; instrument: Instrument | undefined; nowMs: number },
  ): Change[] {
    const isPriced = instrument?.feedFresh && instrument.spot > 0;
    if (!this.#isWorthALook(symbol, { spot: isPriced ? instrument.spot : 0, atMs: nowMs })) return [];
    const quotes = isPriced ? quoter.quotes(instrument.spot, nowMs) : quoter.noQuotes(nowMs);
    const changes: Change[] = [];
    const { paceMs } = this.#options;
    const agoMs = nowMs - (this.#pushedAtMs.get(symbol) ?? 0);
    let mustSend = agoMs >= Math.max(paceMs, REFRESH_PACE_MS);
    for (const [series, quote] of quotes) {
      const before = this.#sent.get(series.sid);
      const isUrgent = quote !== null && this.#isMisjudged(series, quote);
      const need = isUrgent ? 'must' : needOf(before, quote, nowMs);
      if (need === null) continue;
      mustSend ||= need === 'must' || (need === 'may' && agoMs >= paceMs);
      // Unchanged, a row costs the log nothing.
      const next = need === 'refresh' ? before!.quote : quote;
      changes.push(changeOf({ series, quote: next, before, isUrgent, nowMs }));
    }
    return mustSend ? changes : [];
  }

  /** At an unchanged price there is little to see before a part of the pace has passed. */
  #isWorthALook(symbol: string, look: Look): boolean {
    const last = this.#looks.get(symbol);
    const isSame = last?.spot === look.spot && look.atMs - last.atMs < this.#options.paceMs * LOOK_SHARE;
    if (!isSame) this.#looks.set(symbol, look);
    return !isSame;
  }

  #isMisjudged({ seriesId }: Series, quote: Quote): boolean {
    return (this.#options.inventory.markOf(seriesId) ?? 0) > farAskOf(quote);
  }

  /** Records that the venue accepted these rows. */
  confirm(changes: readonly Change[]): void {
    for (const { series, sent, isUrgent } of changes) {
      this.#sent.set(series.sid, sent);
      this.#pushedAtMs.set(series.symbol, sent.atMs);
      if (isUrgent) this.#options.inventory.forgetMark(series.seriesId);
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
    const { parameters, inventory } = this.#options;
    this.#symbols.set(symbol, new SymbolQuoter(parameters.of(symbol), inventory));
  }
}

type Need = 'must' | 'may' | 'refresh';

// A series not yet sent in this connection may still have quotes from an earlier one, so it is pulled as well.
function needOf(sent: Sent | undefined, quote: Quote | null, nowMs: number): Need | null {
  if (sent === undefined) return quote === null ? 'must' : 'may';
  if (quote === null || sent.quote === null) {
    if (quote === sent.quote) return null;
    return quote === null ? 'must' : 'may';
  }
  const move = Math.abs(quote.centre - sent.quote.centre) / sent.quote.halfSpread;
  const drift = Math.abs(quote.value.price - sent.quote.value.price) / sent.quote.halfSpread;
  if (Math.max(move, drift) >= MUST_SHARE) return 'must';
  if (move >= MOVE_SHARE || hasChanged(sent.quote, quote)) return 'may';
  return nowMs - sent.atMs >= REFRESH_MS ? 'refresh' : null;
}

function hasChanged(before: Quote, now: Quote): boolean {
  return (
    isOff(before.halfSpread, now.halfSpread) ||
    isOff(sideSize(before, before.room.bid), sideSize(now, now.room.bid)) ||
    isOff(sideSize(before, before.room.ask), sideSize(now, now.room.ask))
  );
}

function isOff(before: number, now: number): boolean {
  return Math.abs(now - before) > CHANGE_SHARE * Math.max(before, now);
}

interface ChangeTerms {
  readonly series: Series;
  readonly quote: Quote | null;
  readonly before: Sent | undefined;
  readonly isUrgent: boolean;
  readonly nowMs: number;
}

function changeOf({ series, quote, before, isUrgent, nowMs }: ChangeTerms): Change {
  const known = before?.annotation ?? null;
  // A quote set keeps an annotation as long as a level (QTS-2).
  if (quote === null) {
    const sent = { atMs: nowMs, quote, annotation: null };
    return { series, row: [series.sid, [], []], sent, isUrgent };
  }
  const { bids, asks } = ladderOf(quote);
  const annotation = annotationOf(quote.value, nowMs);
  const isNew = hasDrifted(known, annotation);
  const sides: [number, QuoteLevel[], QuoteLevel[]] = [series.sid, [...bids], [...asks]];
  const row: CompactQuote = isNew ? [...sides, annotation.iv, annotation.delta] : sides;
  const isEmpty = bids.length + asks.length === 0;
  const sent = { atMs: nowMs, quote, annotation: isEmpty ? null : isNew ? annotation : known };
  return { series, row, sent, isUrgent };
}

/** The annotation of a value, in the steps in which it is sent. */
export function annotationOf({ vol, delta }: SeriesValue, atMs: number): Annotation {
  return { atMs, iv: round(vol), delta: round(delta) };
}

/** Returns whether an annotation is so far from the one that the venue has, or that one so old, that it is sent again. */
export function hasDrifted(known: Annotation | null, now: Annotation): boolean {
  return (
    known === null ||
    Math.abs(now.iv - known.iv) >= IV_STEP ||
    Math.abs(now.delta - known.delta) >= DELTA_STEP ||
    now.atMs - known.atMs >= ANNOTATE_MS
  );
}

function round(value: number): number {
  // Adding zero turns a negative zero into zero.
  return Math.round(value * 10_000) / 10_000 + 0;
}
