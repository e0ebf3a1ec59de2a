/** The expiry that the page opens by itself: the first one that somebody quotes. */

import type { Chain } from '@venue/protocol';
import { settlementWindow } from '../dates.ts';

export class FirstQuoted {
  /** What the page has opened by itself, until its quotes have been seen or a person has chosen. */
  #openedTs: number | null = null;
  /** The first that had any quote, on the way. */
  #halfQuotedTs: number | null = null;

  /** Looks for quotes from this expiry (Unix seconds) on. */
  begin(expiryTs: number | null): void {
    this.#openedTs = expiryTs;
    this.#halfQuotedTs = null;
  }

  /** A person has chosen an expiry. */
  end(): void {
    this.#openedTs = null;
  }

  /**
   * The expiry to open instead of this chain's, which has come: the next one until a contract has a bid and an ask, and in
   * the end the first with any quote, or without one the first that is not about to settle. Null if the chain stays.
   */
  instead(chain: Chain, expiries: readonly number[], nowMs: number): number | null {
    if (chain.expiryTs !== this.#openedTs) return null;
    this.#openedTs = null;
    const sides = sidesOf(chain);
    if (sides === 2) return null;
    if (sides === 1) this.#halfQuotedTs ??= chain.expiryTs;
    const next = expiries.find((expiryTs) => expiryTs > chain.expiryTs);
    if (next !== undefined) {
      this.#openedTs = next;
      return next;
    }
    const calm = expiries.find((expiryTs) => !settlementWindow(expiryTs, nowMs).isOpen) ?? expiries[0]!;
    const last = this.#halfQuotedTs ?? calm;
    return last === chain.expiryTs ? null : last;
  }
}

/** The most sides that one contract has: what rests since before the makers left is alone. */
function sidesOf({ rows }: Chain): number {
  const legs = rows.flatMap(({ call, put }) => [call, put]);
  return Math.max(0, ...legs.map((leg) => [leg?.bid, leg?.ask].filter((level) => level != null).length));
}
