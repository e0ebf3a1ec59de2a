/** All underlyings with their price, day and volatility, opened by `/`. */

import { type ReactNode, Suspense } from 'react';
import { LOADING, later } from '../../kit/later.tsx';
import { useModal } from '../../kit/use-modal.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import styles from './SymbolSwitcher.module.css';

const SymbolList = later(async () => (await import('./late.ts')).SymbolList);

export function SymbolSwitcher(): ReactNode {
  const { stores } = useTerminal();
  const isOpen = useStore(stores.view, (view) => view.isSwitcherOpen);
  const dialog = useModal(isOpen);
  return (
    <dialog
      ref={dialog}
      className={styles.switcher}
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
