/** Data for the charts: read rarely, only while they are visible, and within the allowance. */

import { type Book, type Chain, parseSeriesId, type TapePrint } from '@venue/protocol';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { type PricePoint, tradesOf } from '../core/chain/history.ts';
import type { Market } from '../core/chain/market.ts';
import { useStore, useTerminal } from './terminal.ts';
import { useShape } from './use-market.ts';

const DRAW_EVERY_MS = 1_000;
const BOOK_EVERY_MS = 1_000;
const TAPE_EVERY_MS = 5_000;
const CHAINS_EVERY_MS = 400;

/** Re-renders when the history grows, at most once a second. */
export function useHistories(): void {
  const { histories } = useTerminal();
  const [, setVersion] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const draw = () => {
      timer = null;
      setVersion((version) => version + 1);
    };
    const end = histories.subscribe(() => {
      timer ??= setTimeout(draw, DRAW_EVERY_MS);
    });
    return () => {
      end();
      if (timer !== null) clearTimeout(timer);
    };
  }, [histories]);
}

/** The contract shown in the charts: the ticket's, else the previous one, at first the at-the-money call. */
export function useContract(): string | null {
  const { stores, market } = useTerminal();
  const shape = useShape();
  const ofTicket = useStore(stores.ticket, ({ seriesId }) => seriesId);
  const [last, setLast] = useState<string | null>(null);
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ numbered: onChange }), [market]);
  const atTheMoney = useSyncExternalStore(subscribe, () => nearestCall(market));
  const isThere = last !== null && shape?.legs.some(({ seriesId }) => seriesId === last);
  const chosen = ofTicket ?? (isThere ? last : atTheMoney);
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

/** Polls `read` while the page is visible and the allowance permits. */
function usePolls(everyMs: number, read: (isGone: () => boolean) => Promise<unknown>): void {
  const { take } = useTerminal();
  useEffect(() => {
    let isGone = false;
    let isReading = false;
    const poll = async () => {
      if (isReading || document.visibilityState !== 'visible' || !take()) return;
      isReading = true;
      // The header reports a lost venue; a chart keeps what it has.
      await read(() => isGone).catch(() => undefined);
      isReading = false;
    };
    void poll();
    const timer = setInterval(() => void poll(), everyMs);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [take, everyMs, read]);
}

/** The book of a contract; null until it is read. */
export function useBook(seriesId: string | null): Book | null {
  const { client } = useTerminal();
  const [book, setBook] = useState<Book | null>(null);
  const read = useCallback(
    async (isGone: () => boolean) => {
      if (seriesId === null) return;
      const next = await client.market.book(seriesId);
      if (!isGone()) setBook(next);
    },
    [client, seriesId],
  );
  usePolls(BOOK_EVERY_MS, read);
  return book?.seriesId === seriesId ? book : null;
}

/** Trades of a contract: those on its underlying's tape, and earlier ones the page has seen there. */
export function useTrades(seriesId: string | null): readonly PricePoint[] {
  const { client } = useTerminal();
  const [trades, setTrades] = useState<{ seriesId: string | null; points: PricePoint[] }>({
    seriesId,
    points: [],
  });
  const read = useCallback(
    async (isGone: () => boolean) => {
      const symbol = seriesId === null ? undefined : parseSeriesId(seriesId)?.symbol;
      if (seriesId === null || symbol === undefined) return;
      const { fills } = await client.market.tape(symbol);
      if (!isGone()) setTrades((known) => ({ seriesId, points: merged(seriesId, fills, known) }));
    },
    [client, seriesId],
  );
  usePolls(TAPE_EVERY_MS, read);
  return trades.seriesId === seriesId ? trades.points : NO_TRADES;
}

const NO_TRADES: readonly PricePoint[] = [];

function merged(
  seriesId: string,
  tape: readonly TapePrint[],
  known: { readonly seriesId: string | null; readonly points: readonly PricePoint[] },
): PricePoint[] {
  return tradesOf(seriesId, tape, known.seriesId === seriesId ? known.points : NO_TRADES);
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
