/** Profit and loss of what an account holds, by the price of the underlying (CMB-4). */

import { type Holding, yearsLeft } from '@venue/engine';
import {
  clampMicros,
  MICROS_PER_UNIT,
  type Micros,
  microsToDecimal,
  mulDivFloorClamped,
  type PnlCurve,
} from '@venue/protocol';
import { priceOption } from '@venue/protocol/black76';
import { CURVE_PRICES } from '@venue/protocol/wire';

/** The grid from 0.5 to 1.5 times spot, in shares of spot. */
const STEPS_BELOW = 20;
const STEPS_PER_SPOT = 40;

/** One curve of one underlying: sums that are filled in line by line. */
interface Curve {
  /** The time at which everything is valued, in milliseconds; what has expired by then is worth its payoff. */
  readonly atMs: number;
  readonly sums: Float64Array;
}

/** The part that one series has in one curve. */
interface Line {
  readonly holding: Holding;
  readonly pricesMicros: readonly Micros[];
  readonly curve: Curve;
}

/**
 * The curves of all underlyings held, by symbol, and at what they stand while lines are missing. Iterating adds the lines
 * one by one, so that the caller can pause: each is 41 prices of the model.
 */
export function pnlCurves(
  holdings: readonly Holding[],
  ts: number,
): { lines: Line[]; curves: () => PnlCurve[] } {
  const held = holdings.filter(({ qtyMicros, paidMicros }) => qtyMicros !== 0 || paidMicros !== 0);
  const bySymbol = [...Map.groupBy(held, ({ series }) => series.instrument.symbol)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const all = bySymbol.map(([symbol, own]) => blankCurves(symbol, own, ts));
  return { lines: all.flatMap(({ lines }) => lines), curves: () => all.map(({ view }) => view()) };
}

function blankCurves(symbol: string, holdings: readonly Holding[], ts: number) {
  const pricesMicros = gridOf(holdings[0]!.series.instrument.spotMicros);
  const now: Curve = { atMs: ts, sums: new Float64Array(CURVE_PRICES) };
  const cutoffs = new Map(holdings.map(({ series }) => [series.expiryTs, series.cutoffMs]));
  const expiries = [...cutoffs]
    .sort(([a], [b]) => a - b)
    .map(([expiryTs, atMs]) => ({ expiryTs, curve: { atMs, sums: new Float64Array(CURVE_PRICES) } }));
  const lines = [now, ...expiries.map(({ curve }) => curve)].flatMap((curve) =>
    holdings.map((holding): Line => ({ holding, pricesMicros, curve })),
  );
  const view = (): PnlCurve => ({
    symbol,
    prices: pricesMicros.map(microsToDecimal),
    now: shown(now),
    expiries: expiries.map(({ expiryTs, curve }) => ({ expiryTs, pnl: shown(curve) })),
  });
  return { lines, view };
}

/** Rounded down, but never to nothing: the model has no price there. */
function gridOf(spotMicros: Micros): Micros[] {
  return Array.from({ length: CURVE_PRICES }, (_, step) =>
    clampMicros(Math.max(1, mulDivFloorClamped(spotMicros, STEPS_BELOW + step, STEPS_PER_SPOT))),
  );
}

function shown({ sums }: Curve): number[] {
  return Array.from(sums, (sum) => microsToDecimal(clampMicros(Math.round(sum))));
}

/** Adds to a curve what one series is worth there, less what was paid for it. */
export function addLine({ holding, pricesMicros, curve }: Line): void {
  const { qtyMicros, paidMicros } = holding;
  const valueAt = valuation(holding, curve.atMs);
  pricesMicros.forEach((price, i) => {
    curve.sums[i]! += (qtyMicros * valueAt(price)) / MICROS_PER_UNIT - paidMicros;
  });
}

/** The value of a contract at a time, by the price of the underlying. */
function valuation({ series, vol }: Holding, atMs: number): (priceMicros: number) => number {
  if (series.status === 'settled') return () => series.payoutMicros;
  const { right, strikeMicros: strike } = series;
  const terms = { right, strike, years: yearsLeft(series, atMs), vol: vol ?? 0 };
  return (forward) => Math.round(priceOption({ ...terms, forward }));
}
