/** Everything since the page was opened, and the choice of alerts. */

import { type ReactNode, Suspense } from 'react';
import { later } from '../kit/later.tsx';
import { useStore, useTerminal } from '../kit/terminal.ts';
import { momentLabel } from '../kit/time-label.ts';
import { Alerts } from './Alerts.tsx';

const Push = later(async () => (await import('./Push.tsx')).Push);

export function Log(): ReactNode {
  const { stores } = useTerminal();
  const list = useStore(stores.notices, (state) => state.list);
  return (
    <>
      <Alerts />
      <Suspense fallback={null}>
        <Push />
      </Suspense>
      {list.length === 0 && <p className="muted">No activity yet.</p>}
      <ol className="log">
        {list.map((notice) => (
          <li key={notice.id} data-tone={notice.tone}>
            <time>{momentLabel(notice.atMs)}</time> <strong>{notice.title}</strong> {notice.text}{' '}
            {notice.lines?.join('; ')}
          </li>
        ))}
      </ol>
    </>
  );
}
