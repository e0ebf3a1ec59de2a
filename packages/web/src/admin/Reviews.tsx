/** Expiries that the oracle refused, and their settlement by two people. */

import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { AMOUNT_FAULTS, formatExact, parseAmount } from '../core/numbers.ts';
import type { AdminConsole, Outcome, Watched } from './admin-console.ts';
import { instantText } from './instant-text.ts';
import { boundOf, deviationBps, priceRange, type Review } from './review.ts';
import { Sources } from './Sources.tsx';

interface Props {
  readonly watched: Watched;
  readonly desk: AdminConsole;
}

export function Reviews({ watched, desk }: Props): ReactNode {
  const { reviews } = watched;
  const [said, setSaid] = useState<string | null>(null);
  return (
    <section className="admin-card admin-wide" aria-label="Pending reviews" data-waits={reviews.length > 0}>
      <h2>
        Pending reviews <span className="admin-count">{reviews.length}</span>
      </h2>
      {said !== null && <p role="status">{said}</p>}
      {reviews.length === 0 && <p className="muted">Nothing is pending review.</p>}
      {reviews.map((review) => (
        <ReviewCard
          key={`${review.symbol}-${review.expiryTs}`}
          {...{ review, watched, desk }}
          onSettled={setSaid}
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
    <article className="admin-review" aria-label={`${symbol}, ${instantText(expiryTs * 1_000)}`}>
      <h3>
        {symbol}, expired {instantText(expiryTs * 1_000)}: {series.length} series
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
            <p className="admin-fault">There was no print at all, so that nobody can settle it by hand.</p>
          ) : (
            <Settle review={review} anchor={refused.anchor} {...{ watched, desk, onSettled }} />
          )}
        </>
      )}
      <details>
        <summary>The series</summary>
        <p className="admin-ids">{series.join(', ')}</p>
      </details>
    </article>
  );
}

interface SettleProps extends CardProps {
  readonly anchor: number;
}

function Settle({ review, anchor, watched, desk, onSettled }: SettleProps): ReactNode {
  const [typed, setTyped] = useState('');
  const [isAsked, setAsked] = useState(false);
  const [isSending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [secret1, secret2] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const id = useId();
  const bound = boundOf(watched.audit);
  const range = priceRange(anchor, bound.bps);
  const amount = parseAmount(typed);
  const price = amount.ok ? amount.micros / 1e6 : null;
  const isOutside = price !== null && (price < range.from || price > range.to);
  const fault = typed === '' || amount.ok ? null : AMOUNT_FAULTS[amount.fault];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (price === null || isSending) return;
    if (!isAsked) return setAsked(true);
    const tokens = { token1: secret1.current?.value ?? '', token2: secret2.current?.value ?? '' };
    for (const field of [secret1.current, secret2.current]) if (field !== null) field.value = '';
    setSending(true);
    setAsked(false);
    const came = await desk.settle(review, price, tokens);
    setSending(false);
    setOutcome(came);
    if (came.isDone) onSettled(`${review.symbol}: ${came.text}`);
  };
  return (
    <form className="admin-settle" aria-label={`Settle ${review.symbol} by hand`} onSubmit={submit}>
      <p>
        Anchor <strong>{formatExact(anchor)}</strong>, bound ±{bound.bps} bps
        {bound.isKnown ? '' : ' (the default: the exchange names its own with the first attempt)'}: from{' '}
        <strong>{formatExact(range.from)}</strong> to <strong>{formatExact(range.to)}</strong>.
      </p>
      <div className="admin-fields">
        <Field id={`${id}p`} label="Price of the underlying, $">
          <input
            id={`${id}p`}
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            aria-invalid={fault !== null || isOutside}
            aria-describedby={`${id}s`}
            onChange={(event) => {
              setTyped(event.target.value);
              setAsked(false);
              setOutcome(null);
            }}
          />
        </Field>
        <Field id={`${id}1`} label="First secret">
          <input id={`${id}1`} ref={secret1} type="password" autoComplete="off" spellCheck={false} required />
        </Field>
        <Field id={`${id}2`} label="Second secret">
          <input id={`${id}2`} ref={secret2} type="password" autoComplete="off" spellCheck={false} required />
        </Field>
      </div>
      <p id={`${id}s`} role="status" className={fault !== null || isOutside ? 'admin-warning' : 'muted'}>
        {fault ?? priceText(price, { anchor, isOutside, isAsked, count: review.series.length })}
      </p>
      <div className="admin-acts">
        <button
          type="submit"
          className="admin-act"
          disabled={price === null || isSending}
          data-asked={isAsked}
        >
          {isSending
            ? 'Sending…'
            : `${isAsked ? 'Yes, settle for ever' : 'Settle'}${price === null ? '' : ` at ${formatExact(price)}`}`}
        </button>
        {isAsked && (
          <button type="button" onClick={() => setAsked(false)}>
            No
          </button>
        )}
      </div>
      {outcome !== null && !outcome.isDone && (
        <p className="admin-fault" role="alert">
          The exchange says: {outcome.text}. The attempt stands in the audit; type the secrets again for
          another.
        </p>
      )}
    </form>
  );
}

interface PriceFacts {
  readonly anchor: number;
  readonly isOutside: boolean;
  readonly isAsked: boolean;
  readonly count: number;
}

function priceText(price: number | null, { anchor, isOutside, isAsked, count }: PriceFacts): string {
  if (price === null) return 'Each of two people types in a secret where the other does not see it.';
  const bps = deviationBps(Math.round(price * 1e6), anchor);
  const distance = `${Math.abs(bps).toFixed(1)} bps ${bps < 0 ? 'below' : 'above'} the anchor`;
  if (isOutside) return `${distance}: outside of the bound, so the exchange will refuse it.`;
  if (!isAsked) return `${distance}, within the bound.`;
  return `${distance}. It becomes the price of this underlying at this expiry, pays all ${count} series, and no settlement is ever undone.`;
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly children: ReactNode;
}

function Field({ id, label, children }: FieldProps): ReactNode {
  return (
    <div className="admin-field">
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  );
}
