/**
 * The chosen expiry through its life: time left to trade, the settlement window, the wait for the price, and then the
 * result in place of the chain.
 */

import { type ReactNode, Suspense, useId, useState } from 'react';
import { countdown, expiryLabel, newYorkTime, zonedTime } from '../../basics/dates.ts';
import { formatPrice } from '../../basics/numbers.ts';
import { LOADING, later } from '../../kit/later.tsx';
import { type ExpiryStage, expiryStage, windowEstimate } from '../../market/expiry-stage.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useAnnouncement } from '../../terminal/use-announcement.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import { ChainActs } from './ChainActs.tsx';
import styles from './Expiry.module.css';

const ExpiryWindow = later(async () => (await import('./late.ts')).ExpiryWindow);
const HowItSettles = later(async () => (await import('./late.ts')).HowItSettles);
const Settled = later(async () => (await import('./late.ts')).Settled);
const InReview = later(async () => (await import('./late.ts')).InReview);

/** Wraps the chain, freezes it at the cutoff and then replaces it. */
export function Expiry({ children }: { readonly children: ReactNode }): ReactNode {
  const { stores } = useTerminal();
  const symbol = useStore(stores.listing, (listing) => listing.symbol);
  const expiryTs = useStore(stores.listing, (listing) => listing.expiryTs);
  const stage = useExpiryStage(expiryTs);
  if (stage?.kind === 'settled' || stage?.kind === 'review')
    return (
      <Suspense fallback={LOADING}>
        {stage.kind === 'settled' ? (
          <Settled settlement={stage.settlement} />
        ) : (
          <InReview refused={stage.refused} />
        )}
      </Suspense>
    );
  const isOver = stage?.kind === 'settling';
  return (
    <div className={styles.expiry} data-stage={stage?.kind}>
      <Bar {...{ symbol, expiryTs, stage }} />
      <div className={styles.chain} inert={isOver}>
        {children}
      </div>
    </div>
  );
}

interface BarProps {
  readonly symbol: string | null;
  readonly expiryTs: number | null;
  readonly stage: ExpiryStage | null;
}

/** Keeps its place while nothing is chosen, so that the chain below it stays where it is. */
function Bar({ symbol, expiryTs, stage }: BarProps): ReactNode {
  if (symbol === null || expiryTs === null || stage === null) return <div className={styles.bar} />;
  if (stage.kind === 'settling') return <Settling {...{ symbol, expiryTs }} />;
  return <Running {...{ symbol, expiryTs, stage }} />;
}

/** Null while nothing is chosen; the same object until the stage changes. */
export function useExpiryStage(expiryTs: number | null): ExpiryStage | null {
  const { stores } = useTerminal();
  const decided = useStore(stores.listing, (listing) => listing.settlements);
  const nowMs = useVenueNow();
  return expiryTs === null ? null : expiryStage(expiryTs, { decided, nowMs });
}

interface RunningProps {
  readonly symbol: string;
  readonly expiryTs: number;
  readonly stage: ExpiryStage;
}

function Running({ symbol, expiryTs, stage }: RunningProps): ReactNode {
  const nowMs = useVenueNow();
  const left = countdown(expiryTs * 1_000 - nowMs);
  return (
    <div className={styles.bar}>
      <span>
        {symbol} {expiryLabel(expiryTs, nowMs)} ends in <strong className={styles.timeLeft}>{left}</strong>
      </span>
      <Instant ms={expiryTs * 1_000} />
      {stage.kind === 'window' && (
        <Suspense fallback={null}>
          <ExpiryWindow {...{ symbol, expiryTs, nowMs }} />
        </Suspense>
      )}
      <span className={styles.acts}>
        <ChainActs />
        <Explained />
      </span>
    </div>
  );
}

/** In New York, and here where the time differs. A phone leaves out what its reader knows: New York's date, the zone here. */
function Instant({ ms }: { readonly ms: number }): ReactNode {
  const [newYork, local] = [newYorkTime(ms), zonedTime(ms)];
  const isSame = newYork.time === local.time && newYork.date === local.date;
  return (
    <span className={`muted ${styles.instant}`}>
      <span>
        <span className={styles.known}>{newYork.date} </span>
        {newYork.time} {newYork.zone}
      </span>
      {!isSame && (
        <span className={styles.here}>
          <span className={styles.known}>, </span>here {local.date} {local.time}
          <span className={styles.known}> {local.zone}</span>
        </span>
      )}
    </span>
  );
}

/** Its words are loaded when it is pressed. */
function Explained(): ReactNode {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.why} popoverTarget={id}>
        How it settles
      </button>
      <section
        id={id}
        popover="auto"
        className={styles.explanation}
        aria-label="How it settles"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        <Suspense fallback={LOADING}>{isOpen && <HowItSettles />}</Suspense>
        <button type="button" popoverTarget={id} popoverTargetAction="hide">
          Close
        </button>
      </section>
    </>
  );
}

/** Between the cutoff and the oracle's decision. */
function Settling({ symbol, expiryTs }: { readonly symbol: string; readonly expiryTs: number }): ReactNode {
  const { histories } = useTerminal();
  const nowMs = useVenueNow();
  const estimate = windowEstimate(histories.spots(symbol), { expiryTs, nowMs });
  const agoS = Math.max(0, Math.floor(nowMs / 1_000 - expiryTs));
  const name = `${symbol} ${expiryLabel(expiryTs, nowMs)}`;
  useAnnouncement(`${name} stopped trading. It is settling.`);
  return (
    <div className={`${styles.bar} ${styles.settling}`}>
      <strong>Settling</strong>
      <span>
        {name} stopped trading {agoS < 120 ? `${agoS} s` : countdown(agoS * 1_000)} ago; its price comes about
        30 s after the cutoff.
      </span>
      {estimate !== null && (
        <span className="muted">By what this page saw, near ${formatPrice(estimate.ifUnchanged)}.</span>
      )}
      {agoS > LATE_S && <span>This is taking longer than usual. Your positions are kept.</span>}
      <Explained />
    </div>
  );
}

const LATE_S = 60;
