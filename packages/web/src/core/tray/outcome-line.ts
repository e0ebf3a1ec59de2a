/** The outcome of an order in one line, for the place over its button. */

import type { Outcome } from '@venue/sdk/spreads';
import { formatPrice, formatUsd } from '../numbers.ts';

/** From here on cents of a break-even say nothing. */
const WHOLE_FROM = 1_000;

/**
 * @param of the part that the figures are for; null for the whole order
 * @example outcomeLine(outcome, null) // 'Lose at most $215.00 · make at most $285.00 · even at 94,195 and 95,805'
 */
export function outcomeLine({ greatestLoss, greatestGain, breakEvens }: Outcome, of: string | null): string {
  const parts = [
    greatestLoss === null
      ? 'losses are unlimited'
      : greatestLoss <= 0
        ? 'cannot lose'
        : `lose at most ${formatUsd(greatestLoss)}`,
    greatestGain === null
      ? 'gains are unlimited'
      : greatestGain <= 0
        ? 'cannot gain'
        : `make at most ${formatUsd(greatestGain)}`,
  ];
  if (breakEvens.length > 0) parts.push(`even at ${breakEvens.map(evenText).join(' and ')}`);
  const line = parts.join(' · ');
  return of === null ? `${line.charAt(0).toUpperCase()}${line.slice(1)}` : `${of}: ${line}`;
}

function evenText(at: number): string {
  return at >= WHOLE_FROM ? Math.round(at).toLocaleString('en-US') : formatPrice(at);
}
