/** Passes on every trade of a channel, once and in order, whatever its connections lose (STR-4, HIS-1). */

import type { Trade } from '@venue/protocol';

export interface TradesReader {
  readonly pass: (trade: Trade) => void;
  /** Trades above one id and, unless that is null, below another, from the history of the venue; oldest first. */
  readonly missed: (after: number, before: number | null) => Promise<readonly Trade[]>;
  /** The history cannot be read, so that trades may be missing. */
  readonly onGap: (reason: Error) => void;
}

export class TradesInOrder {
  readonly #reader: TradesReader;
  #last: number | null;
  #turn = Promise.resolve();

  /** Continues after a trade; with null, from the first message on. */
  constructor(after: number | null, reader: TradesReader) {
    this.#last = after;
    this.#reader = reader;
  }

  /** Takes in the trades of a message. Those of later messages wait until the missing ones are there. */
  take(trades: readonly Trade[], isSnapshot: boolean): void {
    this.#turn = this.#turn.then(async () => {
      if (isSnapshot) await this.#fill(trades);
      this.#passAll(trades);
    });
  }

  /** A snapshot that reaches back to the last trade misses nothing. */
  async #fill(snapshot: readonly Trade[]): Promise<void> {
    const last = this.#last;
    if (last === null || snapshot.some(({ id }) => id <= last)) return;
    try {
      this.#passAll(await this.#reader.missed(last, snapshot[0]?.id ?? null));
    } catch (error) {
      this.#reader.onGap(error as Error);
    }
  }

  #passAll(trades: readonly Trade[]): void {
    for (const trade of trades) {
      if (trade.id <= (this.#last ?? 0)) continue;
      this.#last = trade.id;
      this.#reader.pass(trade);
    }
  }
}
