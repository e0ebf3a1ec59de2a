/**
 * Closing every position at once: one reduce-only order each, of which nothing rests, under one signature (BAT-2). The
 * account's own orders that rest to close a position leave first: they count as closing it already (TIF-3).
 */

import { BATCH_ACTIONS_MAX, microsToDecimal, type Position, type Ticker, toMicros } from '@venue/protocol';
import type { Action } from '@venue/sdk/browser';
import { microsOf } from '../../../basics/micros.ts';
import { formatLimit, formatPnl, formatSize } from '../../../basics/numbers.ts';
import type { Side } from '../../../market/touch.ts';
import { type BatchDone, cancelledIds, placeResultOf } from '../../../session/batches.ts';
import type { Notice } from '../../notices/core/state.ts';
import { inTheWay, type RestingOrders, restingCount } from '../../order/core/form/in-the-way.ts';
import { resultOf } from '../../order/core/form/result.ts';
import { closingPrice } from '../../order/core/ticket/bound.ts';
import type { TicketTerms } from '../../order/core/ticket/terms.ts';

export interface ClosePlan {
  readonly orders: readonly TicketTerms[];
  /** Resting orders that are cancelled before. */
  readonly cancels: readonly Cancelled[];
  /** Positions of which nobody quotes the side that a close needs. */
  readonly unquoted: readonly Held[];
  /** Closes for which one batch has no room. */
  readonly left: readonly TicketTerms[];
}

interface Cancelled {
  readonly orderId: number;
  readonly seriesId: string;
}

type Held = Pick<Position, 'seriesId' | 'qty'>;
type Quote = Pick<Ticker, 'seriesId' | 'bid' | 'ask'>;

/**
 * Orders that close these positions at up to 5 % beyond the best price. Shorts come first: a long that is sold before them
 * may be what they are margined with.
 */
export function planClose(
  positions: readonly Held[],
  quotes: readonly Quote[],
  resting: RestingOrders,
): ClosePlan {
  const bySeries = new Map(quotes.map((quote) => [quote.seriesId, quote]));
  const unquoted: Held[] = [];
  const orders = positions
    .toSorted((a, b) => Math.sign(a.qty) - Math.sign(b.qty))
    .flatMap(({ seriesId, qty }): TicketTerms[] => {
      const side: Side = qty > 0 ? 'sell' : 'buy';
      const { bid, ask } = bySeries.get(seriesId) ?? { bid: null, ask: null };
      const price = closingPrice(side, { bid: bid ?? Number.NaN, ask: ask ?? Number.NaN, mark: Number.NaN });
      if (price > 0) return [{ seriesId, side, qty: Math.abs(qty), price, tif: 'ioc', reduceOnly: true }];
      unquoted.push({ seriesId, qty });
      return [];
    });
  return { ...fitted(orders, resting), unquoted };
}

/** As many closes, each after its cancels, as one batch takes. */
function fitted(
  orders: readonly TicketTerms[],
  resting: RestingOrders,
): Pick<ClosePlan, 'orders' | 'cancels' | 'left'> {
  const cancels: Cancelled[] = [];
  for (const [i, { seriesId, side }] of orders.entries()) {
    // A close by itself always fits: what more rests than a batch takes only cuts it, and the answer says so.
    const own = inTheWay(resting, { seriesId, side }).slice(0, BATCH_ACTIONS_MAX - 1);
    if (cancels.length + own.length + i + 1 > BATCH_ACTIONS_MAX)
      return { orders: orders.slice(0, i), cancels, left: orders.slice(i) };
    cancels.push(...own.map(({ id }) => ({ orderId: id, seriesId })));
  }
  return { orders, cancels, left: [] };
}

/** The plan as one batch: the cancels first. */
export function closeActions({ orders, cancels }: ClosePlan): Action[] {
  return [
    ...cancels.map(({ orderId }) => ({ type: 'cancel', orderId }) as const),
    ...orders.map((terms) => ({ type: 'place', ...terms }) as const),
  ];
}

/** @example closeText({ side: 'sell', qty: 3, price: 294.5, … }, plan, label) // 'Sell 3 BTC 28 Nov 95,000 call at 294.50 or more' */
export function closeText(
  { side, qty, price, seriesId }: TicketTerms,
  { cancels }: Pick<ClosePlan, 'cancels'>,
  labelOf: (seriesId: string) => string,
): string {
  const bound = `at ${formatLimit(price ?? Number.NaN)} or ${side === 'buy' ? 'less' : 'more'}`;
  const own = cancels.filter((one) => one.seriesId === seriesId).length;
  const first = own === 0 ? '' : `; first cancels ${restingCount(own)}`;
  return `${side === 'buy' ? 'Buy' : 'Sell'} ${formatSize(qty)} ${labelOf(seriesId)} ${bound}${first}`;
}

export function closeTitle({ orders }: ClosePlan): string {
  return orders.length === 1 ? 'Close a position' : `Close ${orders.length} positions`;
}

interface ClosedFacts {
  readonly plan: ClosePlan;
  /** As they were before the orders. */
  readonly positions: readonly Pick<Position, 'seriesId' | 'avgPrice'>[];
  readonly labelOf: (seriesId: string) => string;
}

/**
 * How many positions closed whole and what that realised, in one line. Unless all did, a line for each says how much of
 * it is still open, and why.
 */
export function closedWords(
  { results }: Pick<BatchDone, 'results'>,
  { plan, positions, labelOf }: ClosedFacts,
): Pick<Notice, 'text' | 'tone' | 'lines'> {
  const { orders, cancels, unquoted, left } = plan;
  const paid = new Map(positions.map(({ seriesId, avgPrice }) => [seriesId, avgPrice]));
  const answers = orders.map((terms, i) => {
    const result = results.slice(cancels.length + i, cancels.length + i + 1);
    return closedOf(terms, result, { label: labelOf(terms.seriesId), avgPrice: paid.get(terms.seriesId) });
  });
  const whole = answers.filter(({ isWhole }) => isWhole).length;
  const asked = orders.length + unquoted.length + left.length;
  const realized = answers.reduce((sum, answer) => sum + answer.realized, 0);
  const gone = cancelledIds({ results }).size;
  const told = Number.isNaN(realized) ? '' : `, ${formatPnl(realized, '$')} realised before fees`;
  const also = gone === 0 ? '' : ` ${restingCount(gone)} cancelled.`;
  const openLine = ({ seriesId, qty }: Held, why: string) =>
    `${labelOf(seriesId)}: ${formatSize(Math.abs(qty))} still open; ${why}`;
  if (whole === asked) return { text: `All closed${told}.${also}`, tone: 'good' };
  const lines = [
    ...answers.map(({ line }) => line),
    ...unquoted.map((held) => openLine(held, 'nobody takes the other side')),
    ...left.map((terms) => openLine(terms, 'one batch had no room for it')),
  ];
  return { text: `${whole} of ${asked} closed whole${told}.${also}`, tone: 'warning', lines };
}

/** Reads one answer. A close is whole only if all that was asked for has traded, even if the venue cut the order. */
function closedOf(
  terms: TicketTerms,
  results: BatchDone['results'],
  { label, avgPrice = Number.NaN }: { readonly label: string; readonly avgPrice: number | undefined },
): { readonly isWhole: boolean; readonly realized: number; readonly line: string } {
  const answer = placeResultOf({ results });
  if (answer.status === 'rejected') {
    const line = `${label}: ${formatSize(terms.qty)} still open; ${answer.reason}`;
    return { isWhole: false, realized: 0, line };
  }
  const { text, filledMicros, averagePrice } = resultOf(answer, terms);
  const gained = (averagePrice - avgPrice) * microsToDecimal(filledMicros);
  const realized = filledMicros === 0 ? 0 : terms.side === 'sell' ? gained : -gained;
  const openMicros = toMicros(microsOf(terms.qty) - filledMicros);
  const open = openMicros > 0 ? `${formatSize(microsToDecimal(openMicros))} still open; ` : '';
  return { isWhole: open === '', realized, line: `${label}: ${open}${text}` };
}
