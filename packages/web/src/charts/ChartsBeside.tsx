/** On a wide screen the charts are beside the chain rather than in the dock. */

import { type ReactNode, useState } from 'react';
import { useShape } from '../kit/use-market.ts';
import { useMatches } from '../kit/use-size.ts';
import { ChartsPanel } from './ChartsPanel.tsx';

export function ChartsBeside(): ReactNode {
  const isBeside = useIsBeside();
  const hasChain = useShape() !== null;
  const [isStarted, setStarted] = useState(false);
  if (hasChain && !isStarted) setStarted(true);
  if (!isBeside) return null;
  return (
    <aside className="charts-beside" aria-label="Charts">
      {/* The first chain loads first: the charts' script waits until it has rendered. */}
      {isStarted && <ChartsPanel />}
    </aside>
  );
}

const WIDE = '(width >= 1900px)';

/** True where the screen is wide enough for that. */
export function useIsBeside(): boolean {
  return useMatches(WIDE);
}
