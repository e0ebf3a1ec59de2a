/** Deposits that wait for an operator, and withdrawals. Both exist only with real money. */

import type { Held, Payout } from '@venue/protocol';
import { type ReactNode, useState } from 'react';
import { formatExact } from '../../basics/numbers.ts';
import styles from './Admin.module.css';
import type { AdminConsole, Outcome } from './admin-console.ts';
import { instantText } from './instant-text.ts';
import { Table } from './Table.tsx';

const PAYOUTS_SHOWN = 100;

interface Props {
  readonly held: readonly Held[];
  readonly desk: AdminConsole;
}

export function HeldDeposits({ held, desk }: Props): ReactNode {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const release = async (address: string) => setOutcome(await desk.release(address));
  return (
    <section className="panel-box" aria-label="Held deposits" data-waits={held.length > 0}>
      <h2>
        Held deposits <span className={styles.count}>{held.length}</span>
      </h2>
      {held.length === 0 && <p className="muted">Nothing is held.</p>}
      {held.length > 0 && (
        <>
          <p className="muted">
            From addresses that had never signed in. Release one once you know whose it is. A contract wallet
            can never sign in: leave its money held, and pay it back by hand.
          </p>
          <Table name="Addresses" heads={['Address', 'Amount', 'Deposits', '']}>
            {held.map((row) => (
              <HeldRow key={row.address} held={row} onRelease={release} />
            ))}
          </Table>
        </>
      )}
      {outcome !== null && (
        <p className={outcome.isDone ? '' : 'fault'} role="status">
          {outcome.text}
        </p>
      )}
    </section>
  );
}

interface RowProps {
  readonly held: Held;
  readonly onRelease: (address: string) => void;
}

function HeldRow({ held: { address, amountUsd, deposits }, onRelease }: RowProps): ReactNode {
  const [isAsked, setAsked] = useState(false);
  return (
    <tr>
      <th scope="row">
        <code>{address}</code>
      </th>
      <td>${formatExact(amountUsd)}</td>
      <td>{deposits}</td>
      <td>
        <button type="button" onClick={() => (isAsked ? onRelease(address) : setAsked(true))}>
          {isAsked ? `Release $${formatExact(amountUsd)} permanently` : 'Release…'}
        </button>
        {isAsked && (
          <button type="button" onClick={() => setAsked(false)}>
            No
          </button>
        )}
      </td>
    </tr>
  );
}

export function PayoutList({ payouts }: { readonly payouts: readonly Payout[] }): ReactNode {
  const [isAll, setAll] = useState(false);
  const requested = payouts.filter(({ state }) => state === 'requested');
  const shown = (isAll ? payouts : requested).slice(-PAYOUTS_SHOWN).toReversed();
  return (
    <section className="panel-box" aria-label="Payouts">
      <h2>
        Payouts <span className={styles.count}>{requested.length} requested</span>
      </h2>
      {payouts.length > requested.length && (
        <label className={styles.check}>
          <input type="checkbox" checked={isAll} onChange={() => setAll(!isAll)} /> Committed ones too (
          {payouts.length - requested.length})
        </label>
      )}
      {shown.length === 0 && <p className="muted">None.</p>}
      {shown.length > 0 && (
        <Table
          name="Payouts by number"
          heads={['Number', 'Account', 'Amount', 'State', 'Requested', 'Transaction']}
        >
          {shown.map(({ id, address, amountUsd, state, requestedAt, txHash }) => (
            <tr key={id}>
              <th scope="row">{id}</th>
              <td>
                <code>{address}</code>
              </td>
              <td>${formatExact(amountUsd)}</td>
              <td>{state}</td>
              <td>{instantText(requestedAt)}</td>
              <td>
                <code title={txHash}>{txHash === undefined ? '–' : `${txHash.slice(0, 10)}…`}</code>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {requested.length > 0 && (
        <p className="muted">
          The batcher commits them. One that was committed by hand is noted by the command{' '}
          <code>venue operator commit</code>, with the batcher stopped.
        </p>
      )}
    </section>
  );
}
