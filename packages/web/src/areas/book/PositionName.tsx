/** The first cell of a position, a strategy, or a sum of them. */

import type { ReactNode } from 'react';
import { expiryLabel } from '../../basics/dates.ts';
import { NameButton } from '../../kit/NameButton.tsx';
import type { BookRow } from './core/book-rows.ts';
import '../../kit/TextButton.css';
import styles from './Positions.module.css';

interface PositionNameProps {
  readonly row: BookRow;
  /** True while the legs of a strategy are shown under it. */
  readonly isOpen: boolean;
  readonly toggle: (key: string) => void;
}

export function PositionName({ row, isOpen, toggle }: PositionNameProps): ReactNode {
  if ('position' in row) return <NameButton name={row.position.seriesId} />;
  if (row.kind === 'strategy')
    return (
      <button
        type="button"
        className={`text-button ${styles.strategyName}`}
        aria-expanded={isOpen}
        title={row.name}
        onClick={() => toggle(row.key)}
      >
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
        <span className={styles.strategyText}>{row.name}</span>
      </button>
    );
  const { symbol, expiryTs, count } = row;
  const of = expiryTs === null ? (symbol ?? 'All') : `${symbol} ${expiryLabel(expiryTs, Date.now())}`;
  return `${of}, all ${count}`;
}
