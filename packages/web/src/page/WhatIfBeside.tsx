/** On a very wide screen the what-if stands beside the ticket, rather than in the book. */

import { type ReactNode, Suspense } from 'react';
import { LOADING, later } from '../kit/later.tsx';
import { useMatches } from '../kit/use-size.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import styles from './Dock.module.css';

export const WHATIF_BESIDE = '(width >= 1900px)';

/** Loaded when it is first shown. */
export const WhatIf = later(async () => (await import('../areas/whatif/WhatIf.tsx')).WhatIf);

export function WhatIfBeside(): ReactNode {
  const { stores } = useTerminal();
  const isOpen = useIsWhatIfBeside();
  if (!isOpen) return null;
  return (
    <aside className="what-if-beside" aria-label="What-if">
      <header>
        <h2>What-if</h2>
        <button
          type="button"
          className="bare"
          aria-label="Close the what-if"
          onClick={() => stores.room.setState({ isWhatIfOpen: false })}
        >
          ✕
        </button>
      </header>
      <Suspense fallback={LOADING}>
        <WhatIf />
      </Suspense>
    </aside>
  );
}

/** Opens and closes it, in the tabs of the book. */
export function WhatIfButton(): ReactNode {
  const { stores } = useTerminal();
  const isOpen = useStore(stores.room, (room) => room.isWhatIfOpen);
  return (
    <button
      type="button"
      className={`${styles.fold} ${styles.whatIfButton} bare`}
      aria-expanded={isOpen}
      onClick={() => stores.room.setState({ isWhatIfOpen: !isOpen })}
    >
      What-if
    </button>
  );
}

/** True where the screen is wide enough for that, and the person has opened it. */
export function useIsWhatIfBeside(): boolean {
  const { stores } = useTerminal();
  const isOpen = useStore(stores.room, (room) => room.isWhatIfOpen);
  return useMatches(WHATIF_BESIDE) && isOpen;
}
