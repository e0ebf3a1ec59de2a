/** The way in: a wallet of the browser, or in paper mode a key that the page makes. */

import { discoverWallets, type InjectedWallet, walletFromProvider } from '@venue/sdk/browser';
import { type ReactNode, useEffect, useState } from 'react';
import { useStore, useTerminal } from './terminal.ts';

export function SignIn(): ReactNode {
  const { stores, sessions } = useTerminal();
  const mode = useStore(stores.link, (link) => link.mode);
  const session = useStore(stores.session, (state) => state);
  const wallets = useWallets();
  if (session.state === 'signing' || session.state === 'restoring') {
    return (
      <div className="sign-in" role="status">
        {session.state === 'signing' ? 'Your wallet asks you to sign.' : 'Going on with your session…'}
        <button type="button" onClick={() => void sessions.forget()}>
          Cancel
        </button>
      </div>
    );
  }
  return (
    <div className="sign-in">
      <p>
        {session.state === 'expired' ? 'Your trading session has expired.' : 'Sign in to trade.'} One
        signature approves a key that this browser keeps for a day.
        {mode === 'deposits' &&
          ' The text to sign says that the key cannot withdraw; at this venue it can ask for a withdrawal, which is only ever paid to your own address.'}
      </p>
      {mode === 'paper' && (
        <button type="button" className="primary" onClick={() => void sessions.approveThrowAway()}>
          Start with a paper account
        </button>
      )}
      {wallets.map(({ info, provider }) => (
        <button
          key={info.uuid}
          type="button"
          onClick={async () => {
            const wallet = await walletFromProvider(provider).catch(() => null);
            if (wallet !== null) await sessions.approve({ wallet, name: info.name });
          }}
        >
          <img src={info.icon} alt="" width="16" height="16" /> {info.name}
        </button>
      ))}
      {wallets.length === 0 && mode === 'deposits' && (
        <p>No wallet was found in this browser. Install one and come back.</p>
      )}
      {session.fault !== null && (
        <p role="alert" className="fault">
          {session.fault}
        </p>
      )}
    </div>
  );
}

function useWallets(): readonly InjectedWallet[] {
  const [wallets, setWallets] = useState<readonly InjectedWallet[]>([]);
  useEffect(() => {
    let isGone = false;
    void discoverWallets().then((found) => {
      if (!isGone) setWallets(found);
    });
    return () => {
      isGone = true;
    };
  }, []);
  return wallets;
}
