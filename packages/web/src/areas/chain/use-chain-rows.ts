/** The rows of the chain on the screen: those around the money, or all of them once requested. */

import { useMemo, useState } from 'react';
import type { StrikeRow } from '../../market/market.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useCentre, useShape } from '../../terminal/use-market.ts';
import { strikeWindow } from './core/strike-window.ts';

/** Up to this many strikes outside the window are shown without a button. */
const FEW_MORE = 4;
const UNKNOWN_ROWS = 20;

/** The strike is null before any is known. */
export type ShownRow = Pick<StrikeRow, 'call' | 'put'> & { readonly strike: number | null };

export interface ChainRows {
  readonly rows: readonly ShownRow[];
  /** Number of strikes listed, and of those not among the rows. */
  readonly count: number;
  readonly hidden: number;
  readonly showAll: () => void;
}

/** Until the chain has come, its rows are the listed strikes, without contracts. */
export function useChainRows(): ChainRows {
  const { stores } = useTerminal();
  const shape = useShape();
  const expiry = useStore(stores.listing, ({ symbol, expiryTs }) => `${symbol} ${expiryTs}`);
  const [allOf, setAllOf] = useState('');
  const listed = useListedRows();
  const all = shape?.rows ?? listed;
  const centre = useRowsCentre();
  const [from, to] = strikeWindow(
    all.map(({ strike }) => strike ?? 0),
    centre,
  );
  const outside = all.length - (to - from);
  const isAll = allOf === expiry || outside <= FEW_MORE;
  const rows = useMemo(() => (isAll ? all : all.slice(from, to)), [all, isAll, from, to]);
  return { rows, count: all.length, hidden: isAll ? 0 : outside, showAll: () => setAllOf(expiry) };
}

function useListedRows(): readonly ShownRow[] {
  const { stores } = useTerminal();
  const strikes = useStore(stores.listing, (listing) => listing.strikes.get(listing.expiryTs ?? 0));
  return useMemo(() => {
    const known = strikes ?? Array.from({ length: UNKNOWN_ROWS }, () => null);
    return known.map((strike) => ({ strike, call: null, put: null }));
  }, [strikes]);
}

/** The price around which rows are shown: the chain's centre, or the listed spot while the chain loads. NaN if unknown. */
function useRowsCentre(): number {
  const { stores } = useTerminal();
  const isLoading = useShape() === null;
  const centre = useCentre();
  const spot = useStore(stores.listing, ({ instruments, symbol }) =>
    isLoading ? instruments.find((one) => one.symbol === symbol)?.spot : undefined,
  );
  return isLoading ? spot || Number.NaN : centre;
}
