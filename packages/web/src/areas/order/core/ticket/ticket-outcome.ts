/** The line over a ticket's button: what its order can lose and make, or realises (TERM-11). */

import { microsToDecimal, type Position, parseSeriesId, toMicros } from '@venue/protocol';
import { outcomeOf } from '@venue/sdk/spreads';
import { inMicros, microsOf } from '../../../../basics/micros.ts';
import { formatSize } from '../../../../basics/numbers.ts';
import type { PayoffLeg } from '../payoff/payoff-leg.ts';
import { outcomeLine, realisedText } from '../tray/outcome-line.ts';
import { type ForeseenOrder, foreseen } from './foreseen.ts';
import { orderLegs } from './order-legs.ts';

type Held = Pick<Position, 'seriesId' | 'symbol' | 'qty' | 'avgPrice'>;

/**
 * The part that reduces a position by what it realises, the part that opens one by what it can lose and make, and where
 * it is even. Empty where nothing would trade or rest.
 *
 * @param estimate what its expiry settles near; undefined but in its last half hour
 * @example ticketOutcome(order, positions) // 'Max loss $546.00 · max profit unlimited · break-even 100,546'
 */
export function ticketOutcome(
  order: ForeseenOrder,
  positions: ReadonlyMap<string, Held>,
  estimate?: number,
): string {
  const legs = orderLegs(order, 0);
  const [leg] = legs;
  if (leg === undefined) return '';
  const qtyMicros = legs.reduce((sum, { qty }) => sum + microsOf(qty), 0);
  const paid = legs.reduce((sum, { qty, price, fee }) => sum + qty * price + fee, 0);
  const held = positions.get(leg.seriesId);
  const closedMicros = reducedMicros(qtyMicros, held);
  const share = Math.abs(closedMicros / qtyMicros);
  const parts: string[] = [];
  if (held !== undefined && closedMicros !== 0) {
    const realized = microsToDecimal(toMicros(closedMicros)) * held.avgPrice - paid * share;
    parts.push(realisedText(realized, (foreseen(order)?.filled ?? 0) > 0));
  }
  if (closedMicros === qtyMicros) return parts.join(' · ');
  const opened = microsToDecimal(toMicros(qtyMicros - closedMicros));
  const outcome = outcomeOf([{ seriesId: leg.seriesId, qty: opened }], inMicros(paid * (1 - share)));
  const subject = subjectOf(opened, closedMicros !== 0, leg, positions);
  return [...parts, outcomeLine(outcome, subject, estimate)].join(' · ');
}

/** The signed part of an order that reduces a position. */
function reducedMicros(qtyMicros: number, held: Held | undefined): number {
  const heldMicros = microsOf(held?.qty ?? 0);
  if (heldMicros * qtyMicros >= 0) return 0;
  return Math.sign(qtyMicros) * Math.min(Math.abs(qtyMicros), Math.abs(heldMicros));
}

/** The subject of the figures; null where it is everything in the underlying. */
function subjectOf(
  opened: number,
  isBeyond: boolean,
  { seriesId }: PayoffLeg,
  positions: ReadonlyMap<string, Held>,
): string | null {
  if (isBeyond) return `Opens ${formatSize(Math.abs(opened))}`;
  const symbol = parseSeriesId(seriesId)?.symbol;
  const hasOthers = [...positions.values()].some((one) => one.symbol === symbol && one.qty !== 0);
  return hasOthers ? 'This order alone' : null;
}
