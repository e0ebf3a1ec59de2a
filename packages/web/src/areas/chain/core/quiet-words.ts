/** The banner over a chain with few or no quotes: why it is empty, and what can still be done. */

export interface Quotes {
  readonly symbol: string;
  /** `28 Nov` */
  readonly expiry: string;
  /** Contracts of the expiry, and how many have a bid or an ask. */
  readonly contracts: number;
  readonly quoted: number;
  /** True when a source printed a price of the underlying within the last minute. */
  readonly isFeedFresh: boolean;
}

/** Up to this share of quoted contracts there is no market maker, only individual quotes. */
const FEW_SHARE = 0.05;

/** Null where there is a market. */
export function quietWords(quotes: Quotes): { readonly title: string; readonly text: string } | null {
  const { symbol, expiry, contracts, quoted, isFeedFresh } = quotes;
  if (contracts === 0 || quoted > contracts * FEW_SHARE) return null;
  const title =
    quoted === 0
      ? `No quotes for ${symbol} ${expiry} right now.`
      : `Of ${symbol} ${expiry} only ${quoted} of ${contracts} contracts ${quoted === 1 ? 'is' : 'are'} quoted now.`;
  const why = isFeedFresh
    ? 'No market maker is active.'
    : `No source has printed a ${symbol} price for a minute, and market makers pull their quotes without one.`;
  return {
    title,
    text: `${why} A contract without quotes has no mark and shows –. You can still place a limit order.`,
  };
}
