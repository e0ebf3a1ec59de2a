/** Closing every position at once: one reduce-only order each, of which nothing rests, under one signature (BAT-2). */

import type { Position, Ticker } from '@venue/protocol';
import { type BatchDone, placeResultOf } from '../batches.ts';
import { formatPrice, formatSize } from '../numbers.ts';
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
  const bound = `at ${formatPrice(price ?? Number.NaN)} or ${side === 'buy' ? 'less' : 'more'}`;
  return `${side === 'buy' ? 'Buy' : 'Sell'} ${formatSize(qty)} ${labelOf(seriesId)} ${bound}`;
}

export function closeTitle({ orders }: ClosePlan): string {
  return orders.length === 1 ? 'Close a position' : `Close ${orders.length} positions`;
}

/** A line for each order, and in the text how many closed whole. */
export function closedWords(
  { results }: Pick<BatchDone, 'results'>,
  orders: readonly TicketTerms[],
  labelOf: (seriesId: string) => string,
): Required<Pick<Notice, 'text' | 'tone' | 'lines'>> {
  const answers = orders.map((terms, i) => {
    const answer = placeResultOf({ results: results.slice(i, i + 1) });
    const { kind, text } =
      answer.status === 'rejected' ? { kind: 'rejected', text: answer.reason } : resultOf(answer, terms);
    return { isWhole: kind === 'filled', line: `${labelOf(terms.seriesId)}: ${text}` };
  });
  const whole = answers.filter(({ isWhole }) => isWhole).length;
  const isAll = whole === orders.length;
  return {
    text: isAll ? 'All closed.' : `${whole} of ${orders.length} closed whole.`,
    tone: isAll ? 'good' : 'warning',
    lines: answers.map(({ line }) => line),
  };
}
