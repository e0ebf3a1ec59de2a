/**
 * Computes the outcome of options at expiry: greatest loss and gain, and break-evens, exact to the micro (CMB-5). Asks no
 * venue.
 */

import { MICROS_PER_UNIT, microsToDecimal, parseSeriesId, toMicros } from '@venue/protocol';
import { exactMicros } from '../net/checks.ts';
import type { Decimal } from '../net/decimal.ts';

/** Contracts of one series, bought or sold. A position of an account is one. */
export interface PayoffLine {
  readonly seriesId: string;
  /** Signed: negative when sold. */
  readonly qty: Decimal;
}

/** The outcome of a list of options, each expiry of each underlying settling at a price of its own. */
export interface Outcome {
  /** In US dollars, rounded up; negative if a gain is certain, and null without a bound. */
  readonly greatestLoss: number | null;
  /** In US dollars, rounded down; negative if a loss is certain, and null without a bound. */
  readonly greatestGain: number | null;
  /**
   * Prices of the underlying at which profit turns into loss or the reverse, ascending, to the nearest micro. Empty for
   * options of several expiries or underlyings, which have no price in common.
   */
  readonly breakEvens: readonly number[];
}

/** The options of one expiry, with everything in integers. Payoffs are in millionths of a micro. */
interface Group {
  readonly legs: readonly Leg[];
  /** Zero and every strike, ascending, in micros: between them a payoff is a straight line. */
  readonly kinks: readonly bigint[];
  /** The slope of the payoff beyond the last strike. */
  readonly slope: bigint;
}

interface Leg {
  readonly isCall: boolean;
  readonly strike: bigint;
  readonly qty: bigint;
}

const MILLION = BigInt(MICROS_PER_UNIT);

/**
 * The outcome of a list of options at expiry, after the premium paid for all of it, less the premium received. Throws
 * `RangeError` for a name that is no series, and for an amount that is not exact in micros.
 *
 * @example
 * outcomeOf(
 *   [
 *     { seriesId: 'BTC-1795827600-C-92000', qty: 1 },
 *     { seriesId: 'BTC-1795827600-C-93000', qty: -1 },
 *   ],
 *   473,
 * ); // { greatestLoss: 473, greatestGain: 527, breakEvens: [92473] }
 */
export function outcomeOf(lines: readonly PayoffLine[], paid: Decimal = 0): Outcome {
  const cost = BigInt(exactMicros('paid', paid)) * MILLION;
  const groups = groupsOf(lines);
  const lowest = sumOf(groups.map(lowestOf));
  const highest = sumOf(groups.map(highestOf));
  const [group] = groups;
  return {
    greatestLoss: lowest === null ? null : decimal(ceilDiv(cost - lowest)),
    greatestGain: highest === null ? null : decimal(-ceilDiv(cost - highest)),
    breakEvens: group === undefined || groups.length > 1 ? [] : breakEvensOf(group, cost),
  };
}

/**
 * Profit or loss in US dollars if every option settles at one price of the underlying, rounded down to the micro. Throws
 * as `outcomeOf` does.
 *
 * @example profitAt([{ seriesId: 'BTC-1795827600-C-92000', qty: 2 }], { price: 92500, paid: 400 }) // 600
 */
export function profitAt(
  lines: readonly PayoffLine[],
  { price, paid = 0 }: { readonly price: Decimal; readonly paid?: Decimal },
): number {
  const at = BigInt(exactMicros('price', price));
  const cost = BigInt(exactMicros('paid', paid)) * MILLION;
  const payoffs = groupsOf(lines).map((group) => payoffAt(group, at));
  return decimal(-ceilDiv(cost - payoffs.reduce((total, one) => total + one, 0n)));
}

function groupsOf(lines: readonly PayoffLine[]): Group[] {
  const groups = new Map<string, Leg[]>();
  for (const { seriesId, qty } of lines) {
    const terms = parseSeriesId(seriesId);
    if (terms === undefined) throw new RangeError(`${seriesId} is no series`);
    const { symbol, expiryTs, right, strikeMicros } = terms;
    const key = `${symbol} ${expiryTs}`;
    const leg = { isCall: right === 'C', strike: BigInt(strikeMicros), qty: BigInt(exactMicros('qty', qty)) };
    groups.set(key, [...(groups.get(key) ?? []), leg]);
  }
  return [...groups.values()].map(groupOf);
}

function groupOf(legs: readonly Leg[]): Group {
  const kinks = [...new Set([0n, ...legs.map(({ strike }) => strike)])].sort((a, b) => (a < b ? -1 : 1));
  const slope = legs.reduce((total, { isCall, qty }) => (isCall ? total + qty : total), 0n);
  return { legs, kinks, slope };
}

function payoffAt({ legs }: Group, price: bigint): bigint {
  return legs.reduce((total, { isCall, strike, qty }) => {
    const value = isCall ? price - strike : strike - price;
    return value > 0n ? total + qty * value : total;
  }, 0n);
}

/** The least that a group pays, at a kink; null if it falls without end. */
function lowestOf(group: Group): bigint | null {
  return group.slope < 0n ? null : payoffsOf(group)[0]!;
}

function highestOf(group: Group): bigint | null {
  return group.slope > 0n ? null : payoffsOf(group).at(-1)!;
}

/** At the kinks, ascending. */
function payoffsOf(group: Group): bigint[] {
  return group.kinks.map((price) => payoffAt(group, price)).sort((a, b) => (a < b ? -1 : 1));
}

function sumOf(parts: readonly (bigint | null)[]): bigint | null {
  return parts.reduce((total, one) => (total === null || one === null ? null : total + one), 0n);
}

/** Where the profit crosses or touches zero; of a stretch at zero its ends, but not a price of zero. */
function breakEvensOf(group: Group, cost: bigint): number[] {
  const { kinks, slope } = group;
  const profits = kinks.map((price) => payoffAt(group, price) - cost);
  const found = kinks.flatMap((price, i) => {
    const profit = profits[i]!;
    const next = profits[i + 1];
    if (profit === 0n) return isStretch(profits, i, slope) ? [] : [price];
    if (next === undefined)
      return profit < 0n === slope > 0n && slope !== 0n ? [price + round(-profit, slope)] : [];
    if (next === 0n || profit < 0n === next < 0n) return [];
    return [price + round(-profit * (kinks[i + 1]! - price), next - profit)];
  });
  return found.filter((price) => price > 0n).map(decimal);
}

/** True inside a stretch of prices at which nothing is lost or won. */
function isStretch(profits: readonly bigint[], i: number, slope: bigint): boolean {
  const isFlatBefore = i > 0 && profits[i - 1] === 0n;
  const next = profits[i + 1];
  return isFlatBefore && (next === undefined ? slope === 0n : next === 0n);
}

/** A quotient of two numbers of one sign, to the nearest integer. */
function round(a: bigint, b: bigint): bigint {
  return (2n * a + b) / (2n * b);
}

/** Micros from millionths of them, rounded up. */
function ceilDiv(value: bigint): bigint {
  return value > 0n ? (value + MILLION - 1n) / MILLION : -(-value / MILLION);
}

function decimal(micros: bigint): number {
  return microsToDecimal(toMicros(Number(micros)));
}
