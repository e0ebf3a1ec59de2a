/** How the page stands with the venue, and how old the prices are that it shows. Always in sight. */

import { type ReactNode, useEffect, useState } from 'react';
import { useStore, useTerminal } from './terminal.ts';
import './LinkSign.css';

const TEXTS = {
  connecting: 'Connecting…',
  live: 'Live',
  late: 'Late',
  stale: 'Prices are old',
  offline: 'Offline',
} as const;

/** Twice the longest wait between two reads of the account. */
const ACCOUNT_OLD_MS = 20_000;

export function LinkSign(): ReactNode {
  const { stores } = useTerminal();
  const state = useStore(stores.link, (link) => link.state);
  const reason = useStore(stores.link, (link) => link.reason);
  return (
    <span className="link" data-state={state} data-testid="link" title={reason ?? 'How old the prices are'}>
      <span aria-hidden="true" className="dot" />
      <span className="link-text">{TEXTS[state]}</span> <LinkAge state={state} /> <AccountAge />
    </span>
  );
}

/** Says that the sums of the account are not of now, while prices may be. */
function AccountAge(): ReactNode {
  const { stores } = useTerminal();
  const isIn = useStore(stores.session, (session) => session.state === 'ready');
  const asOfMs = useStore(stores.holdings, (holdings) => holdings.asOfMs);
  const nowMs = useNow(isIn ? 2_000 : null);
  if (!isIn || asOfMs === 0 || nowMs - asOfMs < ACCOUNT_OLD_MS) return null;
  return <small className="warning">account {ageText(nowMs - asOfMs)} old</small>;
}

/** `1.4 s`; offline, when it is tried again. */
function LinkAge({ state }: { readonly state: keyof typeof TEXTS }): ReactNode {
  const { stores, market } = useTerminal();
  const nextTryMs = useStore(stores.link, (link) => link.nextTryMs);
  // Under a second the age is the same to anybody, and a number that dances only tires.
  const nowMs = useNow(state === 'live' || state === 'connecting' ? null : 200);
  if (state === 'connecting') return null;
  if (state === 'live') return <small>under 1 s</small>;
  if (state === 'offline' && nextTryMs !== null) {
    const leftS = Math.max(0, Math.ceil((nextTryMs - nowMs) / 1_000));
    return <small>{leftS === 0 ? 'trying now' : `next try in ${leftS} s`}</small>;
  }
  if (market.receivedMs === 0) return null;
  return <small>{ageText(nowMs - market.receivedMs)}</small>;
}

function ageText(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 120 ? `${Math.floor(seconds)} s` : `${Math.floor(seconds / 60)} min`;
}

/** The page's clock, read anew that often; null for not at all. */
function useNow(everyMs: number | null): number {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    if (everyMs === null) return undefined;
    const look = () => setNowMs(performance.now());
    look();
    const timer = setInterval(look, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
