/** Expiries that the oracle refused, each with the evidence and the form to settle it. */

import { type ReactNode, useState } from 'react';
import styles from './Admin.module.css';
import type { AdminConsole, Watched } from './admin-console.ts';
import { cutoffText, instantText } from './instant-text.ts';
import type { Review } from './review.ts';
import { Settle } from './Settle.tsx';
import { Sources } from './Sources.tsx';

interface Props {
  readonly watched: Watched;
  readonly desk: AdminConsole;
}

export function Reviews({ watched, desk }: Props): ReactNode {
  const { reviews } = watched;
  const [result, setResult] = useState<string | null>(null);
  return (
    <section
      className={`panel-box ${styles.wide}`}
      aria-label="Pending reviews"
      data-waits={reviews.length > 0}
    >
      <h2>
        Pending reviews <span className={styles.count}>{reviews.length}</span>
      </h2>
      {result !== null && <p role="status">{result}</p>}
      {reviews.length === 0 && <p className="muted">Nothing is pending review.</p>}
      {reviews.map((review) => (
        <ReviewCard
          key={`${review.symbol}-${review.expiryTs}`}
          {...{ review, watched, desk }}
          onSettled={setResult}
        />
      ))}
    </section>
  );
}

interface CardProps extends Props {
  readonly review: Review;
  readonly onSettled: (text: string) => void;
}

function ReviewCard({ review, watched, desk, onSettled }: CardProps): ReactNode {
  const { symbol, expiryTs, series, refused } = review;
  return (
    <article className={styles.review} aria-label={`${symbol}, ${cutoffText(expiryTs)}`}>
      <h3>
        {symbol}, expired {cutoffText(expiryTs)}: {series.length} series
      </h3>
      {refused === null ? (
        <p className="muted">The exchange does not say why yet.</p>
      ) : (
        <>
          <p>
            Refused {instantText(refused.refusedAt)}: <strong>{refused.reason}</strong>.{' '}
            {refused.dispersionBps !== null &&
              `The averages spread by ${refused.dispersionBps.toFixed(1)} bps.`}{' '}
            Positions are kept, orders are gone, no cash moved, shorts stay margined.
          </p>
          <Sources sources={refused.sources} />
          {refused.anchor === null ? (
            <p className="fault">There was no print at all, so that nobody can settle it by hand.</p>
          ) : (
            <Settle review={review} anchor={refused.anchor} {...{ watched, desk, onSettled }} />
          )}
        </>
      )}
      <details>
        <summary>The series</summary>
        <p className={styles.ids}>{series.join(', ')}</p>
      </details>
    </article>
  );
}
