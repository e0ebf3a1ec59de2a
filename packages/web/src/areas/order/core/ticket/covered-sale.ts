/** Sales of the ticket that open a short which longs of the account cover (DRM-1). */

import type { Position } from '@venue/protocol';
import { parseSeriesId } from '@venue/protocol';
import { microsOf } from '../../../../basics/micros.ts';
import type { TrayTerms } from '../tray/terms.ts';
import type { TicketTerms } from './terms.ts';

/**
 * The sale as an order that defined-risk margin may be offered for, if the account has longs of its underlying, expiry and
 * right; null for any other order. At which strikes they are only decides how much it would lock.
 */
export function coveredSale(
  { seriesId, side, qty }: Pick<TicketTerms, 'seriesId' | 'side' | 'qty'>,
  positions: ReadonlyMap<string, Pick<Position, 'seriesId' | 'qty'>>,
): Pick<TrayTerms, 'legs' | 'qty'> | null {
  const held = positions.get(seriesId)?.qty ?? 0;
  if (side === 'buy' || microsOf(qty - held) <= 0) return null;
  const sold = parseSeriesId(seriesId);
  const covers = positions.values().some((long) => {
    const { symbol, expiryTs, right } = parseSeriesId(long.seriesId) ?? {};
    const isOther = long.seriesId !== seriesId && long.qty > 0;
    return isOther && symbol === sold?.symbol && expiryTs === sold?.expiryTs && right === sold?.right;
  });
  return covers ? { legs: [{ seriesId, side, ratio: 1 }], qty } : null;
}
