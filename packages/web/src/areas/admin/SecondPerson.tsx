/** Settlements by hand and payouts above the limits that one person has begun and another has to finish. */

import type { ReactNode } from 'react';
import styles from './Admin.module.css';
import type { Watched } from './admin-console.ts';
import { cutoffText, instantText } from './instant-text.ts';
import { Table } from './Table.tsx';
import { waitingOf } from './waiting.ts';

export function SecondPerson({ watched }: { readonly watched: Watched }): ReactNode {
  const { proposals, reviews, payouts } = waitingOf(watched);
  const count = proposals.length + reviews.length + payouts.length;
  return (
    <section
      id="admin-waiting"
      className={`panel-box ${styles.wide}`}
      aria-label="Waiting for a second person"
      data-waits={count > 0}
    >
      <h2>
        Waiting for a second person <span className={styles.count}>{count}</span>
      </h2>
      {count === 0 && <p className="muted">Nothing waits.</p>}
      {count > 0 && (
        <Table name="What waits" heads={['What', 'Which', 'Until', 'Needs']} left={['Which']}>
          {reviews.map(({ symbol, expiryTs, series }) => (
            <tr key={`${symbol}-${expiryTs}`}>
              <th scope="row">Expiry in review</th>
              <td className={styles.left}>
                {symbol}, {cutoffText(expiryTs)}: {series.length} series
              </td>
              <td>–</td>
              <td>two people with secrets to settle</td>
            </tr>
          ))}
          {proposals.map(({ id, secret, by, seriesId, symbol, expiryTs, expiresAt }) => (
            <tr key={id}>
              <th scope="row">Settlement proposed, number {id}</th>
              <td className={styles.left}>{seriesId ?? `${symbol}, ${cutoffText(expiryTs ?? 0)}`}</td>
              <td>{instantText(expiresAt)}</td>
              <td>{by === undefined ? `secret ${secret === 1 ? 2 : 1}` : `another than ${by}`}</td>
            </tr>
          ))}
          {payouts.map(({ id, address, waits }) => (
            <tr key={`payout-${id}`}>
              <th scope="row">Payout {id}</th>
              <td className={styles.left}>
                <code>{address}</code>
              </td>
              <td>–</td>
              <td>{waits}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
