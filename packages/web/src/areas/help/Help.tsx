/** The keyboard help, opened by `?`. */

import { type ReactNode, Suspense } from 'react';
import { LOADING, later } from '../../kit/later.tsx';
import '../../kit/Sheet.css';
import { useModal } from '../../kit/use-modal.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import styles from './Help.module.css';

const HelpText = later(async () => (await import('./late.ts')).HelpText);

export function Help(): ReactNode {
  const { stores } = useTerminal();
  const isOpen = useStore(stores.view, (view) => view.isHelpOpen);
  const dialog = useModal(isOpen);
  return (
    <dialog
      ref={dialog}
      className={`sheet ${styles.help}`}
      aria-labelledby="help-title"
      onClose={() => stores.view.setState({ isHelpOpen: false })}
    >
      {isOpen && (
        <>
          <form method="dialog" className="sheet-head">
            <h2 id="help-title">Keys</h2>
            <button type="submit" aria-label="Close">
              ✕
            </button>
          </form>
          <Suspense fallback={LOADING}>
            <HelpText />
          </Suspense>
        </>
      )}
    </dialog>
  );
}
