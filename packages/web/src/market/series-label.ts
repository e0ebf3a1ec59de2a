/** Human-readable names of contracts. */

import { parseSeriesId } from '@venue/protocol';
import { expiryLabel } from '../basics/dates.ts';

/** `BTC 28 Nov 95,000 call`; the id itself where it cannot be parsed. */
export function seriesLabel(seriesId: string): string {
  const terms = parseSeriesId(seriesId);
  if (terms === undefined) return seriesId;
  const { symbol, expiryTs, right, strikeMicros } = terms;
  const strike = (strikeMicros / 1e6).toLocaleString('en-US');
  return `${symbol} ${expiryLabel(expiryTs, Date.now())} ${strike} ${right === 'C' ? 'call' : 'put'}`;
}
