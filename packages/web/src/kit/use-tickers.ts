/** Greeks of all series of some underlyings, followed while a component shows them. */

import { parseSeriesId } from '@venue/protocol';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type LegGreeks, LiveTickers } from '../core/chain/tickers.ts';
import { venueNowMs } from '../core/clock.ts';
import { useTerminal } from './terminal.ts';

export type GreeksOf = (seriesId: string) => LegGreeks | null;

const NONE: GreeksOf = () => null;

/** Null for a series whose channel has not come. Re-renders with every message, of which the venue sends one a second. */
export function useGreeks(symbols: readonly string[]): GreeksOf {
  const { channels, stores } = useTerminal();
  const [greeksOf, setGreeksOf] = useState({ of: NONE });
  const isShown = useIsShown();
  const wanted = isShown ? [...new Set(symbols)].sort().join(' ') : '';
  useEffect(() => {
    const all = new Map(
      wanted
        .split(' ')
        .filter((symbol) => symbol !== '')
        .map((symbol) => [symbol, new LiveTickers()]),
    );
    const of: GreeksOf = (seriesId) => {
      const tickers = all.get(parseSeriesId(seriesId)?.symbol ?? '');
      return tickers?.greeksOf(seriesId, venueNowMs(stores.link)) ?? null;
    };
    const ends = [...all].map(([symbol, tickers]) =>
      channels.listen(`ticker:${symbol}`, {
        onMessage(message) {
          tickers.take(message);
          // Another function each time, as it says something else.
          setGreeksOf({ of: (seriesId) => of(seriesId) });
        },
      }),
    );
    return () => {
      for (const end of ends) end();
    };
  }, [channels, stores, wanted]);
  return greeksOf.of;
}

/** False while nobody looks at the tab. */
function useIsShown(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      document.addEventListener('visibilitychange', onChange);
      return () => document.removeEventListener('visibilitychange', onChange);
    },
    () => document.visibilityState === 'visible',
  );
}
