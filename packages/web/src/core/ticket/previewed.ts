/**
 * The venue previews plain orders alone. From its answer, and from what the account holds, this derives what an order
 * with a time in force or a flag would do (TIF-1 to TIF-3).
 */

import {
  BATCH_REJECT,
  MICROS_PER_UNIT,
  type OpenOrder,
  type OrderPreviewAnswer,
  type Position,
  type RejectReason,
} from '@venue/protocol';
import { restingQty } from '../account/resting.ts';
import type { TicketTerms } from './ticket-terms.ts';

export interface Previewed extends OrderPreviewAnswer {
  /** What a reduce-only order would be cut to; absent where it stays whole. */
  readonly qty?: number;
}

export interface OwnBook {
  readonly positions: ReadonlyMap<string, Pick<Position, 'qty'>>;
  /** Resting orders by series. */
  readonly orders: ReadonlyMap<string, readonly OpenOrder[]>;
}

/** Contracts that a reduce-only order can trade: the opposing position, less what rests to close it already. */
export function reducible({ seriesId, side }: Pick<TicketTerms, 'seriesId' | 'side'>, own: OwnBook): number {
  const held = own.positions.get(seriesId)?.qty ?? 0;
  const opposing = side === 'buy' ? -held : held;
  const resting = restingQty(own.orders.get(seriesId) ?? [], side);
  return Math.max(0, Math.round((opposing - resting) * MICROS_PER_UNIT)) / MICROS_PER_UNIT;
}

/** The quantity to ask the preview about; the order's own where nothing can be reduced. */
export function qtyToAsk(terms: TicketTerms, own: OwnBook): number {
  if (terms.reduceOnly !== true) return terms.qty;
  return Math.min(terms.qty, reducible(terms, own)) || terms.qty;
}

/**
 * The quantity of a second question, about the part that fills: the first answer also locks money for a rest that this
 * order gives up. Null where the first says it all.
 */
export function qtyToAskAgain(preview: OrderPreviewAnswer, terms: TicketTerms): number | null {
  const filled = filledQty(preview);
  return terms.tif === 'ioc' && preview.restedQty > 0 && filled > 0 ? filled : null;
}

/** What the order itself would do, by the answer for the plain one. */
export function previewed(answer: OrderPreviewAnswer, terms: TicketTerms, own: OwnBook): Previewed {
  const qty = qtyToAsk(terms, own);
  const cut = qty < terms.qty ? { ...answer, qty } : answer;
  if (terms.reduceOnly === true && reducible(terms, own) === 0)
    return refused(answer, BATCH_REJECT.nothingToReduce);
  if (answer.status === 'rejected') return cut;
  const filled = filledQty(answer);
  if (terms.postOnly === true) return filled > 0 ? refused(answer, BATCH_REJECT.postOnlyWouldTrade) : cut;
  if (terms.tif === 'fok') return filled < qty ? refused(answer, BATCH_REJECT.fokCannotFill) : cut;
  if (terms.tif !== 'ioc' || answer.restedQty === 0) return cut;
  const status = filled > 0 ? 'partial' : 'cancelled';
  // What fills was asked about on its own, so here nothing fills and nothing changes.
  return { ...cut, status, restedQty: 0, ...(filled === 0 && { after: answer.before }) };
}

function refused(answer: OrderPreviewAnswer, reason: RejectReason): Previewed {
  return {
    ...answer,
    status: 'rejected',
    reason,
    fills: [],
    restedQty: 0,
    cost: 0,
    fee: 0,
    after: answer.before,
  };
}

/** In whole micros, because decimal sums are not exact. */
function filledQty({ fills }: Pick<OrderPreviewAnswer, 'fills'>): number {
  return fills.reduce((sum, { qty }) => sum + Math.round(qty * MICROS_PER_UNIT), 0) / MICROS_PER_UNIT;
}
