/** Chains of expiries that are not on the screen, read rarely and one at a time, for views of several expiries. */

import type { Chain } from '@venue/protocol';

export interface ChainShelfOptions {
  readonly read: (symbol: string, expiryTs: number) => Promise<Chain>;
  /** The chain that is followed anyway; null for others. */
  readonly live: (symbol: string, expiryTs: number) => Chain | null;
  /** Takes one read from the page's allowance. */
  readonly take: () => boolean;
  readonly now: () => number;
}

interface Kept {
  readonly chain: Chain | null;
  readonly readMs: number;
}

/** A chain older than this is read again. */
const FRESH_MS = 20_000;
const KEPT = 40;

export class ChainShelf {
  readonly #options: ChainShelfOptions;
  readonly #kept = new Map<string, Kept>();
  #isReading = false;

  constructor(options: ChainShelfOptions) {
    this.#options = options;
  }

  /** The chain as it is, where it is followed; else the last one read, however old. */
  get(symbol: string, expiryTs: number): Chain | null {
    const live = this.#options.live(symbol, expiryTs);
    return live ?? this.#kept.get(`${symbol} ${expiryTs}`)?.chain ?? null;
  }

  /**
   * Reads the first of these that is missing or old, unless another read is running or the allowance is empty; returns
   * whether it did. A failed read is not retried before it is due again.
   */
  async refresh(symbol: string, expiries: readonly number[]): Promise<boolean> {
    const { read, live, take, now } = this.#options;
    const due = expiries.find((expiryTs) => {
      if (live(symbol, expiryTs) !== null) return false;
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

/** Up to `most` items evenly spread, always including the given one, in their original order. */
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
