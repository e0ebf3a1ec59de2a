/** Fills in words and money. */

import type { FillRecord } from '@venue/protocol';
import { formatPnl, formatPrice, formatSize } from './numbers.ts';

/** What a fill did to the cash, in dollars: the premium or payout, less the fee. */
export function cashEffect({
  side,
  price,
  qty,
  fee,
}: Pick<FillRecord, 'side' | 'price' | 'qty' | 'fee'>): number {
  return (side === 'sell' ? 1 : -1) * price * qty - fee;
}

/** A card about something that happened to a position without its owner's doing. */
export interface FillCard {
  readonly tone: 'plain' | 'danger';
  readonly title: string;
  readonly text: string;
}

/**
 * What a card says about a fill that nobody here asked for; null for a trade, which somebody did.
 *
 * @param label the contract as people call it
 * @param unit of dollars: `paper $` where they are none
 */
export function cardOf(fill: FillRecord, label: string, unit: '$' | 'paper $'): FillCard | null {
  const { kind, side, qty, price, fee, realized } = fill;
  const money = `Cash ${formatPnl(cashEffect(fill), unit)}, realised ${formatPnl(realized, unit)}.`;
  if (kind === 'liquidation') {
    const feeText = fee > 0 ? ` with a fee of ${formatPrice(fee)}` : '';
    return {
      tone: 'danger',
      title: `Liquidated: ${label}`,
      text: `In a margin call the venue bought ${formatSize(qty)} of your short back at ${formatPrice(price)}${feeText}. ${money}`,
    };
  }
  if (kind === 'settlement') {
    const held = side === 'sell' ? 'long' : 'short';
    const end = price > 0 ? `paid out ${formatPrice(price)} each` : 'expired without value';
    return {
      tone: 'plain',
      title: `Settled: ${label}`,
      text: `Your ${formatSize(qty)} ${held} ${end}. ${money}`,
    };
  }
  return null;
}
