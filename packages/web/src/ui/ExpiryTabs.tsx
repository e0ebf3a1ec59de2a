/** The expiries that are listed, as tabs with the time that each has left. */

import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { useStore, useTerminal } from './terminal.ts';

export function ExpiryTabs(): ReactNode {
  const { stores, actions } = useTerminal();
  const expiries = useStore(stores.listing, (listing) => listing.expiries);
  const chosen = useStore(stores.listing, (listing) => listing.expiryTs);
  const nowMs = useClock();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = expiries[expiries.indexOf(chosen ?? 0) + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    actions.selectExpiry(next);
  };
  return (
    <div className="expiries" role="tablist" aria-label="Expiries" onKeyDown={onKeyDown}>
      {expiries.map((expiryTs) => (
        <button
          key={expiryTs}
          type="button"
          role="tab"
          aria-selected={expiryTs === chosen}
          tabIndex={expiryTs === chosen ? 0 : -1}
          onClick={() => actions.selectExpiry(expiryTs)}
        >
          {expiryLabel(expiryTs)} <small>{timeLeft(expiryTs * 1_000 - nowMs)}</small>
        </button>
      ))}
    </div>
  );
}

const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'America/New_York',
});

function expiryLabel(expiryTs: number): string {
  return DAY_FORMAT.format(expiryTs * 1_000);
}

function timeLeft(ms: number): string {
  if (ms <= 0) return 'expired';
  const hours = Math.floor(ms / 3_600_000);
  if (hours >= 48) return `${Math.floor(hours / 24)}d`;
  return hours >= 1 ? `${hours}h` : `${Math.floor(ms / 60_000)}m`;
}

function useClock(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
