/** Computes the half spread around a series' centre. */

import { YEAR_MS } from './horizon.ts';
import type { SpreadParameters } from './parameters.ts';
import type { SeriesValue } from './pricing.ts';
import { tickAt } from './ticks.ts';

export interface SpreadTerms {
  readonly value: SeriesValue;
  readonly spot: number;
  /** Annual volatility at the money. */
  readonly atmVol: number;
  readonly leftMs: number;
  /** The larger of the used shares of the symbol's two limits, from 0 to 1. */
  readonly use: number;
  /** Multiple of what the quote risks, for a series that is not worth quoting closely. */
  readonly farSpreads: number;
}

const HOUR_MS = 3_600_000;

/** At the money. */
const DELTA_MAX = 0.5;

/**
 * Half spread in units of price: the loss if volatility, the underlying's price, or the move between two re-quotes is
 * off by what the parameters allow. More near expiry and with inventory; at least half a tick, and the move of a
 * quote's lifetime. What is in the money is the underlying and an option out of it: it has that option's risk, and no
 * series is wider for its delta than one at the money.
 */
export function halfSpreadOf(
  parameters: SpreadParameters,
  { value, spot, atmVol, leftMs, use, farSpreads }: SpreadTerms,
): number {
  const gap = spot * atmVol * Math.sqrt((parameters.gapSeconds * 1_000) / YEAR_MS);
  const outOfTheMoney = Math.min(Math.abs(value.forwardDelta), 1 - Math.abs(value.forwardDelta));
  const risk =
    parameters.vol * value.vega +
    (parameters.deltaBps / 10_000) * spot * outOfTheMoney +
    0.5 * value.gamma * gap * gap;
  const delta = Math.min(Math.abs(value.delta), DELTA_MAX);
  const move = delta * spot * atmVol * Math.sqrt((parameters.moveSeconds * 1_000) / YEAR_MS);
  const nearExpiry = 1 + parameters.expiryShare * Math.exp(-leftMs / (parameters.expiryHours * HOUR_MS));
  const withInventory = 1 + parameters.inventoryShare * use;
  return Math.max(tickAt(value.price) / 2, risk * nearExpiry * withInventory * farSpreads, move);
}
