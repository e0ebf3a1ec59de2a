/** Settles a refused expiry by two people: a price within the bound, a secret of each, and a second press. */

import {
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react';
import { AMOUNT_FAULTS, formatExact, parseAmount, type TypedAmount } from '../../basics/numbers.ts';
import type { AdminConsole, Outcome, Watched } from './admin-console.ts';
import { boundOf, deviationBps, priceRange, type Review } from './review.ts';

interface SettleProps {
  readonly review: Review;
  readonly anchor: number;
  readonly watched: Watched;
  readonly desk: AdminConsole;
  readonly onSettled: (text: string) => void;
}

export function Settle({ review, anchor, watched, desk, onSettled }: SettleProps): ReactNode {
  const [typed, setTyped] = useState('');
  const [areOwn, setOwn] = useState(false);
  const settlement = useSettlement({ review, desk, onSettled });
  const [secret1, secret2] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const id = useId();
  const bound = boundOf(watched.audit);
  const { price, fault, isOutside } = judge(typed, priceRange(anchor, bound.bps));
  const { isAsked, isSending, outcome } = settlement;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (price === null || isSending) return;
    if (!isAsked) settlement.ask(true);
    else void settlement.send(price, { areOwn, token1: taken(secret1), token2: taken(secret2) });
  };
  return (
    <form className="admin-settle" aria-label={`Settle ${review.symbol} by hand`} onSubmit={submit}>
      <Bounds anchor={anchor} bound={bound} />
      <div className="admin-fields">
        <Field
          label="Price of the underlying, $"
          inputMode="decimal"
          value={typed}
          aria-invalid={fault !== null || isOutside}
          aria-describedby={id}
          onChange={(event) => {
            setTyped(event.target.value);
            settlement.forget();
          }}
        />
        <Field label="First secret" ref={secret1} type="password" spellCheck={false} required />
        <Field label="Second secret" ref={secret2} type="password" spellCheck={false} required />
      </div>
      <label className="admin-own">
        <input type="checkbox" checked={areOwn} onChange={(event) => setOwn(event.target.checked)} /> Both are
        operators’ own secrets: the first proposes, the second, another person, confirms
      </label>
      <p id={id} role="status" className={fault !== null || isOutside ? 'admin-warning' : 'muted'}>
        {fault ?? priceText(price, { anchor, isOutside, isAsked, count: review.series.length })}
      </p>
      <div className="admin-acts">
        <button
          type="submit"
          className="admin-act"
          disabled={price === null || isSending}
          data-asked={isAsked}
        >
          {isSending ? 'Sending…' : actText(price, isAsked)}
        </button>
        {isAsked && (
          <button type="button" onClick={() => settlement.ask(false)}>
            No
          </button>
        )}
      </div>
      {outcome !== null && !outcome.isDone && <Refusal text={outcome.text} />}
    </form>
  );
}

/** State of the settlement: confirming, sent, answered. */
function useSettlement({ review, desk, onSettled }: Pick<SettleProps, 'review' | 'desk' | 'onSettled'>) {
  const [isAsked, setAsked] = useState(false);
  const [isSending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return {
    ...{ isAsked, isSending, outcome, ask: setAsked },
    /** Resets the state when the price changes. */
    forget() {
      setAsked(false);
      setOutcome(null);
    },
    async send(price: number, tokens: Parameters<AdminConsole['settle']>[2]) {
      setSending(true);
      setAsked(false);
      const came = await desk.settle(review, price, tokens);
      setSending(false);
      setOutcome(came);
      if (came.isDone) onSettled(`${review.symbol}: ${came.text}`);
    },
  };
}

/** Reads a secret and empties its field. */
function taken({ current: field }: RefObject<HTMLInputElement | null>): string {
  const secret = field?.value ?? '';
  if (field !== null) field.value = '';
  return secret;
}

interface Judged {
  /** Dollars; null while the field holds no valid price. */
  readonly price: number | null;
  readonly fault: string | null;
  readonly isOutside: boolean;
}

function judge(typed: string, range: ReturnType<typeof priceRange>): Judged {
  const amount: TypedAmount = parseAmount(typed);
  if (!amount.ok) {
    return { price: null, fault: typed === '' ? null : AMOUNT_FAULTS[amount.fault], isOutside: false };
  }
  const price = amount.micros / 1e6;
  return { price, fault: null, isOutside: price < range.from || price > range.to };
}

function Bounds({
  anchor,
  bound,
}: Pick<SettleProps, 'anchor'> & { readonly bound: ReturnType<typeof boundOf> }): ReactNode {
  const range = priceRange(anchor, bound.bps);
  return (
    <p>
      Anchor <strong>{formatExact(anchor)}</strong>, bound ±{bound.bps} bps
      {bound.isKnown ? '' : ' (the default: the exchange names its own with the first attempt)'}: from{' '}
      <strong>{formatExact(range.from)}</strong> to <strong>{formatExact(range.to)}</strong>.
    </p>
  );
}

function Refusal({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="admin-fault" role="alert">
      The exchange says: {text}. The attempt stands in the audit; type the secrets again for another.
    </p>
  );
}

function actText(price: number | null, isAsked: boolean): string {
  return `${isAsked ? 'Yes, settle for ever' : 'Settle'}${price === null ? '' : ` at ${formatExact(price)}`}`;
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

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly ref?: RefObject<HTMLInputElement | null>;
}

function Field({ label, ...input }: FieldProps): ReactNode {
  const id = useId();
  return (
    <div className="admin-field">
      <label htmlFor={id}>{label}</label>
      <input id={id} autoComplete="off" {...input} />
    </div>
  );
}
