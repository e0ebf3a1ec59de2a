/** Incoming prices: the age of each underlying's latest, and the sources its last expiry used. */

import type { ReactNode } from 'react';
import { ageText } from '../../basics/age-text.ts';
import { formatPrice, UNKNOWN } from '../../basics/numbers.ts';
import styles from './Admin.module.css';
import type { Watched } from './admin-console.ts';
import { Table } from './Table.tsx';

export function Feeds({
  watched: { instruments, metrics, reviews, settlements },
}: {
  readonly watched: Watched;
}): ReactNode {
  const ages = new Map(
    (metrics.get('venue_feed_age_seconds') ?? []).map(({ labels, value }) => [labels.symbol, value]),
  );
  const sourcesOf = (symbol: string) =>
    reviews.find((review) => review.symbol === symbol)?.refused?.sources ??
    settlements.find((settlement) => settlement.symbol === symbol)?.sources;
  return (
    <section className="panel-box" aria-label="Feeds">
      <h2>Feeds</h2>
      <Table
        name="Underlyings"
        heads={['Underlying', 'Spot', 'Age of the newest print', 'Fresh', 'Sources of the last expiry']}
      >
        {instruments.map(({ symbol, spot, feedFresh }) => (
          <tr key={symbol}>
            <th scope="row">{symbol}</th>
            <td>{spot > 0 ? formatPrice(spot) : UNKNOWN}</td>
            <td>{ageText((ages.get(symbol) ?? Number.NaN) * 1_000)}</td>
            <td className={feedFresh ? '' : 'fault'}>{feedFresh ? 'yes' : 'no'}</td>
            <td className={styles.left}>{sourcesText(sourcesOf(symbol))}</td>
          </tr>
        ))}
      </Table>
      <p className="muted">
        Fresh: some source printed in the last minute. The exchange says which sources it has with each
        expiry.
      </p>
    </section>
  );
}

function sourcesText(sources: readonly { source: string; fresh: boolean }[] | undefined): string {
  if (sources === undefined || sources.length === 0) return UNKNOWN;
  return sources.map(({ source, fresh }) => (fresh ? source : `${source} (old)`)).join(', ');
}
