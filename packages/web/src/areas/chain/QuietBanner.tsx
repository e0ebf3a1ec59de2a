/** Warns that the chain on the screen has few or no quotes, and why as far as the page knows. */

import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { expiryLabel } from '../../basics/dates.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useAnnouncement } from '../../terminal/use-announcement.ts';
import { useShape } from '../../terminal/use-market.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import { quietWords } from './core/quiet-words.ts';
import styles from './QuietBanner.module.css';

/** A maker may have no quotes for a moment while it replaces them. */
const LASTS_MS = 2_000;

export function QuietBanner(): ReactNode {
  const words = useQuietWords();
  useAnnouncement(words === null ? null : `${words.title} ${words.text}`);
  if (words === null) return null;
  return (
    <p className={styles.quietBanner} data-testid="quiet">
      <strong>{words.title}</strong> {words.text}
    </p>
  );
}

/** Null while there is a market, while it is unknown, and after the contracts' cutoff. */
function useQuietWords(): ReturnType<typeof quietWords> {
  const { stores, market } = useTerminal();
  const shape = useShape();
  const subscribe = useCallback((onChange: () => void) => market.subscribe({ numbered: onChange }), [market]);
  const quoted = useSyncExternalStore(subscribe, () => market.quotedCount());
  const isFeedFresh = useStore(
    stores.listing,
    ({ instruments }) => instruments.find(({ symbol }) => symbol === shape?.symbol)?.feedFresh ?? true,
  );
  const isLinked = useStore(stores.link, ({ state }) => state === 'live' || state === 'late');
  const nowMs = useVenueNow();
  const isTrading = shape !== null && nowMs < shape.expiryTs * 1_000;
  const words =
    isTrading && isLinked
      ? quietWords({
          symbol: shape.symbol,
          expiry: expiryLabel(shape.expiryTs, nowMs),
          contracts: shape.legs.length,
          quoted,
          isFeedFresh,
        })
      : null;
  const hasLasted = useHasLasted(words !== null, LASTS_MS);
  return hasLasted ? words : null;
}

/** True once a condition has held without a break for a while. */
function useHasLasted(isSo: boolean, ms: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!isSo) {
      setHasLasted(false);
      return undefined;
    }
    const timer = setTimeout(() => setHasLasted(true), ms);
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return hasLasted;
}
