/** The page's first stop of the Tab key, seen while it has the focus: over the header, into the chain. */

import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { tabStopOf } from '../areas/chain/chain-keys.ts';
import { useTerminal } from '../terminal/terminal.ts';
import styles from './SkipToChain.module.css';

export function SkipToChain(): ReactNode {
  const { stores } = useTerminal();
  const skip = () => {
    // On a phone a panel may stand in its place.
    flushSync(() => stores.view.setState({ isOnPanel: false }));
    const frame = document.querySelector<HTMLElement>('.chain-scroll');
    const table = frame?.querySelector<HTMLElement>('table.chain') ?? null;
    // The frame while there are no prices yet.
    ((table === null ? null : tabStopOf(table)) ?? frame)?.focus();
  };
  return (
    <nav className={styles.skip} aria-label="Skip">
      <button type="button" onClick={skip}>
        Skip to the chain
      </button>
    </nav>
  );
}
