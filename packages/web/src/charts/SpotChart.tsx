/** The underlying's price since the page was opened: the venue keeps no history of it. */

import type { ReactNode } from 'react';
import { historySentence, thinned } from '../core/chain/history.ts';
import { formatPrice } from '../core/numbers.ts';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { momentLabel } from '../kit/time-label.ts';
import { useHistories } from '../kit/use-data.ts';
import { Figure, Nothing } from './Figure.tsx';
import { HistoryChart } from './HistoryChart.tsx';

const TABLE_LINES = 60;

export function SpotChart(): ReactNode {
  const { stores, histories } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  useHistories();
  if (symbol === null) return <Nothing>No underlying is chosen yet.</Nothing>;
  const points = histories.spots(symbol);
  const sentence = historySentence(points, formatPrice);
  return (
    <Figure
      title={`${symbol}, price in $`}
      sentence={sentence}
      table={{
        items: thinned(points, TABLE_LINES),
        keyOf: ({ second }) => second,
        columns: [
          { head: 'Time', cell: ({ second }) => momentLabel(second * 1_000) },
          { head: 'Price, $', cell: ({ price }) => formatPrice(price) },
        ],
      }}
      foot={<Credit>Prices that this page has seen, an hour at most.</Credit>}
    >
      {() => <HistoryChart key={symbol} label={sentence} line={points} />}
    </Figure>
  );
}

/** Credits the chart library, beside the source of the data. */
export function Credit({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <p className="credit muted">
      {children} Chart by{' '}
      <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        TradingView
      </a>
      .
    </p>
  );
}
