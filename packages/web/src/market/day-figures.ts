/**
 * The last day of an underlying, with the volatility that its options expect, or of a contract's mark: read rarely, as
 * they move slowly.
 */

import { type Candle, parseSeriesId, type Volatility } from '@venue/protocol';
import type { StoreApi } from 'zustand/vanilla';

export interface DayFigures {
  /** The price a day ago, or the oldest of a shorter history; null without one. */
  readonly from: number | null;
  /** The hour in which a history begins that is shorter than a day, in Unix ms; null for a whole day. */
  readonly sinceMs: number | null;
  /** Highest and lowest of the day; null without a history. */
  readonly high: number | null;
  readonly low: number | null;
  /** The 30-day volatility index in percent; null where the venue has none, and of a contract. */
  readonly index: number | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A mark that has not moved for longer than this counts as unknown. */
const STILL_MS = 8 * DAY_MS;

/** The day's figures, from hourly candles in ascending order. */
export function dayOf(candles: readonly Candle[], nowMs: number): Omit<DayFigures, 'index'> {
  const day = candles.filter(({ t }) => t > nowMs - DAY_MS - HOUR_MS);
  const [first] = day;
  if (first === undefined) return { from: null, sinceMs: null, high: null, low: null };
  return {
    from: first.o,
    sinceMs: first.t > nowMs - DAY_MS + HOUR_MS ? first.t : null,
    high: Math.max(...day.map(({ h }) => h)),
    low: Math.min(...day.map(({ l }) => l)),
  };
}

/** Change since a price, as a fraction; null where either is unknown. */
export function changeSince(from: number | null | undefined, spot: number): number | null {
  return from && spot > 0 ? spot / from - 1 : null;
}

export interface DayReads {
  readonly candles: (span: {
    readonly of: `spot:${string}` | `mark:${string}`;
    readonly interval: '1h';
    readonly from: number;
    readonly to?: number;
  }) => Promise<readonly Candle[]>;
  readonly volatility: (
    symbol: string,
    span: { readonly from: number },
  ) => Promise<Pick<Volatility, 'index'>>;
}

export interface DayFeedOptions {
  readonly reads: DayReads;
  readonly store: StoreApi<ReadonlyMap<string, DayFigures>>;
  /** Underlyings or contracts. */
  readonly names: () => readonly string[];
  /** Takes one read from the allowance; false while there is none, or nobody looks. */
  readonly take: () => boolean;
  readonly venueNow: () => number;
}

const AGAIN_MS = 5 * 60_000;

/** Reads the figures of one name at a time, each again after five minutes. */
export class DayFeed {
  readonly #options: DayFeedOptions;
  readonly #dueMs = new Map<string, number>();
  #isReading = false;

  constructor(options: DayFeedOptions) {
    this.#options = options;
  }

  /** To be called every second or so. A read that fails is repeated when the next is due. */
  async step(): Promise<void> {
    const { names, take, venueNow } = this.#options;
    const nowMs = venueNow();
    const name = names().find((one) => (this.#dueMs.get(one) ?? 0) <= nowMs);
    if (name === undefined || this.#isReading || !take()) return;
    this.#isReading = true;
    this.#dueMs.set(name, nowMs + AGAIN_MS);
    if (parseSeriesId(name) === undefined) await this.#readUnderlying(name, nowMs);
    else await this.#readContract(name, nowMs);
    this.#isReading = false;
  }

  async #readUnderlying(symbol: string, nowMs: number): Promise<void> {
    const { reads, store } = this.#options;
    const before = store.getState().get(symbol);
    const [candles, volatility] = await Promise.allSettled([
      reads.candles({ of: `spot:${symbol}`, interval: '1h', from: nowMs - DAY_MS - HOUR_MS }),
      reads.volatility(symbol, { from: nowMs }),
    ]);
    const day = candles.status === 'fulfilled' ? dayOf(candles.value, nowMs) : (before ?? dayOf([], nowMs));
    const index = volatility.status === 'fulfilled' ? volatility.value.index : (before?.index ?? null);
    store.setState(new Map(store.getState()).set(symbol, { ...day, index }), true);
  }

  /** Marks are sampled when they change, so the mark at the day's beginning may be a sample of days before. */
  async #readContract(seriesId: string, nowMs: number): Promise<void> {
    const { reads, store } = this.#options;
    const span = { of: `mark:${seriesId}`, interval: '1h' } as const;
    const beginMs = nowMs - DAY_MS - HOUR_MS;
    try {
      const day = dayOf(await reads.candles({ ...span, from: beginMs }), nowMs);
      const isOpenKnown = day.from !== null && day.sinceMs === null;
      const earlier = isOpenKnown
        ? []
        : await reads.candles({ ...span, from: nowMs - STILL_MS, to: beginMs });
      const still = earlier.at(-1)?.c;
      const known = still === undefined ? day : { ...day, from: still, sinceMs: null };
      store.setState(new Map(store.getState()).set(seriesId, { ...known, index: null }), true);
    } catch {
      // Stays as it was.
    }
  }
}
