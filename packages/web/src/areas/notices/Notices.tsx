/** Recent events: three at a time, the rest in the log. Important ones stay until dismissed. */

import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Amounts } from '../../kit/Amounts.tsx';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import type { Notice } from './core/state.ts';
import styles from './Notices.module.css';

const SHOWN = 3;
const STAYS_MS = 5_000;

/** Drawn again only for its own news, so that a card stays its time whatever else changes on the page. */
export const Notices = memo(function Notices(): ReactNode {
  const { stores } = useTerminal();
  const list = useStore(stores.notices, (state) => state.list);
  const section = useRef<HTMLElement>(null);
  useHeightKnown(section);
  const [away, setAway] = useState<ReadonlySet<number>>(new Set());
  const putAway = useCallback((id: number) => setAway((known) => new Set(known).add(id)), []);
  const left = list.filter((notice) => !away.has(notice.id) && !isPast(notice));
  // Lasting cards come first, so that minor news never covers them.
  const shown = [...left.filter(({ isSticky }) => isSticky), ...left.filter(({ isSticky }) => !isSticky)];
  return (
    <section ref={section} className={styles.notices} aria-label="What just happened">
      {shown.slice(0, SHOWN).map((notice) => (
        <NoticeCard key={notice.id} notice={notice} onAway={putAway} />
      ))}
    </section>
  );
});

/** Tells the style sheets how much of the chain's foot the notices cover. */
function useHeightKnown(section: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty('--notices', `${section.current?.offsetHeight ?? 0}px`);
    });
    observer.observe(section.current!);
    return () => observer.disconnect();
  }, [section]);
}

/** A card pushed off the screen by newer ones does not come back. */
function isPast({ isSticky, atMs }: Notice): boolean {
  return !isSticky && Date.now() - atMs >= STAYS_MS;
}

function NoticeCard({ notice, onAway }: { notice: Notice; onAway: (id: number) => void }): ReactNode {
  const { id, isSticky, tone, title, text, lines, action } = notice;
  useEffect(() => {
    if (isSticky) return undefined;
    const timer = setTimeout(() => onAway(id), STAYS_MS);
    return () => clearTimeout(timer);
  }, [id, isSticky, onAway]);
  return (
    <article className={styles.notice} data-tone={tone} data-sticky={isSticky}>
      <strong>{title}</strong>
      <p>
        <Amounts text={text} />
      </p>
      {lines !== undefined && (
        <ul>
          {lines.map((line) => (
            <li key={line}>
              <Amounts text={line} />
            </li>
          ))}
        </ul>
      )}
      {action !== undefined && (
        <button type="button" className={styles.act} onClick={action.run}>
          {action.label}
        </button>
      )}
      <button
        type="button"
        className={styles.away}
        aria-label={`Put away: ${title}`}
        onClick={() => onAway(id)}
      >
        ✕
      </button>
    </article>
  );
}
