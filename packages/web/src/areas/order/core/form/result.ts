/** The result of an accepted order, by an answer or a preview of the venue. */

import { type Micros, microsToDecimal, type OrderFill } from '@venue/protocol';
import { microsOf } from '../../../../basics/micros.ts';
import { formatLimit, formatPrice, formatSize } from '../../../../basics/numbers.ts';
import type { TicketTerms } from '../ticket/terms.ts';

/** The result of an accepted order; none of these is an error. */
export interface OrderResult {
  readonly kind: 'filled' | 'rested' | 'partly-rested' | 'partly-cancelled' | 'cancelled';
  readonly filledMicros: Micros;
  readonly restedMicros: Micros;
  /** The remainder of an order that does not rest, or that met one of its own account. */
  readonly cancelledMicros: Micros;
  /** Dollars per contract over the fills, NaN without one. */
  readonly averagePrice: number;
  /** `2 filled at 1,240.00, 3 cancelled: market orders never rest` */
  readonly text: string;
}

/** The members of an answer or a preview that tell the result of an accepted order. */
export interface Answered {
  readonly fills: readonly OrderFill[];
  readonly restedQty?: number;
  /** The quantity that a reduce-only order was cut to. */
  readonly qty?: number;
  readonly reason?: string;
  readonly code?: string;
}

/** The result of an accepted order, with a text for the log (ORD-2, BAT-3). */
export function resultOf(answer: Answered, terms: Pick<TicketTerms, 'qty' | 'price' | 'tif'>): OrderResult {
  const { fills, restedQty = 0, qty = terms.qty } = answer;
  const filledMicros = sumMicros(fills.map((fill) => fill.qty));
  const restedMicros = sumMicros([restedQty]);
  const cancelledMicros = (sumMicros([qty]) - filledMicros - restedMicros) as Micros;
  const paid = fills.reduce((sum, fill) => sum + fill.price * fill.qty, 0);
  const averagePrice = filledMicros === 0 ? Number.NaN : paid / microsToDecimal(filledMicros);
  const parts: string[] = [];
  if (filledMicros > 0) parts.push(`${sizeText(filledMicros)} filled at ${formatPrice(averagePrice)}`);
  if (restedMicros > 0)
    parts.push(`${sizeText(restedMicros)} resting at ${formatLimit(terms.price ?? Number.NaN)}`);
  if (cancelledMicros > 0)
    parts.push(`${sizeText(cancelledMicros)} cancelled: ${whyCancelled(answer, terms)}`);
  if (qty < terms.qty) parts.push(`cut from ${formatSize(terms.qty)} to what there was to reduce`);
  return {
    kind: kindOf({ filledMicros, restedMicros, cancelledMicros }),
    filledMicros,
    restedMicros,
    cancelledMicros,
    averagePrice,
    text: parts.join(', '),
  };
}

function whyCancelled({ code }: Answered, { tif }: Pick<TicketTerms, 'tif'>): string {
  if (code === 'self-trade-prevented') return 'it met an order of your own';
  return tif === 'ioc' ? 'immediate or cancel' : 'market orders never rest';
}

function kindOf(
  parts: Pick<OrderResult, 'filledMicros' | 'restedMicros' | 'cancelledMicros'>,
): OrderResult['kind'] {
  const { filledMicros, restedMicros, cancelledMicros } = parts;
  if (filledMicros === 0) return restedMicros > 0 ? 'rested' : 'cancelled';
  if (restedMicros > 0) return 'partly-rested';
  return cancelledMicros > 0 ? 'partly-cancelled' : 'filled';
}

function sumMicros(decimals: readonly number[]): Micros {
  return decimals.reduce((sum, decimal) => sum + microsOf(decimal), 0) as Micros;
}

function sizeText(micros: Micros): string {
  return formatSize(microsToDecimal(micros));
}
