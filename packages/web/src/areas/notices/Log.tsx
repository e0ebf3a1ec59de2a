/** The notices of this tab for the account, newest first, with how to be told of them elsewhere; and the price alerts. */

import { type ReactNode, Suspense } from 'react';
import { momentLabel } from '../../basics/time-label.ts';
import { Amounts } from '../../kit/Amounts.tsx';
import { later } from '../../kit/later.tsx';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { Alerts } from './Alerts.tsx';
import { LOG_LINES } from './core/state.ts';
import styles from './Log.module.css';

const Push = later(async () => (await import('./Push.tsx')).Push);

export function Log(): ReactNode {
  const { stores } = useTerminal();
  const { list, earlier } = useStore(stores.notices, (state) => state);
  const lines = [...list, ...earlier].slice(0, LOG_LINES);
  return (
    <>
      <Alerts />
      <Suspense fallback={null}>
        <Push />
      </Suspense>
      {lines.length === 0 && <p className="muted">No activity yet.</p>}
      <ol className={styles.log}>
        {lines.map(({ id, tone, atMs, title, text, lines: parts }) => (
          <li key={id} data-tone={tone}>
            <time>{momentLabel(atMs)}</time> <strong>{title}</strong>{' '}
            <Amounts text={`${text} ${parts?.join('; ') ?? ''}`} />
          </li>
        ))}
      </ol>
    </>
  );
}
