/** The expiry that the page opens by itself: the nearest, unless its makers have left it to settle (TERM-22). */

import type { Chain } from '@venue/protocol';
import { settlementWindow } from '../basics/dates.ts';

export class FirstQuoted {
  /** The expiry that the page has opened by itself, until its quotes have been seen or a person has chosen. */
  #openedTs: number | null = null;

  /** The page has opened this expiry (Unix seconds). */
  begin(expiryTs: number | null): void {
    this.#openedTs = expiryTs;
  }

  /** A person has chosen an expiry, this one or another. */
  end(): void {
    this.#openedTs = null;
  }

  /** The expiry to open instead of this chain's, which has come; null if the chain stays. */
  instead(chain: Chain, expiries: readonly number[], nowMs: number): number | null {
    const isOpened = chain.expiryTs === this.#openedTs;
    if (isOpened) this.#openedTs = null;
    if (!isOpened || !settlementWindow(chain.expiryTs, nowMs).isOpen || isQuoted(chain)) return null;
    return expiries.find((expiryTs) => expiryTs > chain.expiryTs) ?? null;
  }
}

/** Orders that rest since before the makers left have one side: a quoted contract has both. */
function isQuoted({ rows }: Chain): boolean {
  return rows.some(({ call, put }) => [call, put].some((leg) => leg?.bid != null && leg.ask != null));
}
