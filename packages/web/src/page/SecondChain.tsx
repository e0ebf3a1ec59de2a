/** A second expiry beside the chosen one, on screens that have room for both. */

import type { ChainMembers } from '@venue/protocol';
import type { ChannelMessage } from '@venue/sdk/browser';
import { type ReactNode, useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import expiryStyles from '../areas/chain/Expiry.module.css';
import { countdown, expiryLabel } from '../basics/dates.ts';
import { secondExpiry } from '../market/expiry-stage.ts';
import { LiveChain } from '../market/live-chain.ts';
import { Market } from '../market/market.ts';
import type { Listing } from '../market/state.ts';
import { type Terminal, TerminalContext, useStore, useTerminal } from '../terminal/terminal.ts';
import { useVenueNow } from '../terminal/use-venue-now.ts';
import styles from './SecondChain.module.css';

/** @param children the chain, drawn for the second expiry */
export function SecondChain({ children }: { readonly children: ReactNode }): ReactNode {
  const { stores } = useTerminal();
  const [wanted, setWanted] = useState<number | null>(null);
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const listed = useStore(stores.listing, (listing) => listing.expiries);
  const first = useStore(stores.listing, (listing) => listing.expiryTs);
  const nowMs = useVenueNow();
  const expiryTs = secondExpiry(listed, { first, wanted, nowMs });
  if (symbol === null || expiryTs === null) return null;
  return (
    <section className="second-chain" aria-label="Second expiry">
      <ExpiryChoice {...{ listed, first, expiryTs, nowMs }} onChoose={setWanted} />
      <OfExpiry {...{ symbol, expiryTs }}>{children}</OfExpiry>
    </section>
  );
}

interface ExpiryChoiceProps {
  readonly listed: readonly number[];
  readonly first: number | null;
  readonly expiryTs: number;
  readonly nowMs: number;
  readonly onChoose: (expiryTs: number) => void;
}

function ExpiryChoice({ listed, first, expiryTs, nowMs, onChoose }: ExpiryChoiceProps): ReactNode {
  const id = useId();
  return (
    <p className={`${expiryStyles.bar} ${styles.secondExpiry}`}>
      <label htmlFor={id}>Beside it</label>
      <select id={id} value={expiryTs} onChange={({ target }) => onChoose(Number(target.value))}>
        {listed
          .filter((one) => one !== first)
          .map((one) => (
            <option key={one} value={one}>
              {expiryLabel(one, nowMs)}
            </option>
          ))}
      </select>
      <span className="muted">
        ends in <strong className={expiryStyles.timeLeft}>{countdown(expiryTs * 1_000 - nowMs)}</strong>
      </span>
    </p>
  );
}

interface OfExpiryProps {
  readonly symbol: string;
  readonly expiryTs: number;
  readonly children: ReactNode;
}

/** Gives what is inside it another chain, with its own channel; all else is the page's. */
function OfExpiry({ symbol, expiryTs, children }: OfExpiryProps): ReactNode {
  const terminal = useTerminal();
  const listing = useListingOf(terminal.stores.listing, expiryTs);
  const [{ market, painter }] = useState(() => {
    const shown = new Market();
    return { market: shown, painter: terminal.painterOf(shown) };
  });
  useEffect(() => market.subscribe({ numbered: () => painter.request() }), [market, painter]);
  const isShown = useIsShown();
  const [isOld, setIsOld] = useState(false);
  useEffect(() => {
    if (!isShown) return undefined;
    const chain = new LiveChain();
    const end = terminal.channels.listen(`chain:${symbol}:${expiryTs}`, {
      onMessage: (message: ChannelMessage & ChainMembers) => {
        const next = chain.take(message);
        // At its cutoff the venue's chain loses its rows.
        if (next.rows.length > 0 || market.shape === null) market.apply(next);
      },
      onRight: (isRight) => setIsOld(!isRight),
    });
    return end;
  }, [terminal, market, symbol, expiryTs, isShown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it shows is of these
  useEffect(() => () => market.reset(), [market, symbol, expiryTs]);
  const inner = useMemo(
    (): Terminal => ({
      ...{ ...terminal, market, painter },
      stores: { ...terminal.stores, listing },
      actions: {
        ...terminal.actions,
        pickPrice: (leg, side) =>
          terminal.desk.pick(leg, side, market.value(leg, side === 'buy' ? 'ask' : 'bid')),
      },
    }),
    [terminal, market, painter, listing],
  );
  return (
    <TerminalContext value={inner}>
      {isOld && (
        <p className="muted" role="status">
          Prices as last known
        </p>
      )}
      {children}
    </TerminalContext>
  );
}

/** A page that nobody looks at follows no chain. */
function useIsShown(): boolean {
  return useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
}

function onVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

/** The page's listing with another expiry chosen. */
function useListingOf(whole: StoreApi<Listing>, expiryTs: number): StoreApi<Listing> {
  const listing = useMemo(() => createStore(() => ({ ...whole.getState(), expiryTs })), [whole, expiryTs]);
  useEffect(
    () => whole.subscribe((next) => listing.setState({ ...next, expiryTs })),
    [whole, listing, expiryTs],
  );
  return listing;
}
