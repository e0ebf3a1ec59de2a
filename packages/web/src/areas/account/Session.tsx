/** The rights of this session's key, how long it is valid, and how to end it. */

import type { Hex } from '@venue/protocol';
import { type ReactNode, useState } from 'react';
import { countdown, instantLabels } from '../../basics/dates.ts';
import { shortAddress } from '../../basics/short-address.ts';
import { Fault, OtherAccount, WalletButtons } from '../../kit/SignIn.tsx';
import type { SignedIn } from '../../session/state.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { useVenueNow } from '../../terminal/use-venue-now.ts';
import { useWallets } from '../../terminal/use-wallets.ts';
import { PaperAccounts } from './PaperAccounts.tsx';
import styles from './Session.module.css';

export function Session({ session }: { readonly session: SignedIn }): ReactNode {
  const { stores, sessions } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const nowMs = useVenueNow();
  const { address, sessionKey, expiresAtMs, wallet, isLasting, fault } = session;
  if (address === null || sessionKey === null || expiresAtMs === null) return null;
  return (
    <>
      <h2>{wallet ?? 'Paper account in this browser'}</h2>
      {mode === 'paper' && <PaperAccounts session={session} />}
      <OtherAccount />
      <dl>
        <dt>Account</dt>
        <dd>
          <Copyable text={address} name="address" />
        </dd>
        <dt>Session key</dt>
        <dd title={sessionKey}>{shortAddress(sessionKey)}</dd>
        <dt>May</dt>
        <dd>
          place and cancel orders, switch margin
          {mode === 'deposits' && ', and ask for withdrawals to your own address'}. It cannot approve another
          key.
        </dd>
        <dt>Until</dt>
        <dd>
          {instantLabels(expiresAtMs).local}, {countdown(expiresAtMs - nowMs)} left
        </dd>
        <dt>Kept</dt>
        <dd>
          {isLasting
            ? 'encrypted in this browser, for the next visit'
            : 'only as long as this page is open: the browser refuses storage'}
        </dd>
      </dl>
      {wallet === null && <KeepPaperAccount />}
      <Revoke session={session} />
      <button type="button" onClick={() => void sessions.forget()}>
        Sign out
      </button>
      <Fault text={fault} />
    </>
  );
}

/** Revoking is signed by the wallet, or by the page's own key. */
function Revoke({ session }: { readonly session: SignedIn }): ReactNode {
  const { sessions } = useTerminal();
  const wallets = useWallets();
  const [isChoosing, setIsChoosing] = useState(false);
  const revoke = async () => {
    if (session.wallet === null) {
      await sessions.revokeOwn();
      return;
    }
    const same = wallets.filter(({ info }) => info.name === session.wallet);
    if (same.length === 1) await sessions.revokeWith(same[0]!);
    else setIsChoosing(true);
  };
  return (
    <>
      <button type="button" onClick={() => void revoke()}>
        Revoke this key
      </button>
      <p className="muted">
        Signing out leaves the key approved until it expires. Revoking it is permanent
        {session.wallet === null ? '.' : ', which your wallet signs.'}
      </p>
      {isChoosing && wallets.length === 0 && (
        <p className="fault">{session.wallet} is not in this browser now.</p>
      )}
      {isChoosing && <WalletButtons wallets={wallets} onChoose={(one) => void sessions.revokeWith(one)} />}
    </>
  );
}

/** Reveals the key on a press: anyone who has it controls the paper account. */
function KeepPaperAccount(): ReactNode {
  const { sessions } = useTerminal();
  const [key, setKey] = useState<Hex | 'gone' | null>(null);
  if (key === null) {
    return (
      <button type="button" onClick={async () => setKey((await sessions.throwAwayKey()) ?? 'gone')}>
        Keep this account: show its key
      </button>
    );
  }
  if (key === 'gone') return <Fault text="Its key is not in this browser any more." />;
  return (
    <div className={`panel-box ${styles.kept}`}>
      <p className="muted">
        With this key you come back to the account from any browser. Put it where you keep passwords, and
        never send real money to its address.
      </p>
      <Copyable text={key} name="key" />
    </div>
  );
}

function Copyable({ text, name }: { readonly text: string; readonly name: string }): ReactNode {
  const [label, setLabel] = useState('Copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setLabel('Copied');
    } catch {
      setLabel('Select and copy it');
    }
  };
  return (
    <span className={styles.copyable}>
      <code>{text}</code>
      <button type="button" aria-label={`${label} the ${name}`} onClick={() => void copy()}>
        {label}
      </button>
    </span>
  );
}
