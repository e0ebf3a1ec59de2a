/** Midpoints of the books of one connection, and how long they hold. */

import type { PriceBoard } from './board.ts';
import type { Clock } from './freshness.ts';

/** An unchanged book is published again after this long, */
const REPEAT_MS = 5_000;
/** while the upstream has sent something within this time, */
const ALIVE_MS = 10_000;
/** and the book itself has changed within this one: a book that nobody touches is not a market. */
const BOOK_MAX_MS = 5 * 60_000;
/** The midpoint of a wider spread is not a price. */
const SPREAD_BPS_MAX = 200;

/** The best prices of a book; NaN for an empty side. */
export interface Top {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly upstreamMs: number | undefined;
}

export interface MidsOptions {
  readonly source: string;
  readonly board: PriceBoard;
  readonly clock: Clock;
}

interface Mid {
  readonly price: number;
  readonly publishedAtMs: number;
  readonly changedAtMs: number;
}

/**
 * Midpoints of the books of one connection. A trade is an event and is published once. A book is a state that holds
 * until the upstream changes it, so its midpoint is repeated while the upstream is alive.
 */
export class Mids {
  /** True if the upstream reports its market as open. */
  isOnline = true;
  readonly #board: PriceBoard;
  readonly #source: string;
  readonly #clock: Clock;
  readonly #mids = new Map<string, Mid>();
  #aliveAtMs: number;

  constructor({ source, board, clock }: MidsOptions) {
    this.#source = source;
    this.#board = board;
    this.#clock = clock;
    this.#aliveAtMs = clock.steadyMs();
  }

  /** Call when the upstream sent something. */
  alive(): void {
    this.#aliveAtMs = this.#clock.steadyMs();
  }

  update({ symbol, bid, ask, upstreamMs }: Top): void {
    const mid = this.#mids.get(symbol);
    // A midpoint unfit to publish must not be repeated either.
    this.#mids.delete(symbol);
    const price = this.#judge({ symbol, bid, ask, upstreamMs });
    if (price === null) return;
    const nowMs = this.#clock.steadyMs();
    if (mid !== undefined && mid.price === price && nowMs - mid.publishedAtMs < REPEAT_MS)
      this.#mids.set(symbol, { ...mid, changedAtMs: nowMs });
    else this.#publish(symbol, { price, publishedAtMs: nowMs, changedAtMs: nowMs });
  }

  /** Publishes unchanged books again, while the upstream is alive. */
  repeat(): void {
    const nowMs = this.#clock.steadyMs();
    if (!this.isOnline || nowMs - this.#aliveAtMs > ALIVE_MS) return;
    for (const [symbol, mid] of this.#mids) {
      const isDue = nowMs - mid.publishedAtMs >= REPEAT_MS;
      if (isDue && nowMs - mid.changedAtMs <= BOOK_MAX_MS)
        this.#publish(symbol, { ...mid, publishedAtMs: nowMs });
    }
  }

  #judge({ symbol, bid, ask, upstreamMs }: Top): number | null {
    const price = (bid + ask) / 2;
    if (bid >= ask) this.#board.drop('crossed book');
    else if (ask - bid > (price * SPREAD_BPS_MAX) / 10_000) this.#board.drop('wide book');
    else return this.#board.judge({ symbol, source: this.#source, price, upstreamMs });
    return null;
  }

  #publish(symbol: string, mid: Mid): void {
    this.#mids.set(symbol, mid);
    this.#board.publish({ symbol, source: this.#source, price: mid.price });
  }
}
