/** Mark and trades of one contract: the marks this page has received, and the trades still on the venue's tape. */

import type { ReactNode } from 'react';
import { historySentence, type PricePoint, thinned } from '../core/chain/history.ts';
import { formatPrice, UNKNOWN } from '../core/numbers.ts';
import { seriesLabel } from '../kit/series-label.ts';
import { useTerminal } from '../kit/terminal.ts';
import { momentLabel } from '../kit/time-label.ts';
import { useContract, useHistories, useTrades } from '../kit/use-data.ts';
import { Figure, Nothing } from './Figure.tsx';
import { HistoryChart } from './HistoryChart.tsx';
import { Credit } from './SpotChart.tsx';

const TABLE_LINES = 60;

interface Line {
  readonly second: number;
  readonly mark: number | null;
  readonly trade: number | null;
}

export function ContractChart(): ReactNode {
  const { histories } = useTerminal();
  const seriesId = useContract();
  const trades = useTrades(seriesId);
  useHistories();
  if (seriesId === null) return <Nothing>Press a price in the chain to see its history.</Nothing>;
  const marks = histories.marks(seriesId);
  const sentence = contractSentence(marks, trades);
  return (
    <Figure
      title={`${seriesLabel(seriesId)}, $ a contract`}
      sentence={sentence}
      legend={
        <ul className="key">
          <li>
            <span aria-hidden="true" className="step-sign" /> Mark
          </li>
          <li>
            <span aria-hidden="true" className="dot-sign" /> Trade
          </li>
        </ul>
      }
      table={{
        items: linesOf(thinned(marks, TABLE_LINES), trades),
        keyOf: ({ second }) => second,
        columns: [
          { head: 'Time', cell: ({ second }) => momentLabel(second * 1_000) },
          { head: 'Mark, $', cell: ({ mark }) => (mark === null ? UNKNOWN : formatPrice(mark)) },
          { head: 'Trade, $', cell: ({ trade }) => (trade === null ? UNKNOWN : formatPrice(trade)) },
        ],
      }}
      foot={<Credit>Marks since this expiry came on the screen; the newest trades from the tape.</Credit>}
    >
      {() => <HistoryChart key={seriesId} label={sentence} line={marks} dots={trades} />}
    </Figure>
  );
}

function contractSentence(marks: readonly PricePoint[], trades: readonly PricePoint[]): string {
  const last = trades.at(-1);
  const traded =
    last === undefined
      ? 'No trades yet.'
      : `Last trade at ${formatPrice(last.price)}, ${momentLabel(last.second * 1_000)}.`;
  return marks.length === 0 ? traded : `Mark ${historySentence(marks, formatPrice)} ${traded}`;
}

/** Newest first. */
function linesOf(marks: readonly PricePoint[], trades: readonly PricePoint[]): Line[] {
  const lines = new Map<number, Line>();
  for (const { second, price } of marks) lines.set(second, { second, mark: price, trade: null });
  for (const { second, price } of trades)
    lines.set(second, { second, mark: lines.get(second)?.mark ?? null, trade: price });
  return [...lines.values()].sort((a, b) => b.second - a.second);
}
