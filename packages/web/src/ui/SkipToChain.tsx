/** The page's first stop of the Tab key, seen while it has the focus: over the header, into the chain. */

import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useTerminal } from '../kit/terminal.ts';
import { focusChain } from './chain-keys.ts';
import './SkipToChain.css';

export function SkipToChain(): ReactNode {
  const { stores } = useTerminal();
  const skip = () => {
    // On a phone a panel may stand in its place.
    flushSync(() => stores.view.setState({ isOnPanel: false }));
    // Stays on the chain itself where it has no prices yet.
    document.querySelector<HTMLElement>('.chain-scroll')?.focus();
    focusChain();
  };
  return (
    <nav className="skip" aria-label="Skip">
      <button type="button" onClick={skip}>
        Skip to the chain
      </button>
    </nav>
  );
}
