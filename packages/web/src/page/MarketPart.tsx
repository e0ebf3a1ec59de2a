/** Where the market is: the underlying's price, large, over its charts; a strip where there is no room for them. */

import type { ReactNode } from 'react';
import { MarketHead } from '../areas/chain/MarketHead.tsx';
import { ChartsBeside, useIsBeside } from '../areas/charts/ChartsBeside.tsx';
import { useMatches } from '../kit/use-size.ts';
import { useTerminal } from '../terminal/terminal.ts';
import { choosePanel } from '../view/show-panel.ts';

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
