/** The session: what its key may do, how long it is valid, and how to end it. When signed out, the sign-in. */

import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { countdown } from '../../basics/dates.ts';
import { shortAddress } from '../../basics/short-address.ts';
import { LOADING, later } from '../../kit/later.tsx';
import { SignIn } from '../../kit/SignIn.tsx';
import type { SignedIn } from '../../session/state.ts';
import { isSameAddress } from '../../session/wallets.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { usePapers } from '../../terminal/use-papers.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import styles from './SessionMenu.module.css';

const Session = later(async () => (await import('./late.ts')).Session);

const BUTTON_TEXTS: Partial<Record<SignedIn['state'], string>> = {
  none: 'Sign in',
  restoring: 'Signing in…',
  connecting: 'Signing in…',
  signing: 'Signing in…',
  expired: 'Session expired',
  revoked: 'Session revoked',
};

export function SessionMenu(): ReactNode {
  const { stores } = useTerminal();
  const session = useStore(stores.session, (state) => state);
  const [isOpen, setIsOpen] = useState(false);
  const popover = useRef<HTMLDivElement>(null);
  const id = useId();
  const isReady = session.state === 'ready';
  // Signed in here or in another tab: closes the sign-in.
  useEffect(() => {
    if (isReady) popover.current?.hidePopover();
  }, [isReady]);
  return (
    <>
      <button
        type="button"
        className="session-button"
        data-state={session.state}
        data-asks={session.otherAddress !== null}
        popoverTarget={id}
      >
        {isReady && session.address !== null ? (
          <>
            {session.wallet ?? <PaperName address={session.address} />}{' '}
            <span className={styles.address}>{shortAddress(session.address)}</span>
            <TimeLeft expiresAtMs={session.expiresAtMs} />
          </>
        ) : (
          BUTTON_TEXTS[session.state]
        )}
      </button>
      <div
        id={id}
        ref={popover}
        popover="auto"
        className="session-menu"
        role="dialog"
        aria-label="Session"
        onToggle={(event) => setIsOpen(event.newState === 'open')}
      >
        <Suspense fallback={LOADING}>
          {isOpen && (isReady ? <Session session={session} /> : <SignIn />)}
        </Suspense>
      </div>
    </>
  );
}

function PaperName({ address }: { readonly address: string }): ReactNode {
  const found = usePapers().list?.find((one) => isSameAddress(one.address, address));
  return <span className={styles.paperName}>{found?.name ?? 'Paper account'}</span>;
}

const SOON_MS = 3_600_000;

/** Shown in the header only shortly before the end. */
function TimeLeft({ expiresAtMs }: Pick<SignedIn, 'expiresAtMs'>): ReactNode {
  const nowMs = useVenueNow(10_000);
  if (expiresAtMs === null || expiresAtMs - nowMs > SOON_MS) return null;
  return <span className="warning"> {countdown(expiresAtMs - nowMs)} left</span>;
}
