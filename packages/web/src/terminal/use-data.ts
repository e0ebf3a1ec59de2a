/** The contract that charts show, and the chains of expiries that are not on the screen. */

import type { Chain } from '@venue/protocol';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Market } from '../market/market.ts';
import { useStore, useTerminal } from './terminal.ts';
import { useShape } from './use-market.ts';

const CHAINS_EVERY_MS = 400;

/** The contract shown in the charts: the one that a ticket had last, else the previous one, at first the at-the-money call. */
export function useContract(): string | null {
  const { stores, market } = useTerminal();
  const shape = useShape();
  const lookedAt = useStore(stores.view, ({ contract }) => contract);
  const [last, setLast] = useState<string | null>(null);
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ numbered: onChange }), [market]);
  const atTheMoney = useSyncExternalStore(subscribe, () => nearestCall(market));
  const isThere = last !== null && shape?.legs.some(({ seriesId }) => seriesId === last);
  const chosen = lookedAt ?? (isThere ? last : atTheMoney);
  if (chosen !== last && chosen !== null) setLast(chosen);
  return chosen;
}

function nearestCall({ shape, spot }: Market): string | null {
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const { strike, call } of shape?.rows ?? []) {
    const away = Math.abs(strike - spot);
    if (call !== null && away < least) [nearest, least] = [call.seriesId, away];
  }
  return nearest;
}

/** Chains of several expiries, refreshed as the allowance permits. Returns a count that grows with each read. */
export function useChains(
  symbol: string | null,
  expiries: readonly number[],
): (expiryTs: number) => Chain | null {
  const { chains } = useTerminal();
  const [, setVersion] = useState(0);
  const wanted = expiries.join(' ');
  useEffect(() => {
    let isGone = false;
    const list = wanted === '' ? [] : wanted.split(' ').map(Number);
    const poll = async () => {
      if (symbol === null || document.visibilityState !== 'visible') return;
      if ((await chains.refresh(symbol, list)) && !isGone) setVersion((version) => version + 1);
    };
    void poll();
    const timer = setInterval(() => void poll(), CHAINS_EVERY_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [chains, symbol, wanted]);
  return useCallback((expiryTs) => (symbol === null ? null : chains.get(symbol, expiryTs)), [chains, symbol]);
}
