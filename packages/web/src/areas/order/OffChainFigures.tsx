/** Delta and volatility of the ticket's contract while its expiry is not the one on the chain. */

import { type ReactNode, useMemo } from 'react';
import { useGreeks } from '../../terminal/use-greeks.ts';
import { TicketFigures } from './TicketFigures.tsx';

interface OffChainFiguresProps {
  readonly seriesId: string;
  /** NaN while there is none. */
  readonly mark: number;
}

export function OffChainFigures({ seriesId, mark }: OffChainFiguresProps): ReactNode {
  const marks = useMemo(() => new Map([[seriesId, mark]]), [seriesId, mark]);
  const greeks = useGreeks(marks)(seriesId);
  return <TicketFigures delta={greeks?.delta ?? Number.NaN} iv={greeks?.iv ?? Number.NaN} />;
}
