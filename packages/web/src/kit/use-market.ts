/** What React may know of the chain: its shape and the spot. The numbers are the painter's. */

import { useCallback, useSyncExternalStore } from 'react';
import type { ChainShape, Leg, Market } from '../core/chain/market.ts';
import type { Touch } from '../core/stores.ts';
import { useTerminal } from './terminal.ts';

export function useShape(): ChainShape | null {
  const { market } = useTerminal();
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ shaped: onChange }), [market]);
  return useSyncExternalStore(subscribe, () => market.shape);
}

/** The spot to four digits, for pictures: drawn anew for a move that can be seen, not for every tick. NaN without one. */
export function useDrawnSpot(): number {
  return useNumber((market) => Number(market.spot.toPrecision(4)));
}

/** The spot that the screen is centred on; NaN before there is one. */
export function useCentre(): number {
  return useNumber((market) => market.centre);
}

/** The touch of one contract, for the ticket: drawn again only when it moves. NaN where nobody quotes. */
export function useTouch(leg: Leg | null): Touch {
  const read = (column: keyof Touch) => (market: Market) =>
    leg === null ? Number.NaN : market.value(leg, column);
  const bid = useNumber(read('bid'));
  const ask = useNumber(read('ask'));
  const mark = useNumber(read('mark'));
  return { bid, ask, mark };
}

/** A number of the market, drawn again when it is another. */
function useNumber(read: (market: Market) => number): number {
  const { market } = useTerminal();
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ numbered: onChange }), [market]);
  return useSyncExternalStore(subscribe, () => read(market));
}
