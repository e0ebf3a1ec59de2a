/** The legend of a chart: each line is identified by its dashes as well as its colour. */

import type { ReactNode } from 'react';
import styles from './Charts.module.css';

export interface LegendEntry {
  readonly name: string;
  /** Class of the line, in the chart and in the legend. */
  readonly className: string;
}

export function Legend({
  entries,
  children,
}: {
  readonly entries: readonly LegendEntry[];
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className={styles.legend}>
      <ul>
        {entries.map(({ name, className }) => (
          <li key={name}>
            <svg width="28" height="8" aria-hidden="true">
              <line className={className} x1="0" x2="28" y1="4" y2="4" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}
