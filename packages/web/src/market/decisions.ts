/** The settlement prices of expiries of all underlyings, and the expiries that await review, as the channel says. */

import type { RefusedExpiry, Settlement, SettlementList, SettlementsMembers } from '@venue/protocol';
import type { ChannelMessage } from '@venue/sdk/browser';

type Decided = Pick<Settlement, 'symbol' | 'expiryTs'>;

/** Names an expiry of an underlying. */
export function expiryKey({ symbol, expiryTs }: Decided): string {
  return `${symbol} ${expiryTs}`;
}

export class Decisions {
  readonly #settled = new Map<string, Settlement>();
  readonly #refused = new Map<string, RefusedExpiry>();

  /** Takes the next message in order. A settlement takes the place of its expiry's refusal. */
  take(message: Pick<ChannelMessage, 'type'> & SettlementsMembers): void {
    const { type, settlements = [], refused = [] } = message;
    if (type === 'snapshot') {
      this.#settled.clear();
      this.#refused.clear();
    }
    for (const one of refused) this.#refused.set(expiryKey(one), one);
    for (const one of settlements) {
      this.#settled.set(expiryKey(one), one);
      this.#refused.delete(expiryKey(one));
    }
  }

  /** Those of an underlying, newest first. */
  of(symbol: string): SettlementList {
    const isOf = (one: Decided) => one.symbol === symbol;
    return {
      settlements: [...this.#settled.values()].filter(isOf).reverse(),
      refused: [...this.#refused.values()].filter(isOf).reverse(),
    };
  }

  /** The expiries that wait for review, by `expiryKey`. */
  get inReview(): ReadonlySet<string> {
    return new Set(this.#refused.keys());
  }
}
