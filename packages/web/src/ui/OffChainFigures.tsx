/** Delta and volatility of the ticket's contract while its expiry is not the one on the chain. */

import { parseSeriesId } from '@venue/protocol';
import type { ReactNode } from 'react';
import { useGreeks } from '../kit/use-tickers.ts';
import { TicketFigures } from './TicketFigures.tsx';

export function OffChainFigures({ seriesId }: { readonly seriesId: string }): ReactNode {
  const symbol = parseSeriesId(seriesId)?.symbol;
  const greeks = useGreeks(symbol === undefined ? [] : [symbol])(seriesId);
  return <TicketFigures delta={greeks?.delta ?? Number.NaN} iv={greeks?.iv ?? Number.NaN} />;
}
