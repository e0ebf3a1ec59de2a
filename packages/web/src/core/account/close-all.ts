/** Closing every position at once: one reduce-only order each, of which nothing rests, under one signature (BAT-2). */

import { microsToDecimal, type Position, type Ticker } from '@venue/protocol';
import { type BatchDone, placeResultOf } from '../batches.ts';
import { formatLimit, formatPnl, formatSize } from '../numbers.ts';
import type { Notice, Side } from '../stores.ts';
import { closingPrice } from '../ticket/closing.ts';
import { resultOf } from '../ticket/order-errors.ts';
import type { TicketTerms } from '../ticket/ticket-terms.ts';

/** As many actions as a batch has. */
const ORDERS_MAX = 64;

export interface ClosePlan {
  readonly orders: readonly TicketTerms[];
  /** Series in which nobody quotes the side that a close needs. */
  readonly unquoted: readonly string[];
  /** Positions beyond what one batch takes. */
  readonly left: number;
}

type Quote = Pick<Ticker, 'seriesId' | 'bid' | 'ask'>;

/**
 * Orders that close these positions at up to 5 % beyond the best price. Shorts come first: a long that is sold before them
 * may be what they are margined with.
 */
export function planClose(
  positions: readonly Pick<Position, 'seriesId' | 'qty'>[],
  quotes: readonly Quote[],
): ClosePlan {
  const bySeries = new Map(quotes.map((quote) => [quote.seriesId, quote]));
  const unquoted: string[] = [];
  const orders = positions
    .toSorted((a, b) => Math.sign(a.qty) - Math.sign(b.qty))
    .flatMap(({ seriesId, qty }): TicketTerms[] => {
      const side: Side = qty > 0 ? 'sell' : 'buy';
      const { bid, ask } = bySeries.get(seriesId) ?? { bid: null, ask: null };
      const price = closingPrice(side, { bid: bid ?? Number.NaN, ask: ask ?? Number.NaN, mark: Number.NaN });
      if (price > 0) return [{ seriesId, side, qty: Math.abs(qty), price, tif: 'ioc', reduceOnly: true }];
      unquoted.push(seriesId);
      return [];
    });
  return {
    orders: orders.slice(0, ORDERS_MAX),
    unquoted,
    left: Math.max(0, orders.length - ORDERS_MAX),
  };
}

/** @example closeText({ side: 'sell', qty: 3, price: 294.5, … }, label) // 'Sell 3 BTC 28 Nov 95,000 call at 294.50 or more' */
export function closeText(
  { side, qty, price, seriesId }: TicketTerms,
  labelOf: (seriesId: string) => string,
): string {
  const bound = `at ${formatLimit(price ?? Number.NaN)} or ${side === 'buy' ? 'less' : 'more'}`;
  return `${side === 'buy' ? 'Buy' : 'Sell'} ${formatSize(qty)} ${labelOf(seriesId)} ${bound}`;
}

export function closeTitle({ orders }: ClosePlan): string {
  return orders.length === 1 ? 'Close a position' : `Close ${orders.length} positions`;
}

interface ClosedFacts {
  readonly orders: readonly TicketTerms[];
  /** As they were before the orders. */
  readonly positions: readonly Pick<Position, 'seriesId' | 'avgPrice'>[];
  readonly labelOf: (seriesId: string) => string;
}

/** How many closed whole and what that realised, in one line; with a line for each order unless all did. */
export function closedWords(
  { results }: Pick<BatchDone, 'results'>,
  { orders, positions, labelOf }: ClosedFacts,
): Pick<Notice, 'text' | 'tone' | 'lines'> {
  const paid = new Map(positions.map(({ seriesId, avgPrice }) => [seriesId, avgPrice]));
  const answers = orders.map((terms, i) => {
    const answer = placeResultOf({ results: results.slice(i, i + 1) });
    const label = labelOf(terms.seriesId);
    if (answer.status === 'rejected')
      return { isWhole: false, realized: 0, line: `${label}: ${answer.reason}` };
    const { kind, text, filledMicros, averagePrice } = resultOf(answer, terms);
    const gained = (averagePrice - (paid.get(terms.seriesId) ?? Number.NaN)) * microsToDecimal(filledMicros);
    const realized = filledMicros === 0 ? 0 : terms.side === 'sell' ? gained : -gained;
    return { isWhole: kind === 'filled', realized, line: `${label}: ${text}` };
  });
  const whole = answers.filter(({ isWhole }) => isWhole).length;
  const isAll = whole === orders.length;
  const realized = answers.reduce((sum, answer) => sum + answer.realized, 0);
  const told = Number.isNaN(realized) ? '' : `, ${formatPnl(realized, '$')} realised before fees`;
  return isAll
    ? { text: `All closed${told}.`, tone: 'good' }
    : {
        text: `${whole} of ${orders.length} closed whole${told}.`,
        tone: 'warning',
        lines: answers.map(({ line }) => line),
      };
}
