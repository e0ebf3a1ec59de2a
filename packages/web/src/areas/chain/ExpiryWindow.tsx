/** The last half hour of an expiry, in the bar over its chain. */

import type { ReactNode } from 'react';
import { settlementWindow } from '../../basics/dates.ts';
import { formatPercent, formatPrice } from '../../basics/numbers.ts';
import { windowEstimate } from '../../market/expiry-stage.ts';
import { seenWords } from '../../market/settles-near.ts';
import { useTerminal } from '../../terminal/terminal.ts';
import styles from './Expiry.module.css';

interface ExpiryWindowProps {
  readonly symbol: string;
  readonly expiryTs: number;
  readonly nowMs: number;
}

/** The settlement price as it forms. */
export function ExpiryWindow({ symbol, expiryTs, nowMs }: ExpiryWindowProps): ReactNode {
  const { histories } = useTerminal();
  const { passed } = settlementWindow(expiryTs, nowMs);
  const estimate = windowEstimate(histories.spots(symbol), { expiryTs, nowMs });
  const seen = estimate === null ? null : seenWords(estimate.seenShare, passed);
  return (
    <span className={styles.window}>
      <strong>Settlement window</strong>
      <progress value={passed} aria-label="Settlement window elapsed">
        {formatPercent(passed, 0)}
      </progress>
      {estimate !== null && (
        <span title="Out of the prices that this page has seen. The venue averages each of its sources and takes the middle one.">
          average so far ≈ <strong>{formatPrice(estimate.soFar)}</strong>, settles near{' '}
          <strong className="estimate">{formatPrice(estimate.ifUnchanged)}</strong> if {symbol} stays
          {seen !== null && ` (${seen})`}
        </span>
      )}
    </span>
  );
}
