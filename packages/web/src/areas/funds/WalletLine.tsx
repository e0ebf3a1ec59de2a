/** The wallet in use, and any problem with it. */

import type { ReactNode } from 'react';
import { shortAddress } from '../../basics/short-address.ts';
import { useStore } from '../../terminal/terminal.ts';
import { amountText, coinText } from './amounts.ts';
import styles from './Funds.module.css';
import type { FundsDesk } from './funds-desk.ts';
import type { Funds } from './funds-state.ts';
import { chainName } from './vault-site.ts';

export function WalletLine({ desk }: { readonly desk: FundsDesk }): ReactNode {
  const funds = useStore(desk.state, (state) => state);
  return (
    <div className={styles.wallet}>
      <div role="status">
        <WalletState funds={funds} />
        {funds.viewFault !== null && <p className="fault">{funds.viewFault}</p>}
      </div>
      <WalletActs funds={funds} desk={desk} />
      <WalletRequest funds={funds} desk={desk} />
    </div>
  );
}

function WalletState({ funds }: { readonly funds: Funds }): ReactNode {
  const { wallet, walletName, view, tokenSymbol, site, chainId, selected } = funds;
  switch (wallet) {
    case 'looking':
      return <p className="muted">Looking for your wallet…</p>;
    case 'none':
      return <p>No wallet found in this browser. Install the one that you signed in with, and come back.</p>;
    case 'unconnected':
      return <p>Your wallet does not show this page its accounts yet.</p>;
    case 'other-chain':
      return (
        <p className="warning">
          Your wallet is on {chainName(chainId ?? 0)}; the vault is on {chainName(site?.chainId ?? 0)}.
        </p>
      );
    case 'other-account':
      return (
        <p className="warning">
          Your wallet has {selected === null ? 'no account' : shortAddress(selected)} selected. A deposit is
          credited to the address that sends it: select the account that you signed in with.
        </p>
      );
    case 'ready':
      return (
        <p>
          <strong>{walletName}</strong> on {chainName(site?.chainId ?? 0)} has{' '}
          <span className={styles.number}>{amountText(view?.tokenBalance ?? 0n, tokenSymbol)}</span> and{' '}
          <span className={styles.number}>{coinText(view?.coinBalance ?? 0n, site?.chainId ?? 0)}</span> for
          gas. The vault is <code title={site?.vault}>{shortAddress(site?.vault ?? '')}</code>.
        </p>
      );
  }
}

function WalletActs({ funds, desk }: { readonly funds: Funds; readonly desk: FundsDesk }): ReactNode {
  const { wallet, wallets, site, doing } = funds;
  if (wallet === 'other-chain') {
    return (
      <button type="button" disabled={doing !== null} onClick={() => void desk.switchChain()}>
        Switch to {chainName(site?.chainId ?? 0)}
      </button>
    );
  }
  if (wallet !== 'unconnected') return null;
  return wallets.map((one) => (
    <button
      key={one.info.uuid}
      type="button"
      disabled={doing !== null}
      onClick={() => void desk.connect(one)}
    >
      <img src={one.info.icon} alt="" width="16" height="16" /> Connect {one.info.name}
    </button>
  ));
}

/** The request the wallet has to answer, or its last error. */
function WalletRequest({ funds, desk }: { readonly funds: Funds; readonly desk: FundsDesk }): ReactNode {
  const { doing, fault } = funds;
  if (doing !== null && doing !== 'withdraw') {
    return (
      <p className="warning" role="status">
        Respond in your wallet.{' '}
        <button type="button" onClick={() => desk.giveUp()}>
          Stop waiting
        </button>
      </p>
    );
  }
  if (fault === null || fault.doing === 'withdraw') return null;
  return (
    <p className="fault" role="alert">
      {fault.text}
    </p>
  );
}
