/** On a wide screen the charts are beside the chain rather than in the dock. */

import { type ReactNode, useState } from 'react';
import { useMatches } from '../../kit/use-size.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useShape } from '../../terminal/use-market.ts';
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

const WIDE = '(width >= 1366px)';

/** True where the screen is wide enough for that, and the person has not folded them away. */
export function useIsBeside(): boolean {
  const { stores } = useTerminal();
  const isOpen = useStore(stores.room, (room) => room.isMarketOpen);
  return useMatches(WIDE) && isOpen;
}
