/** The market as the whole crowd sees it, read once for all traders. */

import type { Chain, Instrument } from '@venue/protocol';
import type { VenueClient } from '@venue/sdk';
import type { Random } from './random.ts';

/** How often the spots are read. */
const SPOTS_EVERY_MS = 2_000;
const EXPIRIES_EVERY_MS = 60_000;
/** The time over which a move of the spot is felt. */
const MOVE_MS = 60_000;
/** An expiry this close is left alone: nobody new comes to it. */
const CLOSE_MS = 2 * 3_600_000;
/** People trade the next few expiries, the nearest most. */
const NEAREST_SHARE = 0.45;

interface Seen {
  readonly atMs: number;
  readonly spot: number;
}

export class Market {
  readonly #client: VenueClient;
  readonly #expiries = new Map<string, { readonly atMs: number; readonly list: readonly number[] }>();
  readonly #spots = new Map<string, Seen[]>();
  #instruments: readonly Instrument[] = [];
  #readAtMs = 0;

  constructor(client: VenueClient) {
    this.#client = client;
  }

  /** Reads the spots, if the last ones are old. */
  async look(nowMs: number): Promise<void> {
    if (nowMs - this.#readAtMs < SPOTS_EVERY_MS) return;
    this.#instruments = (await this.#client.market.meta()).instruments;
    this.#readAtMs = nowMs;
    for (const { symbol, spot, feedFresh } of this.#instruments) {
      if (!feedFresh || spot <= 0) continue;
      const seen = (this.#spots.get(symbol) ?? []).filter(({ atMs }) => nowMs - atMs <= MOVE_MS);
      this.#spots.set(symbol, [...seen, { atMs: nowMs, spot }]);
    }
  }

  /** The symbols with fresh prices. */
  get symbols(): readonly string[] {
    return this.#instruments.filter(({ feedFresh }) => feedFresh).map(({ symbol }) => symbol);
  }

  /** Change of the spot since about a minute ago, as a share; 0 while that is not known. */
  moveOf(symbol: string): number {
    const seen = this.#spots.get(symbol) ?? [];
    const [first, last] = [seen[0], seen.at(-1)];
    return first === undefined || last === undefined ? 0 : last.spot / first.spot - 1;
  }

  /** The symbol that moved most. */
  get liveliest(): { readonly symbol: string; readonly move: number } | null {
    const moves = this.symbols.map((symbol) => ({ symbol, move: this.moveOf(symbol) }));
    return moves.toSorted((a, b) => Math.abs(b.move) - Math.abs(a.move))[0] ?? null;
  }

  chain(symbol: string, expiryTs: number): Promise<Chain> {
    return this.#client.market.chain(symbol, expiryTs);
  }

  /** One of the next expiries, or null while nothing is listed. */
  async expiry(symbol: string, random: Random, nowMs: number): Promise<number | null> {
    const known = this.#expiries.get(symbol);
    const list =
      known !== undefined && nowMs - known.atMs < EXPIRIES_EVERY_MS
        ? known.list
        : await this.#readExpiries(symbol, nowMs);
    for (const expiryTs of list) if (random.chance(NEAREST_SHARE)) return expiryTs;
    return list[0] ?? null;
  }

  async #readExpiries(symbol: string, nowMs: number): Promise<readonly number[]> {
    const cutoffs = new Map(
      (await this.#client.market.series(symbol)).map(({ expiryTs, expiryCutoffMs }) => [
        expiryTs,
        expiryCutoffMs,
      ]),
    );
    const list = [...cutoffs]
      .filter(([, cutoffMs]) => cutoffMs - nowMs > CLOSE_MS)
      .map(([expiryTs]) => expiryTs)
      .sort((a, b) => a - b);
    this.#expiries.set(symbol, { atMs: nowMs, list });
    return list;
  }
}
