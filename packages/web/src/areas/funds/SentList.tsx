/** Pending transactions, and those completed during this visit. */

import type { ReactNode } from 'react';
import { amountText } from './amounts.ts';
import styles from './Funds.module.css';
import type { FundsDesk } from './funds-desk.ts';
import type { Funds, Tracked } from './funds-state.ts';
import { TITLES } from './progress.ts';

export function SentList({ funds, desk }: { readonly funds: Funds; readonly desk: FundsDesk }): ReactNode {
  if (funds.sent.length === 0) return null;
  return (
    <ul className={styles.sent} aria-live="polite">
      {funds.sent.map((sent) => (
        <li key={sent.hash} data-stage={sent.progress.stage}>
          <span>
            {TITLES[sent.purpose]} of {amountText(BigInt(sent.amountMicros), funds.tokenSymbol)}{' '}
            <code title={sent.hash}>{sent.hash.slice(0, 10)}…</code>
          </span>
          <button type="button" aria-label="Put it away" onClick={() => desk.dismiss(sent.hash)}>
            ✕
          </button>
          <span className={styles.progress}>{progressText(sent, funds.site?.confirmations ?? 0)}</span>
          {sent.progress.stage === 'mined' && (
            <progress
              value={sent.progress.confirmations}
              max={funds.site?.confirmations ?? 1}
              aria-label="Confirmations"
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function progressText({ purpose, progress }: Tracked, wanted: number): string {
  switch (progress.stage) {
    case 'sent':
      return 'Sent; waiting for a block. You may close this page.';
    case 'mined':
      return `${progress.confirmations} of ${wanted} confirmations. You may close this page.`;
    case 'confirmed':
      return 'Confirmed; the venue credits it within moments.';
    case 'done':
      return purpose === 'deposit' ? 'Credited to your cash.' : 'Done.';
    case 'failed':
      return 'The chain refused it: nothing moved but the gas.';
    case 'replaced':
      return 'Another transaction of your wallet took its place. If you sped it up, the deposit is credited under its new name; if you cancelled it, nothing moved.';
  }
}
