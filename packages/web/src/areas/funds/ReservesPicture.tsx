/** The venue's liabilities beside the vault's holdings: the inequality in numbers, and whether it holds. */

import type { ReactNode } from 'react';
import { formatExact } from '../../basics/numbers.ts';
import { useStore } from '../../terminal/terminal.ts';
import styles from './Funds.module.css';
import type { FundsDesk } from './funds-desk.ts';
import { type ReserveSums, reserveSums } from './reserves.ts';

export function ReservesPicture({ desk }: { readonly desk: FundsDesk }): ReactNode {
  const { reserves, view, venueFault } = useStore(desk.state, (state) => state);
  const sums = reserves === null || view === null ? null : reserveSums(reserves, view);
  return (
    <section className="panel-box" aria-label="Reserves">
      <h3>Reserves</h3>
      {venueFault !== null && (
        <p className="fault" role="status">
          The venue does not say now: {venueFault}
        </p>
      )}
      {reserves !== null && reserves.payoutsHalted !== null && (
        <p className="fault" role="alert">
          Payouts are halted: {reserves.payoutsHalted}. Withdrawals are taken, and paid once this is over.
        </p>
      )}
      {sums !== null && <Inequality sums={sums} block={view!.headBlock} />}
      {sums === null && reserves !== null && (
        <p>
          The venue says that it owes {usd(reserves.cashTotalUsd)} of cash and{' '}
          {usd(reserves.pendingWithdrawalsUsd)} of withdrawals. Connect your wallet to hold that against the
          vault.
        </p>
      )}
      {reserves !== null && reserves.vault === null && (
        <p className="fault" role="status">
          The venue's books are bound to no vault: it would credit deposits of any.
        </p>
      )}
      {reserves !== null && (
        <p className="muted">
          {reserves.negativeAccounts > 0 &&
            `${usd(reserves.uncollectibleUsd)} is owed by ${reserves.negativeAccounts} of ${reserves.nonExemptAccounts} accounts and will hardly be collected. `}
          What the venue owes is its own word; what the vault holds comes from the chain through your wallet.
        </p>
      )}
    </section>
  );
}

function Inequality({ sums, block }: { readonly sums: ReserveSums; readonly block: number }): ReactNode {
  const sign = sums.owed <= sums.free ? '≤' : '>';
  return (
    <>
      <p className={styles.verdict} data-holds={sums.holds} role="status">
        <strong>{sums.holds ? 'The reserves hold' : 'The reserves do not hold'}</strong> at block {block}:{' '}
        <span className={styles.number}>
          {usd(sums.owed)} owed {sign} {usd(sums.free)} free
        </span>
      </p>
      <div className={styles.sides}>
        <Side
          name="Owed by the venue"
          total={sums.owed}
          rows={[
            ['Cash of all accounts', sums.cash],
            ['Withdrawals requested', sums.pending],
            ...rowIf('Of these on chain already', -sums.inFlight),
            ...rowIf('Noted and not on chain', sums.notOnChain),
          ]}
        />
        <Side
          name="Free in the vault"
          total={sums.free}
          rows={[
            ['Held', sums.balance],
            ['Set aside for claims', -sums.committed],
          ]}
        />
      </div>
      {sums.unasked > 0 && (
        <p className="fault">
          {usd(sums.unasked)} was set aside on chain that nobody ever asked the venue for.
        </p>
      )}
    </>
  );
}

type Row = readonly [name: string, amount: number];

interface SideProps {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly total: number;
}

function Side({ name, rows, total }: SideProps): ReactNode {
  return (
    <table>
      <tbody>
        {rows.map(([row, amount]) => (
          <tr key={row}>
            <th scope="row">{row}</th>
            <td>{usd(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{name}</th>
          <td>{usd(total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function rowIf(name: string, amount: number): Row[] {
  return amount === 0 ? [] : [[name, amount]];
}

function usd(amount: number): string {
  return amount < 0 ? `−$${formatExact(-amount)}` : `$${formatExact(amount)}`;
}
