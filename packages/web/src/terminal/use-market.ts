/** The parts of the chain React reads: its shape and the spot. The painter handles the numbers. */

import { useCallback, useSyncExternalStore } from 'react';
import type { ChainShape, Leg, Market } from '../market/market.ts';
import type { Touch } from '../market/touch.ts';
import { useStore, useTerminal } from './terminal.ts';

export function useShape(): ChainShape | null {
  const { market } = useTerminal();
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ shaped: onChange }), [market]);
  return useSyncExternalStore(subscribe, () => market.shape);
}

/**
 * The spot of an underlying, which need not be the one on the screen, to four digits: pictures re-render for visible
 * moves, not for every tick. NaN without one.
 */
export function useDrawnSpot(symbol: string | null): number {
  const { stores } = useTerminal();
  const listed = useStore(stores.listing, ({ instruments }) =>
    drawn(instruments.find((instrument) => instrument.symbol === symbol)?.spot ?? Number.NaN),
  );
  const isShown = useStore(stores.listing, (listing) => listing.symbol === symbol);
  const shown = useNumber((market) => drawn(market.spot));
  return isShown && !Number.isNaN(shown) ? shown : listed;
}

function drawn(spot: number): number {
  return Number(spot.toPrecision(4));
}

/** The spot on which the screen is centred; NaN before there is one. */
export function useCentre(): number {
  return useNumber((market) => market.centre);
}

/** The touch of one contract, for the ticket: re-renders only when it moves. NaN without a quote. */
export function useTouch(leg: Leg | null): Touch {
  const read = (column: keyof Touch) => (market: Market) =>
    leg === null ? Number.NaN : market.value(leg, column);
  const bid = useNumber(read('bid'));
  const ask = useNumber(read('ask'));
  const mark = useNumber(read('mark'));
  return { bid, ask, mark };
}

/** Delta and implied volatility of one contract, NaN or 0 where it has none; re-renders only when they move. */
export function useLegFigures(leg: Leg | null): { readonly delta: number; readonly iv: number } {
  const read = (column: 'delta' | 'iv') => (market: Market) =>
    leg === null ? Number.NaN : market.value(leg, column);
  return { delta: useNumber(read('delta')), iv: useNumber(read('iv')) };
}

/** A number of the market; re-renders when it changes. */
function useNumber(read: (market: Market) => number): number {
  const { market } = useTerminal();
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ numbered: onChange }), [market]);
  return useSyncExternalStore(subscribe, () => read(market));
}
