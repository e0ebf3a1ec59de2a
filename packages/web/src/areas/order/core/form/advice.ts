/**
 * Advice on an answer to an order. The venue's own words are shown unchanged; the advice says what the page can do
 * about them, as a value that a button can carry out.
 */

import { MICROS_PER_UNIT, type Micros, type ReasonCode } from '@venue/protocol';
import type { ReasonFields } from '@venue/sdk/browser';
import { microsOf } from '../../../../basics/micros.ts';

export type Advice =
  /**
   * A smaller quantity would pass. The quantity is an estimate for a preview to confirm; null where the venue named no
   * amounts.
   */
  | { readonly kind: 'lower-qty'; readonly maxQtyMicros: Micros | null; readonly amounts: NeedHave | null }
  /** No quantity passes without more money. */
  | { readonly kind: 'deposit'; readonly amounts: NeedHave | null }
  | { readonly kind: 'margin-off' }
  /** In a margin call: `margin-call.ts` finds the buys that reduce it. */
  | { readonly kind: 'reduce-only' }
  | { readonly kind: 'make-limit'; readonly priceMicros: Micros | null }
  | { readonly kind: 'series-over'; readonly why: 'unknown' | 'expired' | 'settled' }
  | { readonly kind: 'mark-field'; readonly field: 'qty' | 'price' }
  | { readonly kind: 'ask-operator'; readonly why: 'frozen' | 'house-line' }
  | { readonly kind: 'resync-clock' }
  | { readonly kind: 'approve'; readonly why: 'expired' | 'unknown' | 'unsigned' | 'bad-signature' }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'wait'; readonly ms: number }
  /** The order may have been carried out: read the account and its fills before sending another. */
  | { readonly kind: 'unknown-outcome' }
  /** The account's own resting orders count as closing it already (TIF-3). */
  | { readonly kind: 'cancel-first'; readonly orders: number }
  /** The meaning of the venue's few words, and what would pass. */
  | { readonly kind: 'explain'; readonly text: string }
  /** No known remedy. */
  | { readonly kind: 'other' };

/** Amounts in a reason, rounded to cents by the venue. */
export interface NeedHave {
  readonly needMicros: Micros;
  readonly haveMicros: Micros;
}

/** The declined order, as far as advice depends on it. */
export interface DeclinedOrder {
  readonly qtyMicros: Micros;
  /** Null while the contract has no mark. */
  readonly markMicros: Micros | null;
  /** Own orders that rest to close what it would; 0 if left out. */
  readonly inTheWay?: number;
}

/** Why an order was declined, as an answer or a preview says it to programs (ERR-1). */
export type Why = Pick<ReasonFields, 'code' | 'need' | 'have'>;

/**
 * Advice on a declined order, by the reason of an answer or of a preview (ORD-1).
 *
 * @example adviseRejection({ code: 'margin-off' }, order) // { kind: 'margin-off' }
 */
export function adviseRejection(why: Why, order: DeclinedOrder): Advice {
  const { inTheWay = 0 } = order;
  const { code, need, have } = why;
  if (code === 'nothing-to-reduce' && inTheWay > 0) return { kind: 'cancel-first', orders: inTheWay };
  const fixed = code === undefined ? undefined : BY_CODE.get(code);
  if (fixed !== undefined) return fixed;
  if (code === 'no-liquidity') return { kind: 'make-limit', priceMicros: order.markMicros };
  if (code === 'house-line-exceeded') return { kind: 'ask-operator', why: 'house-line' };
  if (need === undefined || have === undefined) return { kind: 'other' };
  const amounts = { needMicros: microsOf(need), haveMicros: microsOf(have) };
  const maxQtyMicros = maxQty(order.qtyMicros, amounts);
  return maxQtyMicros > 0 ? { kind: 'lower-qty', maxQtyMicros, amounts } : { kind: 'deposit', amounts };
}

const BY_CODE: ReadonlyMap<string, Advice> = new Map<string, Advice>([
  ['unknown-series', { kind: 'series-over', why: 'unknown' }],
  ['series-settled', { kind: 'series-over', why: 'settled' }],
  ['series-expired', { kind: 'series-over', why: 'expired' }],
  ['bad-qty', { kind: 'mark-field', field: 'qty' }],
  ['bad-price', { kind: 'mark-field', field: 'price' }],
  ['account-frozen', { kind: 'ask-operator', why: 'frozen' }],
  ['insufficient-cash', { kind: 'lower-qty', maxQtyMicros: null, amounts: null }],
  ['reduce-only', { kind: 'reduce-only' }],
  ['equity-depleted', { kind: 'deposit', amounts: null }],
  ['margin-off', { kind: 'margin-off' }],
  ...explained({
    'order-expired': 'The time until which it rests has passed. Choose a later one.',
    'too-many-timed-orders': 'You have as many orders with a time as the venue takes. Cancel one first.',
    'too-many-resting-orders': 'You have as many resting orders as the venue takes. Cancel some first.',
    'too-much-work':
      'It would meet more orders than one request may. Lower the quantity, or send it by itself.',
    'nothing-to-reduce': 'You hold nothing that it would close, or orders that rest close it already.',
    'post-only-would-trade':
      'At this price it would trade at once. Move the price away, or turn post-only off.',
    'fok-cannot-fill': 'Not all of it can trade at this price. Lower the quantity, or take what there is.',
    'self-trade-prevented': 'It met an order of your own. Cancel that one first.',
    'unknown-order': 'The order has left the book: it filled, or was cancelled.',
    'filled-more-than-expected': 'More of it has filled meanwhile. The order stays as it was.',
    'set-frozen': 'What may trade of the quote set has traded. Unfreeze the set, then quote again.',
    'unknown-set': 'You have no quote set of this number. Protect it first.',
    'mode-needs-buying-power':
      'The positions require more than there is, or the account is in a margin call.',
    'mode-bars-sets': 'An account either has quote sets or is margined for defined risk. End the sets first.',
    'set-has-quotes': 'The set quotes another underlying. Pull its quotes first.',
  }),
]);

/** The reasons that only orders of a batch have (BAT-4), each in a sentence. */
function explained(texts: Readonly<Partial<Record<ReasonCode, string>>>): [string, Advice][] {
  return Object.entries(texts).map(([code, text]) => [code, { kind: 'explain', text }]);
}

/** An answer that is neither 2xx nor a declined order. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  /** The field that it names, of a fault of the request. */
  readonly field?: string | undefined;
  /** From the `retry-after` header, if any. */
  readonly retryAfterMs?: number;
}

/** The default countdown: the server refills its order allowance at one a second. */
const WAIT_MS = 5_000;
const TOO_MANY = 429;
const BAD_REQUEST = 400;
const SERVER_FAULT = 500;

/**
 * Advice on a failed request; null stands for no answer, by a lost connection or a timeout. A server error and a
 * repeated nonce leave open whether the order, or one before it, was carried out.
 */
export function adviseFailure(failure: Failure | null): Advice {
  if (failure === null || failure.status >= SERVER_FAULT) return { kind: 'unknown-outcome' };
  const { status, code, field, retryAfterMs = WAIT_MS } = failure;
  if (status === TOO_MANY) return { kind: 'wait', ms: retryAfterMs };
  const known = BY_REFUSAL.get(code);
  if (known !== undefined) return known;
  if (status === BAD_REQUEST && (field === 'qty' || field === 'price')) return { kind: 'mark-field', field };
  return { kind: 'other' };
}

const BY_REFUSAL: ReadonlyMap<string, Advice> = new Map<string, Advice>([
  ['nonce-outside-window', { kind: 'resync-clock' }],
  ['nonce-used', { kind: 'unknown-outcome' }],
  ['session-expired', { kind: 'approve', why: 'expired' }],
  ['unknown-session-key', { kind: 'approve', why: 'unknown' }],
  ['must-be-signed', { kind: 'approve', why: 'unsigned' }],
  ['bad-signature', { kind: 'approve', why: 'bad-signature' }],
  ['unknown-token', { kind: 'sign-in' }],
  ['conflicting-tokens', { kind: 'sign-in' }],
  ['bad-qty', { kind: 'mark-field', field: 'qty' }],
  ['bad-price', { kind: 'mark-field', field: 'price' }],
  ['account-frozen', { kind: 'ask-operator', why: 'frozen' }],
  ['unknown-series', { kind: 'series-over', why: 'unknown' }],
]);

const MICROS_PER_CENT = MICROS_PER_UNIT / 100;
/** The resting part pays no fee, so the trading part may cost more than its share of the need: half a percent. */
const FEE_SHARE = 0.005;

/**
 * The largest part of an order that the amounts cover, assuming that every contract needs the same. Worse prices come
 * last in the book and closing comes before opening, so this errs on the small side. Uses the decimals of the order's
 * quantity, or, if that leaves nothing, two digits.
 */
function maxQty(qtyMicros: Micros, { needMicros, haveMicros }: NeedHave): Micros {
  // Both amounts were rounded to the nearest cent.
  const have = haveMicros - MICROS_PER_CENT / 2;
  const need = (needMicros + MICROS_PER_CENT / 2) * (1 + FEE_SHARE);
  if (have <= 0 || need <= 0) return 0 as Micros;
  const most = Math.min(qtyMicros, Math.floor((qtyMicros * have) / need));
  const step = stepOf(qtyMicros);
  const shortStep = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, most))) - 1);
  const floored = Math.floor(most / step) * step;
  return (floored > 0 ? floored : Math.floor(most / shortStep) * shortStep) as Micros;
}

/** The unit of a quantity's last decimal, in micros: one contract for a whole quantity. */
function stepOf(qtyMicros: Micros): number {
  let step = MICROS_PER_UNIT;
  while (qtyMicros % step !== 0) step /= 10;
  return step;
}
