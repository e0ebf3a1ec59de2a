/** A whole account in numbers, as the venue answered it at one moment: everything that a what-if is computed from. */

import {
  decimalToMicros,
  type Micros,
  parseSeriesId,
  type Right,
  type Simulation,
  toMicros,
} from '@venue/protocol';
import { impliedVol } from '@venue/protocol/implied-vol';
import { minutesLeft, yearsOf } from '@venue/protocol/margin';

/** One series that is held, or that resting sells would open. Plain, so that it can be sent to a worker. */
export interface BookLine {
  readonly seriesId: string;
  readonly symbol: string;
  readonly right: Right;
  readonly strikeMicros: Micros;
  /** Unix seconds. */
  readonly expiryTs: number;
  /** Negative for a short. */
  readonly qtyMicros: number;
  readonly restingSellMicros: number;
  /** Reserved for its resting buys. */
  readonly reserveMicros: number;
  /** The mark in force for the account. */
  readonly markMicros: Micros;
  /** At which the model goes through the mark, or else the newest annotation; null without one, where it is worth its payoff. */
  readonly vol: number | null;
  /** False past its cutoff, where it is worth its payoff until it is settled. */
  readonly isLive: boolean;
}

export interface Book {
  /** By the venue's clock. */
  readonly atMs: number;
  readonly cashMicros: Micros;
  /** Reserved for every resting buy. */
  readonly reservedMicros: Micros;
  readonly unrealizedMicros: Micros;
  readonly equityMicros: Micros;
  readonly marginMode: 'per-leg' | 'defined-risk';
  readonly premiumTerm: 'mark' | 'intrinsic';
  /** By underlying. */
  readonly spots: Readonly<Record<string, Micros>>;
  readonly lines: readonly BookLine[];
}

/**
 * The book of an account that `POST /v1/simulate` answered without trades or shifts, so that marks, margin and spots are
 * of one moment. A series whose underlying has no known spot is left out, as nothing can be said of it.
 *
 * @param atMs the moment of the answer, by the venue's clock
 */
export function bookOf({ account, margin, curves }: Simulation, atMs: number): Book {
  const spots: Record<string, Micros> = {};
  for (const { symbol, prices } of curves) spots[symbol] = micros(prices[prices.length >> 1] ?? 0);
  for (const { seriesId, spot } of margin.series) spots[parseSeriesId(seriesId)!.symbol] ??= micros(spot);
  return {
    atMs,
    cashMicros: micros(margin.cash),
    reservedMicros: micros(margin.reserved),
    unrealizedMicros: micros(account.unrealizedPnl),
    equityMicros: micros(margin.equity),
    marginMode: margin.marginMode,
    premiumTerm: margin.premiumTerm,
    spots,
    lines: linesOf({ account, margin }, spots, atMs),
  };
}

function linesOf(
  { account, margin }: Pick<Simulation, 'account' | 'margin'>,
  spots: Book['spots'],
  atMs: number,
): BookLine[] {
  const qtys = new Map(account.positions.map(({ seriesId, qty }) => [seriesId, qty]));
  const marks = new Map(margin.marks.map((mark) => [mark.seriesId, mark]));
  const resting = new Map(margin.series.map(({ seriesId, restingSell }) => [seriesId, restingSell]));
  const ordered = ordersOf(margin.orders);
  const ids = new Set([...qtys.keys(), ...resting.keys(), ...ordered.keys()]);
  return [...ids].flatMap((seriesId) => {
    const terms = parseSeriesId(seriesId);
    const spot = spots[terms?.symbol ?? ''];
    if (terms === undefined || spot === undefined) return [];
    const { symbol, right, strikeMicros, expiryTs } = terms;
    const mark = marks.get(seriesId);
    const orders = ordered.get(seriesId) ?? NO_ORDERS;
    const markMicros = micros(mark?.risk ?? 0);
    const isLive = expiryTs * 1_000 > atMs;
    const years = yearsOf(minutesLeft({ cutoffMs: expiryTs * 1_000 }, atMs));
    const implied = impliedVol({ right, forward: spot, strike: strikeMicros, years, price: markMicros });
    return {
      ...{ seriesId, symbol, right, strikeMicros, expiryTs, markMicros, isLive },
      qtyMicros: micros(qtys.get(seriesId) ?? 0),
      restingSellMicros: micros(resting.get(seriesId) ?? orders.sold),
      reserveMicros: micros(orders.reserve),
      vol: isLive ? (implied ?? mark?.iv ?? null) : null,
    };
  });
}

interface Orders {
  readonly sold: number;
  readonly reserve: number;
}

const NO_ORDERS: Orders = { sold: 0, reserve: 0 };

function ordersOf(orders: Simulation['margin']['orders']): Map<string, Orders> {
  const bySeries = new Map<string, Orders>();
  for (const { seriesId, side, remaining, reserve } of orders) {
    const { sold, reserve: before } = bySeries.get(seriesId) ?? NO_ORDERS;
    bySeries.set(seriesId, {
      sold: side === 'sell' ? sold + remaining : sold,
      reserve: before + reserve,
    });
  }
  return bySeries;
}

/** Amounts on the wire are whole micros; a sum of them may be off by a rounding of doubles. */
function micros(decimal: number): Micros {
  return decimalToMicros(decimal) ?? toMicros(Math.round(decimal * 1e6));
}
