/** What React may know of the chain: its shape and the spot. The numbers are the painter's. */

import { useCallback, useSyncExternalStore } from 'react';
import type { ChainShape, Leg } from '../core/market.ts';
import { useTerminal } from './terminal.ts';

export function useShape(): ChainShape | null {
  const { market } = useTerminal();
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ shaped: onChange }), [market]);
  return useSyncExternalStore(subscribe, () => market.shape);
}

/** NaN while there is none. */
export function useSpot(): number {
  const { market } = useTerminal();
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ numbered: onChange }), [market]);
  return useSyncExternalStore(subscribe, () => market.spot);
}

/** The spot that the screen is centred on; NaN before there is one. */
export function useCentre(): number {
  const { market } = useTerminal();
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ numbered: onChange }), [market]);
  return useSyncExternalStore(subscribe, () => market.centre);
}

/** The touch of one contract, for the ticket: drawn again only when it moves. NaN where nobody quotes. */
export function useTouch(leg: Leg | null): {
  readonly bid: number;
  readonly ask: number;
  readonly mark: number;
} {
  const { market } = useTerminal();
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ numbered: onChange }), [market]);
  const read = (column: 'bid' | 'ask' | 'mark') => () =>
    leg === null ? Number.NaN : market.value(leg, column);
  const bid = useSyncExternalStore(subscribe, read('bid'));
  const ask = useSyncExternalStore(subscribe, read('ask'));
  const mark = useSyncExternalStore(subscribe, read('mark'));
  return { bid, ask, mark };
}
