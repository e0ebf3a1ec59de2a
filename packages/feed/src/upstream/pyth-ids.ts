/** Finds the Pyth price feeds of a symbol. */

import type { Hermes } from './hermes.ts';

export interface FeedIdOptions {
  readonly symbols: readonly string[];
  /** Ids given by the operator. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly log: (line: string) => void;
}

/**
 * An underlying has one feed per session of its market: regular, before it, after it, overnight. Only the feed of the
 * current session publishes, so together they form one price.
 */
const SESSIONS = ['', '.PRE', '.POST', '.ON'];

/** The operator's ids, and the rest looked up once. */
export class FeedIds {
  readonly #client: Pick<Hermes, 'feeds'>;
  readonly #options: FeedIdOptions;
  readonly #found = new Map<string, readonly string[]>();

  constructor(client: Pick<Hermes, 'feeds'>, options: FeedIdOptions) {
    this.#client = client;
    this.#options = options;
  }

  /**
   * The symbol of every id, in lower case without 0x. Asks Hermes for unknown ones, so a symbol it lacked is looked
   * up again with the next connection; throws if Hermes does not answer.
   */
  async load(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const symbolOf = new Map<string, string>();
    for (const symbol of this.#options.symbols) {
      const ids = this.#options.ids.get(symbol) ?? (await this.#lookUp(symbol, signal));
      for (const id of ids) symbolOf.set(id, symbol);
    }
    return symbolOf;
  }

  async #lookUp(symbol: string, signal: AbortSignal): Promise<readonly string[]> {
    const known = this.#found.get(symbol);
    if (known !== undefined && known.length > 0) return known;
    const feeds = await this.#client.feeds(symbol, signal);
    const wanted = new Set(SESSIONS.map((session) => `Equity.US.${symbol}/USD${session}`));
    const matches = feeds.filter(({ name }) => wanted.has(name));
    const ids = matches.map(({ id }) => id.replace(/^0x/, '').toLowerCase());
    const names = matches.map(({ name }) => name).join(', ');
    if (ids.length > 0) this.#options.log(`pyth: ${symbol} is ${names}`);
    else if (known === undefined)
      this.#options.log(`pyth: no feed Equity.US.${symbol}/USD; name its id in VENUE_PYTH_IDS`);
    this.#found.set(symbol, ids);
    return ids;
  }
}
