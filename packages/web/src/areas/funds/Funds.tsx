/** Money in and out of the vault: deposit, withdrawal, claim, and the venue's reserves. Only with real money. */

import { type ReactNode, useEffect } from 'react';
import { SignIn } from '../../kit/SignIn.tsx';
import { type Terminal, useStore, useTerminal } from '../../terminal/terminal.ts';
import { Deposit } from './Deposit.tsx';
import styles from './Funds.module.css';
import { FundsDesk } from './funds-desk.ts';
import { Payouts } from './Payouts.tsx';
import { ReservesPicture } from './ReservesPicture.tsx';
import { WalletLine } from './WalletLine.tsx';
import { Withdraw } from './Withdraw.tsx';

/** One per page: sent transactions are followed while other tabs of the dock are open. */
let desk: FundsDesk | null = null;

function deskOf({ client, stores, notices }: Terminal): FundsDesk {
  desk ??= new FundsDesk({ client, stores, notices });
  return desk;
}

export function Funds(): ReactNode {
  const terminal = useTerminal();
  const one = deskOf(terminal);
  const session = useStore(terminal.stores.session, ({ state }) => state);
  const siteFault = useStore(one.state, (state) => state.siteFault);
  useEffect(() => one.watch(), [one]);
  return (
    <div className={styles.frame}>
      <div className={styles.funds}>
        {siteFault !== null && (
          <p className="fault" role="alert">
            {siteFault}
          </p>
        )}
        {session === 'ready' ? <Moves desk={one} /> : <Outside />}
        <ReservesPicture desk={one} />
      </div>
    </div>
  );
}

function Outside(): ReactNode {
  return (
    <section className="panel-box" aria-label="Sign in">
      <h3>Deposit and withdraw</h3>
      <p>
        Sign in before you deposit: money from an address that never signed in is held until an operator
        releases it.
      </p>
      <SignIn />
    </section>
  );
}

function Moves({ desk: one }: { readonly desk: FundsDesk }): ReactNode {
  return (
    <>
      <WalletLine desk={one} />
      <Deposit desk={one} />
      <Withdraw desk={one} />
      <Payouts desk={one} />
    </>
  );
}
