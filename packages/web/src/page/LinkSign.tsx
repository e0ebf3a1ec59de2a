/** The state of the link to the venue, and the age of the prices shown. Always visible. */

import type { Instrument } from '@venue/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { ageText } from '../basics/age-text.ts';
import type { LinkState } from '../market/state.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import styles from './LinkSign.module.css';

const TEXTS = {
  connecting: 'Connecting…',
  live: 'Live',
  late: 'Late',
  stale: 'Prices are stale',
  offline: 'Offline',
  'feed-old': 'Spot is stale',
} as const;

const TITLES = {
  connecting: 'Waiting for the venue',
  live: 'Connected; beside it, the time since the underlying last moved',
  late: 'Age of the prices',
  stale: 'Age of the prices',
  offline: 'The venue is not responding',
  'feed-old': 'Connected, but no source has printed a spot price for a minute',
} as const;

/** It may be of a session that no longer reads, beside prices that do. */
const ACCOUNT_OLD_MS = 20_000;

/** Without a print for a minute the venue calls a price stale (FEED-2), however good the link is. */
const FEED_OLD_MS = 60_000;
/** Prices that are younger have just come, whatever the link was a moment ago. */
const TOLD_FROM_MS = 1_000;
/** A price that changed within this time counts as moving. */
const MOVING_MS = 10_000;

export function LinkSign(): ReactNode {
  const { stores } = useTerminal();
  const state = useStore(stores.link, (link) => link.state);
  const reason = useStore(stores.link, (link) => link.reason);
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const isFeedOld = useStore(stores.listing, ({ instruments }) => isOld(instruments, symbol));
  const isOtherVenue = useStore(stores.link, (link) => link.isOtherVenue);
  const shown = state === 'live' && isFeedOld ? 'feed-old' : state;
  return (
    <span className={styles.link} data-state={shown} data-testid="link" title={reason ?? TITLES[shown]}>
      <span aria-hidden="true" className={styles.dot} />
      <span className={styles.linkText}>{isOtherVenue ? 'Stopped' : TEXTS[shown]}</span>{' '}
      {state === 'live' ? <SpotAge symbol={symbol} isFeedOld={isFeedOld} /> : <LinkAge state={state} />}{' '}
      <AccountAge />
    </span>
  );
}

/** False for an underlying without any price. */
function isOld(instruments: readonly Instrument[], symbol: string | null): boolean {
  const instrument = instruments.find((one) => one.symbol === symbol);
  return instrument !== undefined && instrument.spot > 0 && !instrument.feedFresh;
}

interface SpotAgeProps {
  readonly symbol: string | null;
  readonly isFeedOld: boolean;
}

/**
 * How long the underlying's price has been unchanged. A quiet market prints the same price again, so this alone does
 * not make a price old; and for the time before the page was opened, only the venue's own one-minute rule is known.
 */
function SpotAge({ symbol, isFeedOld }: SpotAgeProps): ReactNode {
  const { spotAges } = useTerminal();
  const nowMs = useNow(1_000);
  const age = symbol === null ? null : spotAges.of(symbol, nowMs);
  if (age === null) return <small className={styles.spotAge} />;
  const stoodMs = isFeedOld ? Math.max(age.ms, FEED_OLD_MS) : age.ms;
  if (stoodMs >= MOVING_MS) return <small className={styles.spotAge}>no move for {ageText(stoodMs)}</small>;
  return (
    <small className={styles.spotAge} data-is-usual>
      {age.isSeen && 'moved just now'}
    </small>
  );
}

/** Warns that the account's totals are out of date, even if prices are not. */
function AccountAge(): ReactNode {
  const { stores, asOf } = useTerminal();
  const isIn = useStore(stores.session, (session) => session.state === 'ready');
  const nowMs = useNow(isIn ? 2_000 : null);
  const asOfMs = asOf.accountMs;
  if (!isIn || asOfMs === 0 || nowMs - asOfMs < ACCOUNT_OLD_MS) return null;
  return <small className="warning">account {ageText(nowMs - asOfMs)} old</small>;
}

/** `1.4 s`; while offline, the time of the next try. */
function LinkAge({ state }: { readonly state: Exclude<LinkState, 'live'> }): ReactNode {
  const { stores, asOf } = useTerminal();
  const nextTryMs = useStore(stores.link, (link) => link.nextTryMs);
  const nowMs = useNow(state === 'connecting' ? null : 200);
  if (state === 'connecting') return null;
  if (state === 'offline' && nextTryMs !== null) {
    const leftS = Math.max(0, Math.ceil((nextTryMs - nowMs) / 1_000));
    return <small>{leftS === 0 ? 'retrying now' : `retrying in ${leftS} s`}</small>;
  }
  if (asOf.chainMs === 0) return null;
  const ageMs = nowMs - asOf.chainMs;
  return ageMs < TOLD_FROM_MS ? null : <small>{ageText(ageMs)}</small>;
}

/** The page's clock, updated at this interval; null for never. */
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
