/** Texts of fills, and their effect on cash. */

import { type FillRecord, MICROS_PER_UNIT, parseSeriesId } from '@venue/protocol';
import { microsOf } from '../../../basics/micros.ts';
import { formatPnl, formatPrice, formatSize } from '../../../basics/numbers.ts';
import { realisedText, sumOf } from '../../../session/realised.ts';

/** The effect of a fill on cash, in dollars: the premium or payout, less the fee. */
export function cashEffect({
  side,
  price,
  qty,
  fee,
}: Pick<FillRecord, 'side' | 'price' | 'qty' | 'fee'>): number {
  return (side === 'sell' ? 1 : -1) * price * qty - fee;
}

/** A card about an event that the position's owner did not cause. */
export interface FillCard {
  readonly tone: 'good' | 'plain' | 'danger';
  readonly title: string;
  readonly text: string;
  /** The lines it summarises. */
  readonly lines?: readonly string[];
}

/**
 * The card for a fill that nobody requested; null for a trade.
 *
 * @param label human-readable name of the contract
 */
export function cardOf(fill: FillRecord, label: string): FillCard | null {
  const { kind, side, qty, price, fee, realized } = fill;
  const money = `Cash ${formatPnl(cashEffect(fill), '$')}, realised ${formatPnl(realized, '$')}.`;
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

/**
 * True when a fill is news. The fill of a taker was already reported in the answer to its order; the fill of a resting
 * order was not.
 */
export function isNews({ kind, taker }: Pick<FillRecord, 'kind' | 'taker'>): boolean {
  return kind !== 'trade' || !taker;
}

export interface OrderWords {
  /** Human-readable name of the contract. */
  readonly label: string;
  /** Quantity of the whole order; null where unknown. */
  readonly qty: number | null;
}

/**
 * The card of an order with all its fills so far, at least one.
 *
 * @example orderCard(fills, { label, qty: 5 }).title // 'Filled 2 of 5: buy BTC 28 Nov 95,000 call'
 */
export function orderCard(fills: readonly FillRecord[], { label, qty }: OrderWords): FillCard {
  const { filled, average, cash } = totalOf(fills);
  const share =
    qty === null || qty < filled ? formatSize(filled) : `${formatSize(filled)} of ${formatSize(qty)}`;
  return {
    tone: 'good',
    title: `Filled ${share}: ${fills[0]!.side} ${label}`,
    text: `At ${formatPrice(average)}${fills.length > 1 ? ' average' : ''}. Cash ${formatPnl(cash, '$')}.${realisedText(sumOf(fills))}`,
  };
}

/** Contracts, dollars per contract, and the total effect on cash. */
function totalOf(fills: readonly FillRecord[]): { filled: number; average: number; cash: number } {
  // In whole micros, because decimal fractions do not add up exactly.
  const micros = fills.reduce((sum, { qty }) => sum + microsOf(qty), 0);
  const paid = fills.reduce((sum, { price, qty }) => sum + price * qty, 0);
  const cash = fills.reduce((sum, fill) => sum + cashEffect(fill), 0);
  const filled = micros / MICROS_PER_UNIT;
  return { filled, average: paid / filled, cash };
}

export interface AwayWords {
  readonly labelOf: (seriesId: string) => string;
}

/**
 * Summarises what happened while no page was open, from news fills, oldest first: totals, and a line for each event.
 */
export function awayCard(news: readonly FillRecord[], { labelOf }: AwayWords): FillCard {
  const trades = Map.groupBy(
    news.filter(({ kind }) => kind === 'trade'),
    ({ orderId }) => orderId,
  );
  const settled = new Set(news.filter(({ kind }) => kind === 'settlement').map(expiryOf));
  const liquidated = news.filter(({ kind }) => kind === 'liquidation').length;
  const parts = [
    counted(trades.size, 'order', 'filled'),
    counted(settled.size, 'expiry', 'settled', 'expiries'),
    counted(liquidated, 'short', 'liquidated'),
  ].filter((part) => part !== null);
  const lines = [
    ...[...trades.values()].map((fills) => {
      const { filled, average } = totalOf(fills);
      const done = fills[0]!.side === 'buy' ? 'Bought' : 'Sold';
      return `${done} ${formatSize(filled)} ${labelOf(fills[0]!.seriesId)} at ${formatPrice(average)}`;
    }),
    ...news.flatMap((fill) => {
      const card = cardOf(fill, labelOf(fill.seriesId));
      return card === null ? [] : `${card.title}. ${card.text}`;
    }),
  ];
  return {
    tone: liquidated > 0 ? 'danger' : 'plain',
    title: 'While you were away',
    text: `${parts.join(', ')}. Cash ${formatPnl(totalOf(news).cash, '$')}.`,
    lines,
  };
}

function expiryOf({ seriesId }: FillRecord): string {
  const series = parseSeriesId(seriesId);
  return series === undefined ? seriesId : `${series.symbol} ${series.expiryTs}`;
}

/** `2 orders filled`; null for none. */
function counted(count: number, one: string, done: string, many = `${one}s`): string | null {
  return count === 0 ? null : `${count} ${count === 1 ? one : many} ${done}`;
}
