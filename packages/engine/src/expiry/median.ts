/** The median of prices. */

import { type Micros, toMicros } from '@venue/protocol';

/** The median; with an even count, the mean of the middle pair rounded down (FINE-6). `prices` must not be empty. */
export function medianMicros(prices: readonly Micros[]): Micros {
  const sorted = [...prices].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1]!;
  if (sorted.length % 2 === 1) return upper;
  const lower = sorted[(sorted.length >> 1) - 1]!;
  return toMicros(lower + Math.floor((upper - lower) / 2));
}
