/** A button that opens the choice of columns, which is loaded then. */

import { type ReactNode, Suspense, useId, useState } from 'react';
import { LOADING, later } from '../../kit/later.tsx';
import styles from './ColumnChoice.module.css';
import type { ColumnChoiceProps } from './ColumnChoice.tsx';
import expiry from './Expiry.module.css';

const ChainColumns = later(async () => (await import('./late.ts')).ChainColumns);
const PositionColumns = later(async () => (await import('./late.ts')).PositionColumns);
const CHOICES = { chain: ChainColumns, positions: PositionColumns } as const;

export function ColumnsButton({ of }: { readonly of: ColumnChoiceProps['of'] }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const Choice = CHOICES[of];
  return (
    <>
      <button
        type="button"
        className={of === 'chain' ? `${expiry.why} chain-act` : undefined}
        popoverTarget={id}
        title="Columns"
        aria-label={`Columns of the ${of}`}
      >
        {of === 'chain' ? <Bars /> : 'Columns'}
      </button>
      <div
        id={id}
        popover="auto"
        className={styles.columns}
        role="dialog"
        aria-label={`Columns of the ${of}`}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <Suspense fallback={LOADING}>
            <Choice />
          </Suspense>
        )}
      </div>
    </>
  );
}

/** Three columns, where there is no room for their name. */
function Bars(): ReactNode {
  return (
    <svg width="14" height="12" viewBox="0 0 14 12" fill="currentColor" aria-hidden="true">
      {[0, 5, 10].map((x) => (
        <rect key={x} x={x} width="3" height="12" rx="1" />
      ))}
    </svg>
  );
}
