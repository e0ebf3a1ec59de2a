/** The underlying over time, from the venue's history on: its price, or the volatility that its options expect. */

import { type ReactNode, useState } from 'react';
import { intervalOf } from '../../market/candles.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useCandles } from '../../terminal/use-candles.ts';
import { AlertLines, ON_SPOT, useChartAlerts } from './AlertLines.tsx';
import styles from './Charts.module.css';
import { Nothing } from './Figure.tsx';
import { CandleHistory, Choices, Frames, useFrame } from './History.tsx';
import { IndexHistory } from './IndexHistory.tsx';

const VIEWS = ['Price', '30-day vol'] as const;
type View = (typeof VIEWS)[number];

/** The last choice, restored when the chart is shown again. */
let rememberedView: View = 'Price';

export function SpotChart(): ReactNode {
  const { stores } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const [view, setView] = useState(rememberedView);
  if (symbol === null) return <Nothing>No underlying is chosen yet.</Nothing>;
  const choose = (next: View) => {
    rememberedView = next;
    setView(next);
  };
  const views = <Choices label="What to show" all={VIEWS} chosen={view} onChoose={choose} />;
  if (view === 'Price') return <SpotPrices symbol={symbol} views={views} />;
  return <IndexHistory symbol={symbol} legend={views} />;
}

interface SpotPricesProps {
  readonly symbol: string;
  readonly views: ReactNode;
}

function SpotPrices({ symbol, views }: SpotPricesProps): ReactNode {
  const [frame, setFrame] = useFrame();
  const shown = useCandles(`spot:${symbol}`, intervalOf(frame));
  const { near, ...alerts } = useChartAlerts(symbol, ON_SPOT);
  return (
    <CandleHistory
      {...shown}
      frame={frame}
      near={near}
      over={(scale) => <AlertLines {...alerts} scale={scale} />}
      title={`${symbol}, price in $`}
      nothing={`No price of ${symbol} yet: its history begins with the first.`}
      legend={
        <div className={styles.legend}>
          {views}
          <Frames chosen={frame} onChoose={setFrame} />
        </div>
      }
      source="The venue's prices."
    />
  );
}
