/** Texts about an order whose answer was lost, once its outcome is known. */

import type { Findings } from '@venue/sdk/browser';
import { formatLimit, formatPrice, formatSize } from '../../../../basics/numbers.ts';
import type { Holdings } from '../../../../session/state.ts';
import type { Notice } from '../../../notices/core/state.ts';

export interface LostOrder {
  /** `Buy 1 BTC 28 Nov 95,000 call` */
  readonly words: string;
  /** Contracts. */
  readonly qty: number;
  /** Orders known to the page before it was sent: it is none of them. */
  readonly knownIds: ReadonlySet<number>;
}

/** Every order id in the account and its fills. */
export function knownOrderIds({ account, fills }: Pick<Holdings, 'account' | 'fills'>): Set<number> {
  const resting = account?.openOrders.map(({ id }) => id) ?? [];
  return new Set([...resting, ...fills.map(({ orderId }) => orderId)]);
}

/** Begins the sentence on an order whose first answer was lost, and which was found to have been carried out. */
export const FOUND = 'The confirmation was lost, and the order was found at the venue: ';

export function recoveredText(result: string): string {
  return `${FOUND}${result}.`;
}

type Words = Pick<Notice, 'tone' | 'title' | 'text'>;

/** The card about a lost order: filled, resting, declined, never placed or unknown. */
export function lostOrderWords(found: Findings, { words, qty, knownIds }: LostOrder): Words {
  const { verdict } = found;
  if (verdict !== 'carried out') {
    const title = `${verdict === 'unknown' ? 'Status unknown' : 'Not placed'}: ${words}`;
    return { tone: 'warning', title, text: LOST_TEXTS[verdict] };
  }
  if (found.account === null) {
    const text =
      'The venue received the order, but its status could not be read. Check your orders and fills.';
    return { tone: 'warning', title: `Status unknown: ${words}`, text };
  }
  const traces = found.orderIds
    .filter((id) => !knownIds.has(id))
    .map((id) => traceOf(found, id))
    .filter((trace) => trace.qty <= qty + ROUNDING);
  if (traces.length === 0) {
    const text =
      'The venue received the order, but none of it filled or rests: it was declined, or nothing matched it.';
    return { tone: 'warning', title: `No order placed: ${words}`, text };
  }
  if (traces.length === 1) {
    return { tone: 'good', title: words, text: `The confirmation was lost: ${traces[0]!.text}.` };
  }
  const each = traces.map(({ id, text }) => `order ${id} (${text})`).join(', ');
  const text = `The confirmation was lost, and several orders match. Yours may be one of these, or was declined: ${each}.`;
  return { tone: 'warning', title: `Uncertain: ${words}`, text };
}

/** The sentence on an order that was not found at the venue. */
export const LOST_TEXTS = {
  'not carried out': 'The order never reached the venue and no longer can. You can send it again.',
  unknown:
    'No confirmation came, and the venue cannot say. Check your orders and fills before you resend it.',
} as const;

/** Contracts: half a micro, for the rounding error of decimal sums. */
const ROUNDING = 5e-7;

interface Trace {
  readonly id: number;
  /** Contracts, filled and resting. */
  readonly qty: number;
  readonly text: string;
}

/** The trace of an order: `1 filled at 10.50, 0.5 resting at 12.00`. */
function traceOf({ account, fillsSince }: Findings, id: number): Trace {
  const fills = fillsSince.filter(({ orderId }) => orderId === id);
  const filled = fills.reduce((sum, fill) => sum + fill.qty, 0);
  const paid = fills.reduce((sum, fill) => sum + fill.price * fill.qty, 0);
  const resting = account?.openOrders.find((order) => order.id === id);
  const parts: string[] = [];
  if (filled > 0) parts.push(`${formatSize(filled)} filled at ${formatPrice(paid / filled)}`);
  if (resting !== undefined) {
    parts.push(`${formatSize(resting.remaining)} resting at ${formatLimit(resting.price)}`);
  }
  return { id, qty: filled + (resting?.remaining ?? 0), text: parts.join(', ') };
}
