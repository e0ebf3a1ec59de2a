/** Follows the greeks of the chain on the screen, and shows nothing itself. */

import { useEffect } from 'react';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { useShape } from '../kit/use-market.ts';
import { useGreeks } from '../kit/use-tickers.ts';

export function ChainGreeks(): null {
  const { market, stores } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const shape = useShape();
  const greeksOf = useGreeks(symbol === null ? [] : [symbol]);
  useEffect(() => {
    if (shape !== null) market.applyGreeks(greeksOf);
  }, [market, shape, greeksOf]);
  return null;
}
