/** Sentences on what a payoff leaves out, appended to its own; empty where it leaves out nothing (TERM-1). */

import type { Payoff } from '../areas/order/core/payoff/payoff.ts';
import { seriesLabel } from '../market/series-label.ts';

export function leftOutText({ leftOutAtExpiry, leftOutToday, isExact }: Payoff): string {
  const model = isExact ? '' : ' Later expiries are at model value.';
  const names = (series: readonly string[]) => [...new Set(series)].map(seriesLabel).join(', ');
  if (leftOutAtExpiry.length > 0)
    return `${model} Excluded, without a volatility: ${names(leftOutAtExpiry)}.`;
  if (leftOutToday.length > 0)
    return `${model} Excluded from today, without a volatility: ${names(leftOutToday)}.`;
  return model;
}
