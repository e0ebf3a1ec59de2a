/** The operators' page: asks for the token, then lists everything that needs a person, and the venue's health. */

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useStore } from '../../terminal/terminal.ts';
import styles from './Admin.module.css';
import { Audit } from './Audit.tsx';
import type { AdminConsole, Console, Watched } from './admin-console.ts';
import { Accounts, Expiries } from './Exposure.tsx';
import { Feeds } from './Feeds.tsx';
import { Books, Node } from './Figures.tsx';
import { Glance } from './Glance.tsx';
import { HeldDeposits, PayoutList } from './MoneyLists.tsx';
import { Reviews } from './Reviews.tsx';
import { SecondPerson } from './SecondPerson.tsx';
import { Trends } from './Trends.tsx';

/** Above this age the page marks its figures as old. */
const OLD_MS = 10_000;

export function AdminApp({ desk }: { readonly desk: AdminConsole }): ReactNode {
  const state = useStore(desk.state, (one) => one);
  return (
    <div className={styles.admin}>
      <Top state={state} desk={desk} />
      {state.isIn ? <Watching state={state} desk={desk} /> : <Door state={state} desk={desk} />}
    </div>
  );
}

interface Props {
  readonly state: Console;
  readonly desk: AdminConsole;
}

function Top({ state, desk }: Props): ReactNode {
  const mode = state.watched?.mode ?? null;
  return (
    <header className={styles.top} data-mode={mode ?? 'unknown'}>
      <h1>Venue: operators</h1>
      {mode === 'paper' && <span className={styles.mode}>PAPER</span>}
      {mode === 'deposits' && <span className={`${styles.mode} ${styles.isReal}`}>REAL MONEY</span>}
      {state.isIn && <Age state={state} />}
      {state.isIn && (
        <button type="button" onClick={() => desk.leave()}>
          Leave
        </button>
      )}
    </header>
  );
}

/** The age of the figures, which keeps counting while the venue does not answer. */
function Age({ state }: Pick<Props, 'state'>): ReactNode {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (state.asOfMs === null) return <span className={styles.age}>Reading…</span>;
  const ageMs = Math.max(0, nowMs - state.asOfMs);
  return (
    <span className={styles.age} data-old={ageMs > OLD_MS}>
      {ageMs > OLD_MS ? 'Old: ' : ''}read {Math.round(ageMs / 1_000)} s ago
    </span>
  );
}

function Door({ state, desk }: Props): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const token = field.current?.value ?? '';
    if (field.current !== null) field.current.value = '';
    if (token !== '') void desk.enter(token);
  };
  return (
    <form className={`panel-box ${styles.door}`} onSubmit={submit}>
      <label htmlFor="operator-token">Operators’ secret</label>
      <input id="operator-token" ref={field} type="password" autoComplete="off" spellCheck={false} />
      <button type="submit" className="primary" disabled={state.isAsking}>
        {state.isAsking ? 'Asking…' : 'Enter'}
      </button>
      <p className="muted">
        Your own, or VENUE_OPERATOR_TOKEN of the exchange. It stays in this page’s memory, is gone when the
        page is closed or loaded again, and is sent to this exchange alone.
      </p>
      {state.refusal !== null && (
        <p className="fault" role="alert">
          The exchange says: {state.refusal}
        </p>
      )}
    </form>
  );
}

function Watching({ state, desk }: Props): ReactNode {
  return (
    <>
      {state.fault !== null && (
        <p className={`fault ${styles.wide}`} role="alert">
          The exchange does not answer as it should: {state.fault}. What stands here is as it was; the next
          look is in 3 s.
        </p>
      )}
      {state.watched === null ? <p>Reading…</p> : <Parts watched={state.watched} desk={desk} />}
    </>
  );
}

function Parts({ watched, desk }: { readonly watched: Watched; readonly desk: AdminConsole }): ReactNode {
  return (
    <main className={styles.parts}>
      <Glance watched={watched} />
      <SecondPerson watched={watched} />
      <Reviews watched={watched} desk={desk} />
      {watched.money !== null && <HeldDeposits held={watched.money.held} desk={desk} />}
      {watched.money !== null && <PayoutList payouts={watched.money.payouts} />}
      <Accounts exposure={watched.exposure} />
      <Expiries exposure={watched.exposure} />
      <Trends watched={watched} />
      <Books watched={watched} />
      <Feeds watched={watched} />
      <Node watched={watched} />
      <Audit watched={watched} desk={desk} />
    </main>
  );
}
