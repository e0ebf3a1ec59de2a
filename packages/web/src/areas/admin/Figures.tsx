/** The venue's money and the state of the answering node, from its metrics. */

import type { ReactNode } from 'react';
import { formatExact, formatUsd, UNKNOWN } from '../../basics/numbers.ts';
import styles from './Admin.module.css';
import type { Watched } from './admin-console.ts';
import { gauge, type Samples } from './metrics.ts';

interface Figure {
  readonly name: string;
  readonly metric: string;
  readonly text: (value: number) => string;
  /** True when the value needs an operator's attention. */
  readonly isBad?: (value: number, samples: Samples) => boolean;
}

const usd = (value: number) => formatUsd(value);
const count = (value: number) => formatExact(value, 0);
const seconds = (value: number) => `${value.toFixed(value < 10 ? 3 : 0)} s`;
const yesNo = (value: number) => (value === 1 ? 'yes' : 'no');
const MEBIBYTE = 2 ** 20;
/** Share of the credit line; the metrics alert fires from the same share. */
const LINE_SHARE_MAX = 0.8;

const BOOKS: readonly Figure[] = [
  { name: 'House loss', metric: 'venue_house_loss_dollars', text: usd, isBad: (value) => value > 0 },
  { name: 'Cash of the house', metric: 'venue_house_cash_dollars', text: usd },
  {
    name: 'Maker’s exposure',
    metric: 'venue_house_exposure_dollars',
    text: usd,
    isBad: (value, samples) => value > LINE_SHARE_MAX * gauge(samples, 'venue_house_line_dollars'),
  },
  { name: 'Maker’s line', metric: 'venue_house_line_dollars', text: usd },
  { name: 'Fees', metric: 'venue_fees_dollars', text: usd },
  { name: 'Paid in', metric: 'venue_funded_dollars', text: usd },
  { name: 'Withdrawals pending', metric: 'venue_withdrawals_pending_dollars', text: usd },
  { name: 'Withdrawals committed', metric: 'venue_withdrawals_committed_dollars', text: usd },
  { name: 'Accounts', metric: 'venue_accounts', text: count },
  { name: 'Resting orders', metric: 'venue_orders_resting', text: count },
  { name: 'Live series', metric: 'venue_series_live', text: count },
  { name: 'Series with a mark', metric: 'venue_marks', text: count },
];

const NODE: readonly Figure[] = [
  {
    name: 'In touch with its log',
    metric: 'venue_log_reachable',
    text: yesNo,
    isBad: (value) => value !== 1,
  },
  { name: 'Up to date', metric: 'venue_node_current', text: yesNo, isBad: (value) => value !== 1 },
  { name: 'Entries behind', metric: 'venue_log_lag_entries', text: count, isBad: (value) => value > 1_000 },
  {
    name: 'Heard of its log',
    metric: 'venue_log_contact_age_seconds',
    text: seconds,
    isBad: (value) => value > 5,
  },
  { name: 'Last entry', metric: 'venue_log_position', text: count },
  { name: 'Newest snapshot', metric: 'venue_snapshot_position', text: count },
  {
    name: 'Commands that wait',
    metric: 'venue_commands_pending',
    text: count,
    isBad: (value) => value > 1_000,
  },
  {
    name: 'Signatures that wait',
    metric: 'venue_signatures_waiting',
    text: count,
    isBad: (value) => value > 300,
  },
  {
    name: 'Event loop, p99',
    metric: 'nodejs_eventloop_lag_p99_seconds',
    text: seconds,
    isBad: (value) => value > 0.1,
  },
  { name: 'Stream connections', metric: 'venue_stream_clients', text: count },
  {
    name: 'Memory',
    metric: 'process_resident_memory_bytes',
    text: (value) => `${Math.round(value / MEBIBYTE)} MiB`,
  },
];

export function Books({ watched }: { readonly watched: Watched }): ReactNode {
  return (
    <section className="panel-box" aria-label="Books">
      <h2>Books{watched.mode === 'paper' ? ', paper dollars' : ''}</h2>
      <Figures figures={BOOKS} samples={watched.metrics} />
    </section>
  );
}

export function Node({ watched }: { readonly watched: Watched }): ReactNode {
  return (
    <section className="panel-box" aria-label="Node">
      <h2>
        Node{' '}
        <span className={watched.isHealthy ? styles.count : 'fault'}>
          {watched.isHealthy ? 'healthy' : 'NOT HEALTHY'}
        </span>
      </h2>
      <Figures figures={NODE} samples={watched.metrics} />
      <p className="muted">Of the node that answers this page; the others have pages of their own.</p>
    </section>
  );
}

function Figures({
  figures,
  samples,
}: {
  readonly figures: readonly Figure[];
  readonly samples: Samples;
}): ReactNode {
  if (samples.size === 0) return <p className="fault">The node does not give its metrics to this page.</p>;
  return (
    <dl className={styles.figures}>
      {figures.map(({ name, metric, text, isBad }) => {
        const value = gauge(samples, metric);
        const bad = isBad?.(value, samples) ?? false;
        return (
          <div key={metric}>
            <dt>{name}</dt>
            <dd className={bad ? 'fault' : ''}>
              {bad ? '! ' : ''}
              {Number.isNaN(value) ? UNKNOWN : text(value)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
