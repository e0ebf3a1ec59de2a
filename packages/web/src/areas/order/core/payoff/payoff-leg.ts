/** An option as part of a payoff, and what several are worth at a price and a time. */

import type { Right } from '@venue/protocol';
import { valueOption } from '@venue/protocol/black76';
import { yearsUntil } from '../../../../market/years.ts';

/** An option held, or one a ticket would trade. */
export interface PayoffLeg {
  readonly seriesId: string;
  readonly right: Right;
  /** Dollars. */
  readonly strike: number;
  /** Unix seconds. */
  readonly expiryTs: number;
  /** Contracts, negative for a short. */
  readonly qty: number;
  /** Premium per contract at entry, in dollars. */
  readonly price: number;
  /** Paid for the whole leg, in dollars. */
  readonly fee: number;
  /** Annual volatility as a fraction; 0 when unknown. */
  readonly iv: number;
}

/**
 * Result in dollars of legs that can be valued, at a price and a time: expired legs at their payout, the rest at model
 * value.
 */
export function profitAt(legs: readonly PayoffLeg[], spot: number, atMs: number): number {
  let profit = 0;
  for (const { right, strike, expiryTs, qty, price, fee, iv } of legs) {
    const value = valueOption({
      right,
      forward: spot,
      strike,
      years: yearsUntil(expiryTs, atMs),
      vol: iv,
    }).price;
    profit += qty * (value - price) - fee;
  }
  return profit;
}
