/** Which trades of a snapshot are new to one who had some before: they have no ids, but an order. */

import type { TapePrint } from '@venue/protocol';

/** As many as a snapshot holds. */
const KEPT = 50;

export class SeenTrades {
  #last: string[] = [];

  /** Takes in trades that followed those before, oldest first. */
  follow(trades: readonly TapePrint[]): void {
    this.#last = [...this.#last, ...trades.map(keyOf)].slice(-KEPT);
  }

  /**
   * The part of a snapshot that is new. `isGap` where none of it was seen before, so that some between may be missing.
   */
  newOf(snapshot: readonly TapePrint[]): { readonly trades: readonly TapePrint[]; readonly isGap: boolean } {
    const isFirst = this.#last.length === 0;
    const keys = snapshot.map(keyOf);
    let known = Math.min(keys.length, this.#last.length);
    while (known > 0 && !this.#endsWith(keys.slice(0, known))) known -= 1;
    const trades = snapshot.slice(known);
    this.follow(trades);
    return { trades, isGap: !isFirst && known === 0 };
  }

  #endsWith(keys: readonly string[]): boolean {
    const from = this.#last.length - keys.length;
    return keys.every((key, i) => key === this.#last[from + i]);
  }
}

function keyOf({ seriesId, price, qty, side, ts }: TapePrint): string {
  return `${seriesId} ${price} ${qty} ${side} ${ts}`;
}
