/** Words over a chain that hardly anybody quotes: why it is empty, and what can still be done. */

export interface Quotes {
  readonly symbol: string;
  /** `28 Nov` */
  readonly expiry: string;
  /** Contracts of the expiry, and how many of them somebody bids for or offers. */
  readonly contracts: number;
  readonly quoted: number;
  /** Whether a source printed a price of the underlying within the last minute. */
  readonly isFeedFresh: boolean;
}

/** Up to this share of the contracts the quotes are those of a passer-by, not of a market maker. */
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
