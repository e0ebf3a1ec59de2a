/** Orders that have left the book, the newest close first and page by page, each with the cause in words (CID-2). */

import type { FillRecord, OrderRecord } from '@venue/protocol';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { messageOf } from '../../basics/failure-words.ts';
import {
  formatPnl,
  formatSize,
  limitDecimals,
  priceDecimals,
  sizeDecimals,
  UNKNOWN,
} from '../../basics/numbers.ts';
import { momentLabel } from '../../basics/time-label.ts';
import { NameButton } from '../../kit/NameButton.tsx';
import { type RowColumn, Rows } from '../../kit/Rows.tsx';
import { Fault } from '../../kit/SignIn.tsx';
import { pnlClass } from '../../kit/tones.ts';
import { seriesLabel } from '../../market/series-label.ts';
import { type Realised, realisedOf, tradedOf } from '../../session/realised.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { closeWords, contractWords, limitOf, priceWords, sideOf, termsWords } from './core/close-words.ts';
import {
  type ClosedOrders,
  NO_PAGES,
  newestCloseFirst,
  withNewest,
  withOlder,
  withoutPagesOf,
} from './core/order-pages.ts';

export function Closed(): ReactNode {
  const { closed, fault, isReading, readOlder } = useClosed();
  const { before, completeFrom } = closed;
  const orders = useMemo(() => closed.orders && newestCloseFirst(closed.orders), [closed.orders]);
  const realised = useRealised(orders);
  if (orders === null)
    return fault === null ? <p className="muted">Reading your orders…</p> : <Fault text={fault} />;
  return (
    <>
      {orders.length === 0 ? (
        <p className="muted">No closed orders yet. Filled, cancelled and expired orders appear here.</p>
      ) : (
        <Rows
          label="Closed orders"
          items={orders}
          keyOf={({ id }) => id}
          columns={columnsOf(orders, realised)}
        />
      )}
      {before !== null && (
        <p className="acts">
          <button type="button" disabled={isReading} onClick={readOlder}>
            {isReading ? 'Reading…' : 'Orders placed earlier'}
          </button>
        </p>
      )}
      {before === null && completeFrom !== null && (
        <p className="muted">
          Orders from before {momentLabel(completeFrom)} are not in the venue's history.
        </p>
      )}
      <Fault text={fault} />
    </>
  );
}

/** Some orders close without a trace in account or fills. */
const EVERY_MS = 5_000;

function useClosed() {
  const { closedOrders, take } = useTerminal();
  const [closed, setClosed] = useState<ClosedOrders>(NO_PAGES);
  const [isReading, setIsReading] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const read = useCallback(
    async (before: number | null) => {
      try {
        const page = await closedOrders(before);
        setClosed((known) => (before === null ? withNewest(known, page) : withOlder(known, page)));
        setFault(null);
      } catch (error) {
        setFault(messageOf(error));
      }
    },
    [closedOrders],
  );
  useNewlyClosed(useCallback((ids) => setClosed((known) => withoutPagesOf(known, ids)), []));
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && take()) void read(null);
    };
    void read(null);
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [read, take]);
  const readOlder = async () => {
    setIsReading(true);
    await read(closed.before);
    setIsReading(false);
  };
  return { closed, fault, isReading, readOlder: () => void readOlder() };
}

/** Reports the ids of orders that rested a moment ago and do no more. */
function useNewlyClosed(onClosed: (ids: readonly number[]) => void): void {
  const { stores } = useTerminal();
  const open = useStore(stores.holdings, ({ account }) => account?.openOrders ?? null);
  const before = useRef(open);
  useEffect(() => {
    const left = new Set(open?.map(({ id }) => id));
    const gone = before.current?.filter(({ id }) => !left.has(id)).map(({ id }) => id) ?? [];
    before.current = open;
    if (gone.length > 0) onClosed(gone);
  }, [open, onClosed]);
}

/** Fills that one answer has, and how many answers the results of the orders are worth. */
const FILLS = 500;
const PAGES_MAX = 6;

/** The realised result of the orders, as far as their fills are known: older fills are read until all of them are. */
function useRealised(orders: readonly OrderRecord[] | null): ReadonlyMap<number, Realised> {
  const { stores, client, take } = useTerminal();
  const newest = useStore(stores.holdings, ({ fills }) => fills);
  const isRead = useStore(stores.holdings, ({ areFillsRead }) => areFillsRead);
  const [older, setOlder] = useState<readonly FillRecord[]>([]);
  const pages = useRef({ left: PAGES_MAX, isReading: false });
  const realised = useMemo(() => {
    const byId = new Map([...older, ...newest].map((fill) => [fill.id, fill]));
    return realisedOf((orders ?? []).map(tradedOf), [...byId.values()]);
  }, [orders, newest, older]);
  const lowest = Math.min(
    older.at(-1)?.id ?? Number.POSITIVE_INFINITY,
    newest.at(-1)?.id ?? Number.POSITIVE_INFINITY,
  );
  const isAll = orders?.every(({ id, filledQty }) => filledQty === 0 || realised.has(id)) ?? true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new look at the orders tries again
  useEffect(() => {
    const { current: reads } = pages;
    if (isAll || !isRead || !Number.isFinite(lowest) || reads.isReading || reads.left === 0 || !take())
      return;
    reads.left -= 1;
    reads.isReading = true;
    client.account
      .fills({ before: lowest, limit: FILLS })
      .then(
        (page) => setOlder((known) => [...known, ...page]),
        () => {},
      )
      .finally(() => {
        reads.isReading = false;
      });
  }, [orders, isAll, isRead, lowest, client, take]);
  return realised;
}

/** Columns of numbers with the decimals they need. */
function columnsOf(
  orders: readonly OrderRecord[],
  realised: ReadonlyMap<number, Realised>,
): readonly RowColumn<OrderRecord>[] {
  const decimals = sizeDecimals(orders.map(({ qty }) => qty));
  const limitCents = limitDecimals(orders.map((order) => limitOf(order) ?? 0));
  const avgCents = priceDecimals(orders.map(({ avgPrice }) => avgPrice ?? 0));
  return [
    {
      head: 'Contract',
      cell: (order) =>
        'legs' in order ? contractWords(order, seriesLabel) : <NameButton name={order.seriesId} />,
    },
    {
      head: 'Side',
      cell: (order) => (sideOf(order) === 'buy' ? 'Buy' : 'Sell'),
      className: (order) => (sideOf(order) === 'buy' ? 'long' : 'short'),
    },
    { head: 'Quantity', cell: ({ qty }) => formatSize(qty, decimals) },
    { head: 'Limit price', cell: (order) => limitText(order, limitCents) },
    {
      head: 'Avg price',
      cell: (order) => (order.avgPrice === null ? UNKNOWN : priceWords(order, order.avgPrice, avgCents)),
    },
    {
      head: 'Realised P&L',
      cell: (order) => realisedWords(order, realised.get(order.id)),
      className: ({ id }) => pnlClass(realised.get(id)?.usd ?? 0),
    },
    { head: 'Terms', cell: (order) => termsWords({ ...order, price: limitOf(order) }) },
    { head: 'Why it closed', cell: (order) => closeWords(order) },
    { head: 'Closed', cell: ({ closedAt }) => (closedAt === null ? UNKNOWN : momentLabel(closedAt)) },
  ];
}

/** Nothing of an order that closed nothing. */
function realisedWords({ filledQty }: OrderRecord, realised: Realised | undefined): string {
  if (filledQty === 0) return '';
  if (realised === undefined) return UNKNOWN;
  return realised.isClose ? formatPnl(realised.usd) : '';
}

function limitText(order: OrderRecord, decimals: number): string {
  const limit = limitOf(order);
  return limit === null ? 'Market' : priceWords(order, limit, decimals);
}
