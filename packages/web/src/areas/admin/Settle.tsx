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
import styles from './Admin.module.css';
import type { AdminConsole, Outcome, Watched } from './admin-console.ts';
import { boundOf, deviationBps, priceRange, type Review } from './review.ts';

interface SettleProps {
  readonly review: Review;
  readonly anchor: number;
  readonly watched: Watched;
  readonly desk: AdminConsole;
  readonly onSettled: (text: string) => void;
}

/** The two people sign both here, or each on a page of their own; a number confirms the proposal that has it. */
type Way = 'secrets' | 'own' | 'propose' | number;

export function Settle({ review, anchor, watched, desk, onSettled }: SettleProps): ReactNode {
  const [typed, setTyped] = useState('');
  const [way, setWay] = useState<Way>('secrets');
  const settlement = useSettlement({ review, onSettled });
  const [secret1, secret2] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const id = useId();
  const bound = boundOf(watched.audit);
  const { price, fault, isOutside } = judge(typed, priceRange(anchor, bound.bps));
  const { isAsked, isSending, outcome } = settlement;
  const sent = (price: number): Promise<Outcome> => {
    if (way === 'propose') return desk.propose(review, price);
    if (typeof way === 'number') return desk.confirm(review, price, way);
    return desk.settle(review, price, {
      areOwn: way === 'own',
      token1: taken(secret1),
      token2: taken(secret2),
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (price === null || isSending) return;
    if (!isAsked) settlement.ask(true);
    else void settlement.send(sent(price));
  };
  return (
    <form
      className={`panel-box ${styles.settle}`}
      aria-label={`Settle ${review.symbol} by hand`}
      onSubmit={submit}
    >
      <Bounds anchor={anchor} bound={bound} />
      <div className={styles.fields}>
        <WayChoice
          {...{ review, watched, way }}
          onChange={(next) => {
            setWay(next);
            settlement.forget();
          }}
        />
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
        {(way === 'secrets' || way === 'own') && (
          <>
            <Field label="First secret" ref={secret1} type="password" spellCheck={false} required />
            <Field label="Second secret" ref={secret2} type="password" spellCheck={false} required />
          </>
        )}
      </div>
      <p id={id} role="status" className={fault !== null || isOutside ? 'warning' : 'muted'}>
        {fault ?? priceText(price, { anchor, isOutside, isAsked, way, count: review.series.length })}
      </p>
      <div className={styles.acts}>
        <button type="submit" className="primary" disabled={price === null || isSending} data-asked={isAsked}>
          {isSending ? 'Sending…' : actText(price, { isAsked, way })}
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

interface WayChoiceProps extends Pick<SettleProps, 'review' | 'watched'> {
  readonly way: Way;
  readonly onChange: (way: Way) => void;
}

/** Each of two operators with names best signs on a page of their own, so that their secrets never meet (CUS-10). */
function WayChoice({ review, watched, way, onChange }: WayChoiceProps): ReactNode {
  const id = useId();
  const open = watched.exposure.proposals.filter(
    ({ by, symbol, expiryTs }) =>
      by !== undefined && symbol === review.symbol && expiryTs === review.expiryTs,
  );
  // A choice stays to be read when its proposal has ended.
  const gone = typeof way === 'number' && open.every((one) => one.id !== way) ? [way] : [];
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Who signs</label>
      <select
        id={id}
        value={way}
        onChange={({ target: { value } }) =>
          onChange(/^\d+$/.test(value) ? Number(value) : (value as Exclude<Way, number>))
        }
      >
        <option value="secrets">Two people here, with the two secrets of settlement</option>
        <option value="own">Two operators here: the first proposes, the second confirms</option>
        <option value="propose">I propose; another operator confirms on a page of their own</option>
        {open.map(({ id: number, by }) => (
          <option key={number} value={number}>
            I confirm number {number}, proposed by {by}
          </option>
        ))}
        {gone.map((number) => (
          <option key={number} value={number}>
            I confirm number {number}, which has ended
          </option>
        ))}
      </select>
    </div>
  );
}

/** State of the settlement: confirming, sent, answered. */
function useSettlement({ review, onSettled }: Pick<SettleProps, 'review' | 'onSettled'>) {
  const [isAsked, setAsked] = useState(false);
  const [isSending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return {
    ...{ isAsked, isSending, outcome, ask: setAsked },
    /** Resets the state when price or way change. */
    forget() {
      setAsked(false);
      setOutcome(null);
    },
    async send(sent: Promise<Outcome>) {
      setSending(true);
      setAsked(false);
      const came = await sent;
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
    <p className="fault" role="alert">
      The exchange says: {text}. The attempt stands in the audit; secrets that were typed have to be typed
      again.
    </p>
  );
}

function actText(price: number | null, { isAsked, way }: Pick<PriceFacts, 'isAsked' | 'way'>): string {
  const at = price === null ? '' : ` at ${formatExact(price)}`;
  if (way === 'propose') return `${isAsked ? 'Yes, propose' : 'Propose'}${at}`;
  return `${isAsked ? 'Settle permanently' : 'Settle'}${at}`;
}

const BOTH_HERE = 'Each of two people types in a secret where the other does not see it.';
const WAY_TEXTS = {
  secrets: BOTH_HERE,
  own: BOTH_HERE,
  propose: 'It is signed with the secret that opened this page.',
  confirm: 'It is signed with the secret that opened this page. Take the price from sources of your own.',
} as const;

interface PriceFacts {
  readonly anchor: number;
  readonly isOutside: boolean;
  readonly isAsked: boolean;
  readonly way: Way;
  readonly count: number;
}

function priceText(price: number | null, { anchor, isOutside, isAsked, way, count }: PriceFacts): string {
  if (price === null) return WAY_TEXTS[typeof way === 'number' ? 'confirm' : way];
  const bps = deviationBps(Math.round(price * 1e6), anchor);
  const distance = `${Math.abs(bps).toFixed(1)} bps ${bps < 0 ? 'below' : 'above'} the anchor`;
  if (isOutside) return `${distance}: outside of the bound, so the exchange will refuse it.`;
  if (!isAsked) return `${distance}, within the bound.`;
  if (way === 'propose')
    return `${distance}. Nothing is settled before another operator confirms this price.`;
  return `${distance}. It becomes the price of this underlying at this expiry, pays all ${count} series, and no settlement is ever undone.`;
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly ref?: RefObject<HTMLInputElement | null>;
}

function Field({ label, ...input }: FieldProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input id={id} autoComplete="off" {...input} />
    </div>
  );
}
