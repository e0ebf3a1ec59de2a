/** A panel of an account whose session has ended: how to go on, and what the session showed last. */

import { type ReactNode, useMemo } from 'react';
import { momentLabel } from '../basics/time-label.ts';
import { unknownWords } from '../session/own-state.ts';
import { isSameAddress } from '../session/wallets.ts';
import { TerminalContext, useStore, useTerminal } from '../terminal/terminal.ts';
import { usePapers } from '../terminal/use-papers.ts';
import { useWallets } from '../terminal/use-wallets.ts';
import './Ended.css';

interface EndedProps {
  readonly what: string;
  /** False where nothing outlasts the session. */
  readonly children: ReactNode | false;
}

export function Ended({ what, children }: EndedProps): ReactNode {
  const next = useNext();
  return (
    <>
      <p className="muted">
        {unknownWords('ended', { what, as: next?.as ?? null })}{' '}
        {next !== null && (
          <button type="button" onClick={next.press}>
            Continue {next.as}
          </button>
        )}
      </p>
      {children !== false && <Past>{children}</Past>}
    </>
  );
}

interface Next {
  /** As `as Paper 1`, or `with MetaMask`. */
  readonly as: string;
  readonly press: () => void;
}

/** Goes on as the account of the ended session by one press; null without its paper account or wallet here. */
function useNext(): Next | null {
  const { stores, sessions } = useTerminal();
  const { address, wallet } = useStore(stores.session, (state) => state);
  const { list } = usePapers();
  const wallets = useWallets();
  if (address === null) return null;
  if (wallet === null) {
    const paper = list?.find((one) => isSameAddress(one.address, address));
    if (paper === undefined) return null;
    // What is refused stands in the sign-in, which goes on waiting.
    return { as: `as ${paper.name}`, press: () => void sessions.switchTo(address).catch(() => {}) };
  }
  const same = wallets.find(({ info }) => info.name === wallet);
  return same === undefined ? null : { as: `with ${wallet}`, press: () => void sessions.approveWith(same) };
}

/** The account as the ended session showed it last, if that was in this page; nothing of it can be pressed. */
function Past({ children }: { readonly children: ReactNode }): ReactNode {
  const terminal = useTerminal();
  const { past } = terminal.stores;
  const atMs = useStore(past, (then) => then.atMs);
  const then = useMemo(
    () => ({ ...terminal, stores: { ...terminal.stores, holdings: past } }),
    [terminal, past],
  );
  if (atMs === null) return null;
  return (
    <section className="past" aria-label={`As of ${momentLabel(atMs)}`}>
      <p>As of {momentLabel(atMs)}:</p>
      <div inert>
        <TerminalContext value={then}>{children}</TerminalContext>
      </div>
    </section>
  );
}
