/**
 * The chance that an order ends in profit, as the prices of options have it: risk-neutral, read off the smile of the
 * expiry. It is no forecast, since it contains what people pay for being insured.
 */

import { priceOption } from '@venue/protocol/black76';
import type { SmilePoint } from '../../../../market/smile.ts';
import type { PayoffRegion } from '../payoff/regions.ts';

export interface ChanceFacts {
  /** Dollars. */
  readonly spot: number;
  /** Variance time left, as `yearsUntil` counts it. */
  readonly years: number;
  /** Ascending by strike. */
  readonly smile: readonly SmilePoint[];
}

/** The step of the slope, as a share of the price. */
const STEP = 1e-3;

/** The chance, 0 to 1, of a price in the regions with a profit; null while there is no smile. */
export function chanceOfProfit(regions: readonly PayoffRegion[], facts: ChanceFacts): number | null {
  if (facts.smile.length === 0 || !(facts.spot > 0) || !(facts.years > 0)) return null;
  const chance = regions
    .filter(({ sign }) => sign > 0)
    .reduce((sum, { from, to }) => sum + chanceAbove(from, facts) - chanceAbove(to, facts), 0);
  return clamped(chance);
}

/** The chance of an end above a price: how fast a call gets cheaper as its strike rises. */
function chanceAbove(price: number, facts: ChanceFacts): number {
  if (price === 0) return 1;
  if (price === Number.POSITIVE_INFINITY) return 0;
  const [low, high] = [price * (1 - STEP), price * (1 + STEP)];
  return clamped((callAt(low, facts) - callAt(high, facts)) / (high - low));
}

function callAt(strike: number, { spot, years, smile }: ChanceFacts): number {
  return priceOption({ right: 'C', forward: spot, strike, years, vol: ivAt(strike, smile) });
}

/** Straight lines between the strikes, and flat beyond them. */
function ivAt(strike: number, smile: readonly SmilePoint[]): number {
  const i = smile.findIndex((point) => point.strike >= strike);
  const [low, high] = [smile[i - 1], smile[i]];
  if (high === undefined) return smile.at(-1)!.iv;
  if (low === undefined) return high.iv;
  return low.iv + ((high.iv - low.iv) * (strike - low.strike)) / (high.strike - low.strike);
}

function clamped(chance: number): number {
  return Math.min(1, Math.max(0, chance));
}
