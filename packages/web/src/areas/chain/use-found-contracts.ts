/** The contracts that a typed text means, of every underlying: those of others are read when they are asked for. */

import { useEffect, useMemo } from 'react';
import { venueNowMs } from '../../market/clock.ts';
import { findContracts, type Listed, symbolsAsked } from '../../market/find-contracts.ts';
import { type Terminal, useStore, useTerminal } from '../../terminal/terminal.ts';
import { ContractShelf } from './core/contract-shelf.ts';

/** Also the pause in typing after which the first is read. */
const READ_EVERY_MS = 250;

export interface FoundContracts {
  readonly contracts: readonly string[];
  /** True until all that is meant has been read. */
  readonly isLooking: boolean;
}

export function useFoundContracts(typed: string): FoundContracts {
  const terminal = useTerminal();
  const { stores } = terminal;
  const shelf = shelfOf(terminal);
  const listing = useStore(stores.listing, (all) => all);
  const read = useStore(shelf.store, (state) => state);
  const { symbol, readSymbol, expiries, strikes, instruments, expiryTs } = listing;
  const others = instruments.map((one) => one.symbol).filter((one) => one !== symbol);
  const names = symbol === null ? others : [symbol, ...others];
  const known = new Map(read);
  if (symbol !== null && symbol === readSymbol) known.set(symbol, { symbol, expiries, strikes });
  const asked = symbolsAsked(typed, names);
  useReads(shelf, asked.filter((one) => one !== symbol).join(' '));
  const listed = names.map((one): Listed => known.get(one) ?? { symbol: one, expiries: [], strikes: NONE });
  return {
    contracts: findContracts(typed, listed, { expiryTs, nowMs: venueNowMs(stores.link) }),
    isLooking: asked.some((one) => !known.has(one)),
  };
}

const NONE: Listed['strikes'] = new Map();

function useReads(shelf: ContractShelf, asked: string): void {
  const symbols = useMemo(() => (asked === '' ? [] : asked.split(' ')), [asked]);
  useEffect(() => {
    if (symbols.length === 0) return undefined;
    const timer = setInterval(() => void shelf.refresh(symbols), READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [shelf, symbols]);
}

/** One for as long as the page. */
let kept: ContractShelf | null = null;

function shelfOf({ client, take }: Pick<Terminal, 'client' | 'take'>): ContractShelf {
  kept ??= new ContractShelf({
    read: (symbol) => client.market.series(symbol),
    take,
    now: () => performance.now(),
  });
  return kept;
}
