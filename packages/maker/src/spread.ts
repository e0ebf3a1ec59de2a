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
}

const HOUR_MS = 3_600_000;

/**
 * Half spread in units of price: the loss if volatility, the underlying's price, or the move between two re-quotes is
 * off by what the parameters allow. More near expiry and with inventory; at least half a tick, and the move of a
 * quote's lifetime.
 */
export function halfSpreadOf(
  parameters: SpreadParameters,
  { value, spot, atmVol, leftMs, use }: SpreadTerms,
): number {
  const gap = spot * atmVol * Math.sqrt((parameters.gapSeconds * 1_000) / YEAR_MS);
  const risk =
    parameters.vol * value.vega +
    (parameters.deltaBps / 10_000) * spot * Math.abs(value.forwardDelta) +
    0.5 * value.gamma * gap * gap;
  const move = Math.abs(value.delta) * spot * atmVol * Math.sqrt((parameters.moveSeconds * 1_000) / YEAR_MS);
  const nearExpiry = 1 + parameters.expiryShare * Math.exp(-leftMs / (parameters.expiryHours * HOUR_MS));
  const withInventory = 1 + parameters.inventoryShare * use;
  return Math.max(tickAt(value.price) / 2, risk * nearExpiry * withInventory, move);
}
