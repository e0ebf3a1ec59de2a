/** The listed contracts of underlyings that are not on the screen: read when one is looked for, and then kept. */

import type { Series } from '@venue/protocol';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Listed } from '../../../market/find-contracts.ts';
import { strikesOf } from '../../../market/strikes-of.ts';

export interface ContractShelfOptions {
  readonly read: (symbol: string) => Promise<readonly Series[]>;
  /** Takes one read from the page's allowance. */
  readonly take: () => boolean;
  readonly now: () => number;
}

/** New ones are listed once a day. */
const FRESH_MS = 10 * 60_000;
const RETRY_MS = 10_000;

export class ContractShelf {
  /** By underlying. */
  readonly store: StoreApi<ReadonlyMap<string, Listed>> = createStore(() => new Map());
  readonly #options: ContractShelfOptions;
  /** When each is due to be read again. */
  readonly #dueMs = new Map<string, number>();
  #isReading = false;

  constructor(options: ContractShelfOptions) {
    this.#options = options;
  }

  /**
   * Reads the first of these that is missing or old, unless another read is running or the allowance is empty. What
   * fails is tried again after a while. Never rejects.
   */
  async refresh(symbols: readonly string[]): Promise<void> {
    const { read, take, now } = this.#options;
    const due = symbols.find((symbol) => now() >= (this.#dueMs.get(symbol) ?? 0));
    if (due === undefined || this.#isReading || !take()) return;
    this.#isReading = true;
    try {
      const strikes = strikesOf(await read(due));
      const listed = { symbol: due, strikes, expiries: [...strikes.keys()] };
      this.store.setState((known) => new Map(known).set(due, listed), true);
      this.#dueMs.set(due, now() + FRESH_MS);
    } catch {
      this.#dueMs.set(due, now() + RETRY_MS);
    } finally {
      this.#isReading = false;
    }
  }
}
