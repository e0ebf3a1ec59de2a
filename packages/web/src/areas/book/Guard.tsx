/** The guard of the resting orders, with its countdown (GRD-1). */

import { type ReactNode, use, useEffect } from 'react';
import { countdown } from '../../basics/dates.ts';
import { Term } from '../../kit/Term.tsx';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useAnnouncement } from '../../terminal/use-announcement.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import type { GuardDesk } from './core/guard-desk.ts';
import styles from './Orders.module.css';

const MINUTE_MS = 60_000;
/** No shorter ones: of a page in the background browsers let timers run once a minute. */
const LENGTHS = [2, 5, 10] as const;
/** Another program of the account may change it. */
const LOOK_EVERY_MS = 15_000;
/** A third of it passes between renewals that succeed. */
const LATE_SHARE = 0.5;

export function Guard(): ReactNode {
  const { guardDesk, take } = useTerminal();
  const guard = use(guardDesk());
  const { at, ms, isSending, fault } = useStore(guard.state, (state) => state);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && take()) void guard.look();
    };
    void guard.look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [guard, take]);
  useAnnouncement(fault);
  if (at === undefined) return null;
  const isSet = ms !== null || at !== null;
  return (
    <div className={styles.guard}>
      <fieldset className={`${styles.guardLengths} bare`} disabled={isSending}>
        <legend>
          <Term of="guard">Cancel on disconnect</Term>
        </legend>
        <button type="button" aria-pressed={!isSet} onClick={() => void (isSet && guard.remove())}>
          Off
        </button>
        {LENGTHS.map((minutes) => (
          <button
            key={minutes}
            type="button"
            aria-pressed={ms === minutes * MINUTE_MS}
            aria-label={`Cancel on disconnect, after ${minutes} minutes`}
            onClick={() => void guard.set(minutes * MINUTE_MS)}
          >
            {minutes} min
          </button>
        ))}
      </fieldset>
      {isSet && <Countdown guard={guard} />}
      {fault !== null && <span className="fault">{fault}</span>}
    </div>
  );
}

function Countdown({ guard }: { readonly guard: GuardDesk }): ReactNode {
  useVenueNow();
  const { ms } = guard.state.getState();
  const { leftMs } = guard;
  if (leftMs === null) return null;
  const left = <strong className={styles.guardLeft}>{countdown(leftMs)}</strong>;
  if (ms === null)
    return leftMs > 0 ? (
      <span className="warning">
        One that this page does not renew takes all resting orders in {left}. Turn it off, or choose one here.
      </span>
    ) : (
      <span className="muted">It was due: the resting orders have left the book.</span>
    );
  if (leftMs <= 0)
    return (
      <span className="fault">It could not be renewed in time: the resting orders have left the book.</span>
    );
  return leftMs < ms * LATE_SHARE ? (
    <span className="warning">
      The venue does not answer: unless it does, all resting orders leave in {left}.
    </span>
  ) : (
    <span className="muted">
      Renewed while this page is open; once it is gone, all resting orders leave within {left}.
    </span>
  );
}
