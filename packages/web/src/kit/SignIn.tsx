/** The sign-in: a wallet of the browser, or in paper mode a key that the page generates. */

import type { Hex } from '@venue/protocol';
import type { InjectedWallet } from '@venue/sdk/browser';
import { type FormEvent, type ReactNode, useState } from 'react';
import { messageOf } from '../basics/failure-words.ts';
import { shortAddress } from '../basics/short-address.ts';
import type { PaperAccount as KeptPaper } from '../session/paper-accounts.ts';
import type { SignedIn } from '../session/state.ts';
import { isSameAddress } from '../session/wallets.ts';
import { useStore, useTerminal } from '../terminal/terminal.ts';
import { useAnnouncement } from '../terminal/use-announcement.ts';
import { usePapers } from '../terminal/use-papers.ts';
import { useWallets } from '../terminal/use-wallets.ts';
import './SignIn.css';

export function SignIn(): ReactNode {
  const { stores } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const session = useStore(stores.session, (state) => state);
  if (session.state === 'connecting' || session.state === 'signing' || session.state === 'restoring') {
    return <Waiting session={session} />;
  }
  return (
    <section className="sign-in" aria-label="Sign in">
      <p>
        {WHY[session.state] ?? WHY.none}
        {session.address !== null && session.state !== 'none' && (
          <>
            {' '}
            It belonged to {session.wallet ?? 'the paper account'} {shortAddress(session.address)}.
          </>
        )}
      </p>
      <p className="muted">
        {mode === 'paper'
          ? 'No wallet or e-mail needed. The account is kept in this browser.'
          : 'One signature approves a key that this browser keeps for a day. It places and cancels your orders.'}
      </p>
      {mode === 'deposits' && (
        <p className="warning">
          The text that your wallet shows says that the key cannot withdraw. At this venue it can ask for a
          withdrawal, which is only ever paid to your own address.
        </p>
      )}
      {mode === 'paper' && <PaperAccount session={session} />}
      <WalletList mode={mode} />
      <Fault text={session.fault} />
    </section>
  );
}

const WHY: Partial<Record<SignedIn['state'], string>> = {
  none: 'Sign in to trade.',
  expired: 'Your trading session has expired. Approve another; your order stays as it is.',
  revoked: 'This trading session was revoked. Approve another; your order stays as it is.',
};

function Waiting({ session }: { readonly session: SignedIn }): ReactNode {
  const { sessions } = useTerminal();
  const wallet = session.wallet ?? 'Your key';
  const texts = {
    connecting: `${wallet} is asking which account to use. Check its window.`,
    signing: `${wallet} is asking for your signature. Check its window.`,
    restoring: 'Resuming your session…',
  } as const;
  return (
    <section className="sign-in" aria-label="Sign in">
      <p>
        {texts[session.state as keyof typeof texts]}
        {session.fault !== null && ` ${session.fault}`}
      </p>
      <OtherAccount />
      <button
        type="button"
        onClick={() => (session.state === 'restoring' ? void sessions.forget() : sessions.cancel())}
      >
        Cancel
      </button>
    </section>
  );
}

function PaperAccount({ session }: { readonly session: SignedIn }): ReactNode {
  const { sessions } = useTerminal();
  const { list } = usePapers();
  const [fault, setFault] = useState<string | null>(null);
  const goOn = ({ address }: KeptPaper) => {
    setFault(null);
    sessions.switchTo(address).catch((error: unknown) => setFault(messageOf(error)));
  };
  const start = () => void sessions.approveThrowAway();
  const [first, ...others] = inOrderOfUse(list ?? [], session.address);
  return (
    <>
      {first === undefined ? (
        <button type="button" className="primary" disabled={list === null} onClick={start}>
          Start with a paper account
        </button>
      ) : (
        <>
          <button type="button" className="primary" onClick={() => goOn(first)}>
            Continue as {first.name}
          </button>
          <ul className="kept-papers" aria-label="Paper accounts of this browser">
            {others.map((one) => (
              <li key={one.address}>
                <button type="button" onClick={() => goOn(one)}>
                  <strong>{one.name}</strong> <span className="muted">{shortAddress(one.address)}</span>
                </button>
              </li>
            ))}
            <li>
              <button type="button" onClick={start}>
                New paper account
              </button>
            </li>
          </ul>
        </>
      )}
      <details>
        <summary>I have the key to a paper account</summary>
        <KeptKey />
      </details>
      <Fault text={fault} />
    </>
  );
}

/** First the account whose session has ended, then the others, those used last before the rest. */
function inOrderOfUse(list: readonly KeptPaper[], address: string | null): readonly KeptPaper[] {
  const isOwn = (one: KeptPaper) => Number(address !== null && isSameAddress(one.address, address));
  return [...list].sort((a, b) => isOwn(b) - isOwn(a) || b.usedMs - a.usedMs);
}

const PRIVATE_KEY = /^0x[0-9a-f]{64}$/i;

function KeptKey(): ReactNode {
  const { sessions } = useTerminal();
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = typed.trim();
    setIsWrong(!PRIVATE_KEY.test(key));
    if (PRIVATE_KEY.test(key)) void sessions.approveThrowAway(key as Hex);
  };
  return (
    <form className="kept-key" onSubmit={submit}>
      <label>
        Key
        <input
          type="password"
          autoComplete="off"
          maxLength={200}
          value={typed}
          aria-invalid={isWrong}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <button type="submit">Use it</button>
      {isWrong && <span className="fault">A key is 0x and 64 hexadecimal digits.</span>}
    </form>
  );
}

function WalletList({ mode }: { readonly mode: string | null }): ReactNode {
  const { sessions } = useTerminal();
  const wallets = useWallets();
  if (wallets.length === 0) {
    return (
      <p className="muted">
        {mode === 'deposits'
          ? 'No wallet found in this browser. Install one and come back.'
          : 'No browser wallet found.'}
      </p>
    );
  }
  return <WalletButtons wallets={wallets} onChoose={(wallet) => void sessions.approveWith(wallet)} />;
}

export interface WalletButtonsProps {
  readonly wallets: readonly InjectedWallet[];
  readonly onChoose: (wallet: InjectedWallet) => void;
}

export function WalletButtons({ wallets, onChoose }: WalletButtonsProps): ReactNode {
  return (
    <ul className="wallets" aria-label="Wallets">
      {wallets.map((wallet) => (
        <li key={wallet.info.uuid}>
          <button type="button" onClick={() => onChoose(wallet)}>
            {wallet.info.icon !== '' && <img src={wallet.info.icon} alt="" width="20" height="20" />}
            {wallet.info.name}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The wallet switched accounts: the page stays with the first and asks. */
export function OtherAccount(): ReactNode {
  const { stores, sessions } = useTerminal();
  const session = useStore(stores.session, (state) => state);
  const wallets = useWallets();
  const { otherAddress, address, wallet } = session;
  if (otherAddress === null || address === null) return null;
  const same = wallets.find(({ info }) => info.name === wallet);
  return (
    <div className="other-account">
      <p className="warning">
        {wallet ?? 'Your wallet'} is now on {shortAddress(otherAddress)}. This page stays with{' '}
        {shortAddress(address)}.
      </p>
      <p className="acts">
        {same !== undefined && (
          <button type="button" onClick={() => void sessions.approveWith(same)}>
            Sign in as {shortAddress(otherAddress)}
          </button>
        )}
        <button type="button" onClick={() => sessions.keepAccount()}>
          Stay with {shortAddress(address)}
        </button>
      </p>
    </div>
  );
}

export function Fault({ text }: { readonly text: string | null }): ReactNode {
  useAnnouncement(text);
  return text === null ? null : <p className="fault">{text}</p>;
}
