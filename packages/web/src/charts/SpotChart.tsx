/** The underlying's price, from the venue's history on. */

import { type ReactNode, useState } from 'react';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { useCandles } from '../kit/use-candles.ts';
import { Nothing } from './Figure.tsx';
import { CandleHistory, Frames, rememberedInterval } from './History.tsx';

export function SpotChart(): ReactNode {
  const { stores } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const [interval, setInterval] = useState(rememberedInterval);
  const shown = useCandles(symbol === null ? null : `spot:${symbol}`, interval);
  if (symbol === null) return <Nothing>No underlying is chosen yet.</Nothing>;
  return (
    <CandleHistory
      {...shown}
      interval={interval}
      title={`${symbol}, price in $`}
      nothing={`No price of ${symbol} yet: its history begins with the first.`}
      legend={<Frames chosen={interval} onChoose={setInterval} />}
      source="The venue's prices."
    />
  );
}
