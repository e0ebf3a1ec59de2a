/** The ticket's order as legs of a payoff, loaded with the first picture of one. */

import { microsToDecimal, parseSeriesId } from '@venue/protocol';
import { formatSize } from '../../../../basics/numbers.ts';
import type { PayoffLeg } from '../payoff/payoff-leg.ts';
import { type ForeseenOrder, foreseen } from './foreseen.ts';

/**
 * The order as legs of a payoff: the part that fills at its average and with its fee, the part that rests at its limit,
 * without the part that is cancelled. Without a preview, or where the venue would decline, the whole order at its limit
 * or else the mark; none where nobody quotes, or nothing is left for it to reduce: changed terms would not do that.
 */
export function orderLegs(order: ForeseenOrder, iv: number): PayoffLeg[] {
  const { terms, preview, mark } = order;
  const series = parseSeriesId(terms.seriesId);
  const isEmpty = preview?.code === 'no-liquidity' || preview?.code === 'nothing-to-reduce';
  if (series === undefined || isEmpty) return [];
  const leg = (qty: number, price: number, fee: number): PayoffLeg => ({
    seriesId: terms.seriesId,
    right: series.right,
    strike: microsToDecimal(series.strikeMicros),
    expiryTs: series.expiryTs,
    qty: terms.side === 'buy' ? qty : -qty,
    price,
    fee,
    iv: Number.isNaN(iv) ? 0 : iv,
  });
  const parts = foreseen(order);
  const legs =
    parts === null
      ? [leg(terms.qty, terms.price ?? mark, 0)]
      : [
          leg(parts.filled, parts.average, preview?.fee ?? 0),
          leg(parts.rested, terms.price ?? Number.NaN, 0),
        ];
  return legs.filter(({ qty, price }) => qty !== 0 && !Number.isNaN(price));
}

/** A sentence on what its payoff leaves out, or none: the unknown fee, the part that may never fill. */
export function legsNote(order: ForeseenOrder): string {
  const parts = foreseen(order);
  if (parts === null)
    return order.terms.price === undefined ? ' All of it at the mark, without the fee.' : ' Without the fee.';
  return parts.filled > 0 && parts.rested > 0
    ? ` Counts the ${formatSize(parts.rested)} that rest as filled.`
    : '';
}
