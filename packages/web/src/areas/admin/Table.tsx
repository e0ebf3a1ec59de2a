/** A table with its own horizontal scroll bar on narrow pages. */

import type { ReactNode } from 'react';
import styles from './Admin.module.css';

interface TableProps {
  /** Accessible name for screen readers. */
  readonly name: string;
  readonly heads: readonly string[];
  /** Heads over words, which stand at the left like the first. */
  readonly left?: readonly string[];
  readonly children: ReactNode;
}

export function Table({ name, heads, left = [], children }: TableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is reached by the keyboard to do so
    <section className={styles.scroll} aria-label={name} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className={left.includes(head) ? styles.left : ''}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
