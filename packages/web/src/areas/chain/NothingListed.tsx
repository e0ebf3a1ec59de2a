/** In place of the chain of an underlying without contracts. */

import type { ReactNode } from 'react';
import styles from './Chain.module.css';

export function NothingListed({ symbol }: { readonly symbol: string }): ReactNode {
  return (
    <div className={styles.nothing} data-testid="nothing-listed">
      <h2>No {symbol} contracts yet</h2>
      <p>
        Contracts are listed around the price of {symbol}, and no source has given one. They appear here by
        themselves as soon as one does.
      </p>
    </div>
  );
}
