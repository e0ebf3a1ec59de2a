/**
 * How near an account is to a margin call, and which buys would end one. The venue calls an account whose equity is
 * below its maintenance margin; it then accepts only buys that close shorts, paid from cash alone.
 */

import {
  clampMicros,
  type MarginReport,
  type MarginSeries,
  MICROS_PER_UNIT,
  type Micros,
  mulDivCeilClamped,
  mulDivFloorClamped,
} from '@venue/protocol';
import { microsOf } from '../../../basics/micros.ts';

/** In ascending order of severity: no warning, a warning, a stronger one, the call itself. */
export type MarginLevel = 'none' | 'yellow' | 'orange' | 'red';

export interface MarginStanding {
  readonly level: MarginLevel;
  /** Maintenance margin over equity: 0 without shorts, infinite at zero equity or less. */
  readonly share: number;
  /** The shortfall of equity; 0 while there is no call. */
  readonly shortfallMicros: Micros;
}

/** Shares of equity at which the maintenance margin triggers a warning. */
export const YELLOW_SHARE = 0.7;
export const ORANGE_SHARE = 0.85;

/** An account's standing by its margin report. Whether it is called comes from the venue and is not recomputed. */
export function marginStanding(report: MarginReport): MarginStanding {
  const equity = microsOf(report.equity);
  const maintenance = microsOf(report.maintenanceMargin);
  const share = maintenance === 0 ? 0 : equity > 0 ? maintenance / equity : Number.POSITIVE_INFINITY;
  const shortfallMicros = Math.max(0, maintenance - equity) as Micros;
  const warning = share >= ORANGE_SHARE ? 'orange' : share >= YELLOW_SHARE ? 'yellow' : 'none';
  return { level: report.marginCall ? 'red' : warning, share, shortfallMicros };
}

/** The best ask of a series on the chain, in dollars and contracts; null while there is none. */
export type Ask = { readonly price: number; readonly qty: number } | null;

/** The limit that a buy-back reaches before it ends the call. */
export type BuyBackLimit = 'short' | 'ask' | 'cash' | 'resting-buys';

/** A limit order at the ask that buys a short back. */
export interface BuyBack {
  readonly qtyMicros: Micros;
  readonly priceMicros: Micros;
  /** Premium and taker fee. */
  readonly costMicros: Micros;
  /**
   * True when it takes the whole best ask and leaves part of the short: the mark then moves to the next level, so that
   * more may be needed.
   */
  readonly movesMark: boolean;
}

/** The effect of buying back one short on a margin call. */
export type Remedy =
  | { readonly kind: 'clears'; readonly seriesId: string; readonly order: BuyBack }
  | {
      readonly kind: 'reduces';
      readonly seriesId: string;
      readonly order: BuyBack;
      readonly leftMicros: Micros;
      readonly limit: BuyBackLimit;
    }
  /** No ask, not traded, costs more than it frees, or blocked. */
  | {
      readonly kind: 'useless';
      readonly seriesId: string;
      readonly why: 'no-ask' | 'too-dear' | 'no-cash' | 'resting-buys';
    };

/**
 * For each short of a called account, the smallest buy at the best ask that ends the call, or, if none does, the
 * largest one possible. A buy of n narrows the gap between equity and maintenance by n times `unit - (ask - mark) -
 * fee`; n is then checked against the venue's own rounding. Remedies that clear come first, cheapest first; then those
 * that only reduce, by the remaining shortfall. Empty without a call.
 *
 * @param asks by series id, read together with the report; a missing series is not traded (expired, in review).
 */
export function buyBacks(report: MarginReport, asks: ReadonlyMap<string, Ask>): Remedy[] {
  const { shortfallMicros } = marginStanding(report);
  if (!report.marginCall || shortfallMicros === 0) return [];
  return report.series
    .filter(({ qty }) => qty < 0)
    .map((line) => remedyOf(shortOf(report, line), { ask: asks.get(line.seriesId) ?? null, shortfallMicros }))
    .sort(byUse);
}

/** A short in micros, with the amounts that the venue checks on a reducing order. */
interface Short {
  readonly seriesId: string;
  readonly qtyMicros: number;
  readonly markMicros: number;
  /** Maintenance margin of one contract. */
  readonly unitMicros: number;
  /** Resting buys of the series: they count against the short as well (FINE-9). */
  readonly restingMicros: number;
  /** Cash not reserved by resting buys. */
  readonly cashMicros: number;
}

function shortOf(report: MarginReport, { seriesId, qty, mark, maintenance }: MarginSeries): Short {
  const buys = report.orders.filter((order) => order.seriesId === seriesId && order.side === 'buy');
  return {
    seriesId,
    qtyMicros: -microsOf(qty),
    markMicros: microsOf(mark),
    unitMicros: microsOf(maintenance.unit),
    restingMicros: buys.reduce((sum, { remaining }) => sum + microsOf(remaining), 0),
    cashMicros: microsOf(report.cash) - microsOf(report.reserved),
  };
}

/** Taker fee in basis points of premium (NUM-3). */
const FEE_BPS = 50;
const BPS = 10_000;
/** Each resting order at the price is a separate trade that may round up by two micros: room for fifty of them. */
const ROUNDING_MICROS = 100;

function remedyOf(short: Short, { ask, shortfallMicros }: { ask: Ask; shortfallMicros: Micros }): Remedy {
  const { seriesId } = short;
  if (ask === null) return { kind: 'useless', seriesId, why: 'no-ask' };
  const priceMicros = microsOf(ask.price);
  const gain = short.unitMicros - (priceMicros - short.markMicros) - (priceMicros * FEE_BPS) / BPS;
  if (gain <= 0) return { kind: 'useless', seriesId, why: 'too-dear' };
  const most = largest(short, { priceMicros, offeredMicros: microsOf(ask.qty) });
  if (most.qtyMicros <= 0)
    return { kind: 'useless', seriesId, why: most.limit === 'cash' ? 'no-cash' : 'resting-buys' };
  const gapMicros = shortfallMicros + ROUNDING_MICROS;
  const gapAfter = (qtyMicros: number) => gapMicros - reliefMicros(short, priceMicros, qtyMicros);
  const lot = lotMicros(short.qtyMicros);
  // The gain is that of one contract before rounding. The room is added twice because that gain is itself rounded.
  const needed = Math.ceil((gapMicros + ROUNDING_MICROS) / gain / (lot / MICROS_PER_UNIT)) * lot;
  const order = orderOf(short, { ask, qtyMicros: Math.min(needed, most.qtyMicros) });
  const leftMicros = gapAfter(order.qtyMicros);
  return leftMicros <= 0
    ? { kind: 'clears', seriesId, order }
    : { kind: 'reduces', seriesId, order, leftMicros: leftMicros as Micros, limit: most.limit };
}

function orderOf(short: Short, { ask, qtyMicros }: { ask: NonNullable<Ask>; qtyMicros: number }): BuyBack {
  const priceMicros = microsOf(ask.price);
  return {
    qtyMicros: qtyMicros as Micros,
    priceMicros,
    costMicros: costMicros(priceMicros, qtyMicros),
    movesMark: qtyMicros === microsOf(ask.qty) && qtyMicros < short.qtyMicros,
  };
}

/** The largest buy within the offer, the need, the short and the cash, and which of these limits it. */
function largest(
  short: Short,
  { priceMicros, offeredMicros }: { priceMicros: number; offeredMicros: number },
): { qtyMicros: number; limit: BuyBackLimit } {
  const allowed = short.qtyMicros - short.restingMicros;
  const payable = payableMicros(short.cashMicros, priceMicros);
  const qtyMicros = Math.max(0, Math.min(short.qtyMicros, allowed, offeredMicros, payable));
  if (qtyMicros === payable || payable < 0) return { qtyMicros, limit: 'cash' };
  if (qtyMicros === offeredMicros) return { qtyMicros, limit: 'ask' };
  return { qtyMicros, limit: short.restingMicros > 0 ? 'resting-buys' : 'short' };
}

/** The largest affordable quantity, fee included, rounded down to hundredths of a contract. */
function payableMicros(cashMicros: number, priceMicros: number): number {
  const withFee = (priceMicros * (BPS + FEE_BPS)) / BPS;
  const contracts = Math.max(0, cashMicros - ROUNDING_MICROS) / withFee;
  return Math.floor(contracts * (MICROS_PER_UNIT / SMALL_LOT_MICROS)) * SMALL_LOT_MICROS;
}

const SMALL_LOT_MICROS = MICROS_PER_UNIT / 100;

/** Lot size: whole contracts, or hundredths when the short is not whole. */
function lotMicros(shortMicros: number): number {
  return shortMicros % MICROS_PER_UNIT === 0 ? MICROS_PER_UNIT : SMALL_LOT_MICROS;
}

/** How much a buy reduces maintenance less equity, with the venue's rounding of each. */
function reliefMicros(short: Short, priceMicros: number, qtyMicros: number): number {
  const { markMicros, unitMicros } = short;
  const left = short.qtyMicros - qtyMicros;
  const margin = (qty: number) => mulDivCeilClamped(unitMicros, qty, MICROS_PER_UNIT);
  const value = (qty: number) => mulDivFloorClamped(-qty, markMicros, MICROS_PER_UNIT);
  const equityGain = value(left) - value(short.qtyMicros) - costMicros(priceMicros, qtyMicros);
  return margin(short.qtyMicros) - margin(left) + equityGain;
}

/** Premium and fee of a buy that fills against one order (NUM-3). */
function costMicros(priceMicros: number, qtyMicros: number): Micros {
  const value = mulDivCeilClamped(priceMicros, qtyMicros, MICROS_PER_UNIT);
  return clampMicros(value + mulDivCeilClamped(value, FEE_BPS, BPS));
}

const ORDER = ['clears', 'reduces', 'useless'] as const;

function byUse(a: Remedy, b: Remedy): number {
  if (a.kind === 'clears' && b.kind === 'clears') return a.order.costMicros - b.order.costMicros;
  if (a.kind === 'reduces' && b.kind === 'reduces') return a.leftMicros - b.leftMicros;
  return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
}
