/**
 * How long each underlying's price has been unchanged, as far as this page has seen (TERM-2): the venue sends no time
 * with a price.
 */

import type { Instrument } from '@venue/protocol';

export interface SpotAge {
  /** Time since the price last changed. */
  readonly ms: number;
  /** False where the page has not seen it change: the price may be older. */
  readonly isSeen: boolean;
}

interface Standing {
  readonly spot: number;
  readonly sinceMs: number;
  readonly isSeen: boolean;
}

export class SpotAges {
  readonly #standing = new Map<string, Standing>();

  /** Takes a price from any answer. */
  take({ symbol, spot }: Pick<Instrument, 'symbol' | 'spot'>, nowMs: number): void {
    const before = this.#standing.get(symbol);
    if (!(spot > 0) || before?.spot === spot) return;
    this.#standing.set(symbol, { spot, sinceMs: nowMs, isSeen: before !== undefined });
  }

  /** Null while the underlying has no price. */
  of(symbol: string, nowMs: number): SpotAge | null {
    const standing = this.#standing.get(symbol);
    return standing === undefined ? null : { ms: nowMs - standing.sinceMs, isSeen: standing.isSeen };
  }
}
