/** Chains of expiries that are not on the screen, read one at a time and seldom: for what looks at several at once. */

import type { Chain } from '@venue/protocol';

export interface ChainShelfOptions {
  readonly read: (symbol: string, expiryTs: number) => Promise<Chain>;
  /** Takes one read out of what the edge allows. */
  readonly take: () => boolean;
  readonly now: () => number;
}

interface Kept {
  readonly chain: Chain | null;
  readonly readMs: number;
}

/** After that a chain is worth another read. */
const FRESH_MS = 20_000;
const KEPT = 40;

export class ChainShelf {
  readonly #options: ChainShelfOptions;
  readonly #kept = new Map<string, Kept>();
  #isReading = false;

  constructor(options: ChainShelfOptions) {
    this.#options = options;
  }

  /** The chain as it was last read, however long ago. */
  get(symbol: string, expiryTs: number): Chain | null {
    return this.#kept.get(`${symbol} ${expiryTs}`)?.chain ?? null;
  }

  /**
   * Reads the first of these that is missing or old, if nothing else is being read and the edge allows. True where it
   * did. What cannot be read is not tried again before its time.
   */
  async refresh(symbol: string, expiries: readonly number[]): Promise<boolean> {
    const { read, take, now } = this.#options;
    const due = expiries.find((expiryTs) => {
      const known = this.#kept.get(`${symbol} ${expiryTs}`);
      return known === undefined || now() - known.readMs > FRESH_MS;
    });
    if (due === undefined || this.#isReading || !take()) return false;
    this.#isReading = true;
    try {
      const chain = await read(symbol, due).catch(() => this.get(symbol, due));
      this.#keep(`${symbol} ${due}`, { chain, readMs: now() });
      return true;
    } finally {
      this.#isReading = false;
    }
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** Some of many, the given one always among them, the rest evenly spread: ascending as they came. */
export function spread<T>(all: readonly T[], most: number, given: T | null): T[] {
  if (all.length <= most) return [...all];
  const chosen = new Set<T>();
  if (given !== null && all.includes(given)) chosen.add(given);
  const free = most - chosen.size;
  const others = all.filter((one) => !chosen.has(one));
  for (let i = 0; i < free; i++)
    chosen.add(others[Math.round((i * (others.length - 1)) / Math.max(1, free - 1))]!);
  return all.filter((one) => chosen.has(one));
}
