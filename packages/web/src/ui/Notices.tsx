/** Cards for what just happened: three at a time over the page, the rest in the log. Those that matter stay until put away. */

import { type ReactNode, useEffect, useState } from 'react';
import type { Notice } from '../core/stores.ts';
import { useStore, useTerminal } from './terminal.ts';

const SHOWN = 3;
const STAYS_MS = 8_000;

export function Notices(): ReactNode {
  const { stores } = useTerminal();
  const list = useStore(stores.notices, (state) => state.list);
  const [away, setAway] = useState<ReadonlySet<number>>(new Set());
  const shown = list.filter(({ id }) => !away.has(id)).slice(0, SHOWN);
  const putAway = (id: number) => setAway((known) => new Set(known).add(id));
  return (
    <div className="notices" role="status" aria-live="polite">
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} onAway={putAway} />
      ))}
    </div>
  );
}

function NoticeCard({ notice, onAway }: { notice: Notice; onAway: (id: number) => void }): ReactNode {
  const { id, isSticky, tone, title, text } = notice;
  useEffect(() => {
    if (isSticky) return undefined;
    const timer = setTimeout(() => onAway(id), STAYS_MS);
    return () => clearTimeout(timer);
  }, [id, isSticky, onAway]);
  return (
    <article className="notice" data-tone={tone}>
      <strong>{title}</strong>
      <p>{text}</p>
      <button type="button" aria-label="Put away" onClick={() => onAway(id)}>
        ✕
      </button>
    </article>
  );
}
