/** The actions on the whole chain: lay a strategy on it, or choose its columns. */

import type { ReactNode } from 'react';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { ColumnsButton } from './ColumnsButton.tsx';
import styles from './Expiry.module.css';

export function ChainActs(): ReactNode {
  return (
    <>
      <StrategiesButton />
      <ColumnsButton of="chain" />
    </>
  );
}

/** Opens the strategy tray, which may have legs already. */
function StrategiesButton(): ReactNode {
  const { stores, actions } = useTerminal();
  const isOpen = useStore(stores.tray, (tray) => tray.isOpen);
  const count = useStore(stores.tray, ({ legs }) => legs.length);
  return (
    <button
      type="button"
      className={`${styles.why} chain-act`}
      aria-pressed={isOpen}
      onClick={() => actions.openTray()}
    >
      {count === 0 ? 'Strategies' : `Strategies (${count})`}
    </button>
  );
}
