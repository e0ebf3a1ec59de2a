/** Midpoints of the books of one connection, and how long they hold. */

import type { PriceBoard } from './board.ts';
import type { Clock } from './freshness.ts';

/** A book that stands still is published again after this long, */
const REPEAT_MS = 5_000;
/** while the upstream has said something within this time, */
const ALIVE_MS = 10_000;
/** and the book itself has changed within this one: a book nobody touches any more is no market. */
const BOOK_MAX_MS = 5 * 60_000;
/** A midpoint between prices further apart is no price. */
const SPREAD_BPS_MAX = 200;

/** The best prices of a book; NaN for a side that is empty. */
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
 * Midpoints of the books of one connection. A trade is an event and is published once; a book is a state that holds
 * until the upstream says otherwise, so its midpoint is published again while the upstream is there to say so.
 */
export class Mids {
  /** Whether the upstream says that its market is open. */
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

  /** The upstream said something. */
  alive(): void {
    this.#aliveAtMs = this.#clock.steadyMs();
  }

  update({ symbol, bid, ask, upstreamMs }: Top): void {
    const mid = this.#mids.get(symbol);
    // What is not fit to be published is not fit to be repeated either.
    this.#mids.delete(symbol);
    const price = this.#judge({ symbol, bid, ask, upstreamMs });
    if (price === null) return;
    const nowMs = this.#clock.steadyMs();
    if (mid !== undefined && mid.price === price && nowMs - mid.publishedAtMs < REPEAT_MS)
      this.#mids.set(symbol, { ...mid, changedAtMs: nowMs });
    else this.#publish(symbol, { price, publishedAtMs: nowMs, changedAtMs: nowMs });
  }

  /** Publishes the books that stand still, as long as the upstream vouches for them. */
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
