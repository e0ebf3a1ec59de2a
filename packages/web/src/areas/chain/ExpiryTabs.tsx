/** The expiries as tabs with their remaining time, preceded by recent expired ones. */

import { type ReactNode, useEffect, useRef } from 'react';
import { countdown, expiryLabel, instantLabels, timeBand } from '../../basics/dates.ts';
import { tabKeys } from '../../kit/tab-keys.ts';
import { expiryStage, shownExpiries } from '../../market/expiry-stage.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import styles from './ExpiryTabs.module.css';

export function ExpiryTabs(): ReactNode {
  const { stores, actions } = useTerminal();
  const listed = useStore(stores.listing, (listing) => listing.expiries);
  const chosen = useStore(stores.listing, (listing) => listing.expiryTs);
  const decided = useStore(stores.listing, (listing) => listing.settlements);
  const nowMs = useVenueNow();
  const list = useRef<HTMLDivElement>(null);
  const shown = shownExpiries({ listed, decided, chosen, nowMs });
  useInSight(list, chosen);
  const onKeyDown = tabKeys({ tabs: shown, chosen, choose: actions.selectExpiry });
  return (
    <div className={styles.expiries} role="tablist" aria-label="Expiries" ref={list} onKeyDown={onKeyDown}>
      {shown.map((expiryTs) => (
        <button
          key={expiryTs}
          type="button"
          role="tab"
          aria-selected={expiryTs === chosen}
          tabIndex={expiryTs === (chosen ?? shown[0]) ? 0 : -1}
          data-band={timeBand(expiryTs, nowMs)}
          title={titleOf(expiryTs)}
          onClick={() => actions.selectExpiry(expiryTs)}
        >
          {expiryLabel(expiryTs, nowMs)} <small>{signOf(expiryTs, { decided, nowMs })}</small>
        </button>
      ))}
    </div>
  );
}

type Moment = Parameters<typeof expiryStage>[1];

const SIGNS = { settling: 'settling', settled: 'settled', review: 'in review' } as const;

/** The remaining time, in whole days from a day on, or what the expiry waits for. */
function signOf(expiryTs: number, moment: Moment): string {
  const { kind } = expiryStage(expiryTs, moment);
  if (kind !== 'trading' && kind !== 'window') return SIGNS[kind];
  const leftMs = expiryTs * 1_000 - moment.nowMs;
  return leftMs >= DAY_MS ? `${Math.floor(leftMs / DAY_MS)}d` : countdown(leftMs);
}

const DAY_MS = 24 * 3_600_000;

function titleOf(expiryTs: number): string {
  const { local, newYork } = instantLabels(expiryTs * 1_000);
  return local === newYork ? newYork : `${newYork}, here ${local}`;
}

/** Scrolls to the chosen tab, once the chain has made room for its expiry: layout is a task of its own. */
function useInSight(list: { readonly current: HTMLElement | null }, chosen: number | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is what moves it
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
      tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [list, chosen]);
}
