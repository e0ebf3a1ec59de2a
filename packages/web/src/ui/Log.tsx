/** Everything that happened since the page was opened. */

import type { ReactNode } from 'react';
import { useStore, useTerminal } from './terminal.ts';
import { momentLabel } from './time-label.ts';

export function Log(): ReactNode {
  const { stores } = useTerminal();
  const list = useStore(stores.notices, (state) => state.list);
  if (list.length === 0) return <p className="muted">Nothing has happened yet.</p>;
  return (
    <ol className="log">
      {list.map((notice) => (
        <li key={notice.id} data-tone={notice.tone}>
          <time>{momentLabel(notice.atMs)}</time> <strong>{notice.title}</strong> {notice.text}
        </li>
      ))}
    </ol>
  );
}
