/** All underlyings with their price, day and volatility, opened by `/`. */

import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { LOADING, later } from '../kit/later.tsx';
import { useStore, useTerminal } from '../kit/terminal.ts';
import './SymbolSwitcher.css';

const SymbolList = later(async () => (await import('./panels.ts')).SymbolList);

export function SymbolSwitcher(): ReactNode {
  const { stores } = useTerminal();
  const isOpen = useStore(stores.view, (view) => view.isSwitcherOpen);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      className="switcher"
      aria-label="Symbols"
      onClose={() => stores.view.setState({ isSwitcherOpen: false })}
    >
      {isOpen && (
        <Suspense fallback={LOADING}>
          <SymbolList />
        </Suspense>
      )}
    </dialog>
  );
}
