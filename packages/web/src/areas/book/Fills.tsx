/** Trades, settlements and liquidations, newest first and page by page, and the download of the statement. */

import type { FillRecord } from '@venue/protocol';
import { type ReactNode, useState } from 'react';
import { formatPnl, formatPrice, formatSize, priceDecimals, sizeDecimals } from '../../basics/numbers.ts';
import { momentLabel } from '../../basics/time-label.ts';
import { NameButton } from '../../kit/NameButton.tsx';
import { type RowColumn, Rows } from '../../kit/Rows.tsx';
import { Fault } from '../../kit/SignIn.tsx';
import { pnlClass } from '../../kit/tones.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { cashEffect } from '../order/core/fill-words.ts';
import { Statement } from './Statement.tsx';

const PAGE = 100;

export function Fills(): ReactNode {
  const { stores } = useTerminal();
  const newest = useStore(stores.holdings, (state) => state.fills);
  const isRead = useStore(stores.holdings, (state) => state.areFillsRead);
  const { older, fault, isReading, isAll, readOlder } = useOlder(newest);
  const fills = [...newest, ...older];
  return (
    <>
      <Statement />
      {fills.length === 0 ? (
        <p className="muted">{isRead ? 'No fills yet.' : 'Reading your fills…'}</p>
      ) : (
        <Rows label="Fills" items={fills} keyOf={({ id }) => id} columns={columnsOf(fills)} />
      )}
      {fills.length >= PAGE && !isAll && (
        <p className="acts">
          <button type="button" disabled={isReading} onClick={readOlder}>
            {isReading ? 'Reading…' : 'Older fills'}
          </button>
        </p>
      )}
      <Fault text={fault} />
    </>
  );
}

/** Pages older than the newest one. New fills push others off the newest page, so those are kept too. */
function useOlder(newest: readonly FillRecord[]) {
  const { client } = useTerminal();
  const [pages, setPages] = useState<readonly FillRecord[]>([]);
  const [isReading, setIsReading] = useState(false);
  const [isAll, setIsAll] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const lowest = newest.at(-1)?.id ?? 0;
  const older = pages.filter(({ id }) => id < lowest);
  const readOlder = async () => {
    setIsReading(true);
    setFault(null);
    try {
      const before = older.at(-1)?.id ?? lowest;
      const page = await client.account.fills({ before, limit: PAGE });
      setPages((known) => {
        // Everything newer than this page's start comes first.
        const kept = [...known, ...newest].filter(({ id }) => id >= before);
        const byId = new Map([...kept, ...page].map((fill) => [fill.id, fill]));
        return [...byId.values()].sort((a, b) => b.id - a.id);
      });
      setIsAll(page.length < PAGE);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    } finally {
      setIsReading(false);
    }
  };
  return { older, fault, isReading, isAll, readOlder: () => void readOlder() };
}

/** Columns of numbers with the decimals they need. */
function columnsOf(fills: readonly FillRecord[]): readonly RowColumn<FillRecord>[] {
  const decimals = sizeDecimals(fills.map(({ qty }) => qty));
  const priceCents = priceDecimals(fills.map(({ price }) => price));
  const feeCents = priceDecimals(fills.map(({ fee }) => fee));
  return [
    { head: 'Contract', cell: ({ seriesId }) => <NameButton name={seriesId} /> },
    { head: 'Side', cell: whatHappened, className: ({ side }) => (side === 'buy' ? 'long' : 'short') },
    { head: 'Quantity', cell: ({ qty }) => formatSize(qty, decimals) },
    { head: 'Price', cell: ({ price }) => formatPrice(price, priceCents) },
    { head: 'Fee', cell: ({ fee }) => formatPrice(fee, feeCents) },
    { head: 'Net cash', cell: (fill) => formatPnl(cashEffect(fill)) },
    {
      head: 'Realised P&L',
      cell: ({ realized }) => formatPnl(realized),
      className: ({ realized }) => pnlClass(realized),
    },
    { head: 'Time', cell: ({ ts }) => momentLabel(ts) },
  ];
}

function whatHappened({ kind, side, taker }: FillRecord): ReactNode {
  if (kind === 'settlement') return 'Settled';
  if (kind === 'liquidation') return <strong>Liquidated</strong>;
  return `${side === 'buy' ? 'Bought' : 'Sold'}${taker ? '' : ' (maker)'}`;
}
