/** On a wide screen the charts stand beside the chain, and not in the dock. */

import type { ReactNode } from 'react';
import { useShape } from '../kit/use-market.ts';
import { useMatches } from '../kit/use-size.ts';
import { ChartsPanel } from './ChartsPanel.tsx';

export function ChartsBeside(): ReactNode {
  const isBeside = useIsBeside();
  const shape = useShape();
  if (!isBeside) return null;
  return (
    <aside className="charts-beside" aria-label="Charts">
      {/* The chain comes first: the charts' script waits until it stands. */}
      {shape !== null && <ChartsPanel />}
    </aside>
  );
}

const WIDE = '(width >= 1900px)';

/** Whether there is room for them there. */
export function useIsBeside(): boolean {
  return useMatches(WIDE);
}
