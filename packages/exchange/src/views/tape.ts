/** The last prints of each symbol: in memory, emptied by a restart. */

import type { TapePrint } from '@venue/engine';

export const TAPE_KEPT = 100;

export class Tape {
  /** By symbol, oldest first. */
  readonly #prints = new Map<string, TapePrint[]>();

  printed(print: TapePrint): void {
    const { symbol } = print.series.instrument;
    const prints = this.#prints.get(symbol) ?? [];
    this.#prints.set(symbol, prints);
    prints.push(print);
    if (prints.length > TAPE_KEPT) prints.shift();
  }

  /** The newest prints of a symbol, newest first. */
  newest(symbol: string, count: number): TapePrint[] {
    return (this.#prints.get(symbol) ?? []).slice(-count).reverse();
  }
}
