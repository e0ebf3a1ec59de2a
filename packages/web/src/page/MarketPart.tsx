/** Where the market is: the underlying's price, large, over its charts; a strip where there is no room for them. */

import type { ReactNode } from 'react';
import { ChartsBeside, useIsBeside } from '../charts/ChartsBeside.tsx';
import { choosePanel } from '../core/show-panel.ts';
import { useTerminal } from '../kit/terminal.ts';
import { useMatches } from '../kit/use-size.ts';
import { MarketHead } from '../ui/MarketHead.tsx';

export function MarketPart(): ReactNode {
  const { stores } = useTerminal();
  const hasStrip = useMatches('(width >= 1024px)');
  const mayUnfold = useMatches('(width >= 1366px)');
  const isBeside = useIsBeside();
  if (!hasStrip) return null;
  const showInBook = () => choosePanel(stores, 'Charts');
  return (
    <div className="market-part">
      <MarketHead>
        <button
          type="button"
          aria-label={isBeside ? 'Fold the charts away' : undefined}
          title={isBeside ? 'Fold away' : undefined}
          onClick={() => (mayUnfold ? stores.room.setState({ isMarketOpen: !isBeside }) : showInBook())}
        >
          {isBeside ? '←' : 'Show charts'}
        </button>
      </MarketHead>
      <ChartsBeside />
    </div>
  );
}
