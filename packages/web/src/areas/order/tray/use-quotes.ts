/** The books of some legs: re-renders when one of these prices moves. */

import { parseSeriesId } from '@venue/protocol';
import type { SpreadLeg } from '@venue/sdk/spreads';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useTerminal } from '../../../terminal/terminal.ts';
import { useChains } from '../../../terminal/use-data.ts';
import type { LegQuote, QuoteOf } from '../core/tray/net.ts';
import { quoteIn } from '../core/tray/open-desk.ts';

/** Chains of other expiries than the one on the screen are read as the allowance permits. */
export function useQuotes(legs: readonly SpreadLeg[]): QuoteOf {
  const { market, chains } = useTerminal();
  const terms = legs.map(({ seriesId }) => parseSeriesId(seriesId)!);
  const symbol = terms[0]?.symbol ?? null;
  const chainOf = useChains(symbol, [...new Set(terms.map(({ expiryTs }) => expiryTs))]);
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ numbered: onChange }), [market]);
  const read = () => {
    const shown = legs.map(({ seriesId }) => quoteIn((of, at) => chains.get(of, at), seriesId));
    return shown.map((quote) => (quote === null ? 'none' : Object.values(quote).join(' '))).join(',');
  };
  const content = useSyncExternalStore(subscribe, read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content stands for the chains, which are not copied
  return useMemo<QuoteOf>(() => {
    const quotes = new Map<string, LegQuote | null>(
      legs.map(({ seriesId }) => [seriesId, quoteIn((_, at) => chainOf(at), seriesId)]),
    );
    return (seriesId) => quotes.get(seriesId) ?? null;
  }, [legs, chainOf, content]);
}
