/** The expiry that the page opens by itself: the first one that somebody quotes. */

import type { Chain } from '@venue/protocol';
import { settlementWindow } from '../dates.ts';

export class FirstQuoted {
  /** What the page has opened by itself, until its quotes have been seen or a person has chosen. */
  #openedTs: number | null = null;

  /** Looks for quotes from this expiry (Unix seconds) on. */
  begin(expiryTs: number | null): void {
    this.#openedTs = expiryTs;
  }

  /** A person has chosen an expiry. */
  end(): void {
    this.#openedTs = null;
  }

  /**
   * The expiry to open instead of this chain's, which has come: the next one as long as none is quoted, and in the end the
   * first that is not about to settle. Null if the chain stays.
   */
  instead(chain: Chain, expiries: readonly number[], nowMs: number): number | null {
    if (chain.expiryTs !== this.#openedTs) return null;
    this.#openedTs = null;
    if (isQuoted(chain)) return null;
    const next = expiries.find((expiryTs) => expiryTs > chain.expiryTs);
    if (next !== undefined) {
      this.#openedTs = next;
      return next;
    }
    const calm = expiries.find((expiryTs) => !settlementWindow(expiryTs, nowMs).isOpen) ?? expiries[0]!;
    return calm === chain.expiryTs ? null : calm;
  }
}

/** What rests since before the makers left has one side: a quoted contract has both. */
function isQuoted({ rows }: Chain): boolean {
  return rows.some(({ call, put }) => [call, put].some((leg) => leg?.bid != null && leg.ask != null));
}
