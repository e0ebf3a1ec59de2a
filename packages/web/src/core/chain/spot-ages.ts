/** How long each underlying has stood at its price, as far as this page can tell (TERM-2): the venue names no time of a price. */

import type { Instrument } from '@venue/protocol';

export interface SpotAge {
  /** Since the price was last another. */
  readonly ms: number;
  /** False where the page has not seen it move: it may have stood for longer. */
  readonly isSeen: boolean;
}

interface Standing {
  readonly spot: number;
  readonly sinceMs: number;
  readonly isSeen: boolean;
}

export class SpotAges {
  readonly #standing = new Map<string, Standing>();

  /** A price as any answer brings it. */
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
