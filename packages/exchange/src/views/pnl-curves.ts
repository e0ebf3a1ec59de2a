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

/** A holding as curves need it: plain values, which can be sent to another thread. */
export interface CurveHolding
  extends Pick<Holding, 'qtyMicros' | 'paidMicros' | 'vol'>,
    Pick<Holding['series'], 'expiryTs' | 'cutoffMs' | 'right' | 'strikeMicros'> {
  readonly symbol: string;
  readonly spotMicros: Micros;
  /** Null for a series that is not settled. */
  readonly payoutMicros: Micros | null;
}

/** The holdings that change a curve. */
export function curveHoldings(holdings: readonly Holding[]): CurveHolding[] {
  return holdings
    .filter(({ qtyMicros, paidMicros }) => qtyMicros !== 0 || paidMicros !== 0)
    .map(({ series, qtyMicros, paidMicros, vol }) => {
      const { instrument, status, payoutMicros, expiryTs, cutoffMs, right, strikeMicros } = series;
      const { symbol, spotMicros } = instrument;
      const payout = status === 'settled' ? payoutMicros : null;
      return {
        ...{ symbol, spotMicros, expiryTs, cutoffMs, right, strikeMicros },
        ...{ payoutMicros: payout, qtyMicros, paidMicros, vol },
      };
    });
}

/** The curves of all underlyings held, by symbol: 41 prices of the model for each series, now and at each expiry. */
export function pnlCurves(holdings: readonly CurveHolding[], ts: number): PnlCurve[] {
  const bySymbol = [...Map.groupBy(holdings, ({ symbol }) => symbol)].sort(([a], [b]) => (a < b ? -1 : 1));
  return bySymbol.map(([symbol, own]) => curveOf(symbol, own, ts));
}

function curveOf(symbol: string, holdings: readonly CurveHolding[], ts: number): PnlCurve {
  const prices = gridOf(holdings[0]!.spotMicros);
  const cutoffs = new Map(holdings.map(({ expiryTs, cutoffMs }) => [expiryTs, cutoffMs]));
  return {
    symbol,
    prices: prices.map(microsToDecimal),
    now: pnlAt(holdings, prices, ts),
    expiries: [...cutoffs]
      .sort(([a], [b]) => a - b)
      .map(([expiryTs, cutoffMs]) => ({ expiryTs, pnl: pnlAt(holdings, prices, cutoffMs) })),
  };
}

/** Rounded down, but never to nothing: the model has no price there. */
function gridOf(spotMicros: Micros): Micros[] {
  return Array.from({ length: CURVE_PRICES }, (_, step) =>
    clampMicros(Math.max(1, mulDivFloorClamped(spotMicros, STEPS_BELOW + step, STEPS_PER_SPOT))),
  );
}

/** The value of all holdings at a time, less what was paid for them; those expired by then are worth their payoffs. */
function pnlAt(holdings: readonly CurveHolding[], prices: readonly Micros[], atMs: number): number[] {
  const sums = new Float64Array(CURVE_PRICES);
  for (const holding of holdings) {
    const valueAt = valuation(holding, atMs);
    prices.forEach((price, i) => {
      sums[i]! += (holding.qtyMicros * valueAt(price)) / MICROS_PER_UNIT - holding.paidMicros;
    });
  }
  return Array.from(sums, (sum) => microsToDecimal(clampMicros(Math.round(sum))));
}

/** The value of a contract at a time, by the price of the underlying. */
function valuation(holding: CurveHolding, atMs: number): (priceMicros: number) => number {
  const { right, strikeMicros: strike, payoutMicros, vol } = holding;
  if (payoutMicros !== null) return () => payoutMicros;
  const terms = { right, strike, years: yearsLeft(holding, atMs), vol: vol ?? 0 };
  return (forward) => Math.round(priceOption({ ...terms, forward }));
}
