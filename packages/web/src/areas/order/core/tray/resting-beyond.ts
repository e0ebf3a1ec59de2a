/** Own resting orders that the close of a strategy, which is no reduce-only order, leaves without a position to close. */

import type { OpenOrder } from '@venue/protocol';
import { microsOf } from '../../../../basics/micros.ts';
import type { Holdings } from '../../../../session/state.ts';
import { inTheWay } from '../form/in-the-way.ts';
import type { TrayTerms } from './terms.ts';

/**
 * The resting orders on the closed legs that would fill for more than is then still held, and so open a position. Legs
 * that open one themselves, as the later ones of a roll, are left out.
 */
export function restingBeyond(
  { legs, qty }: Pick<TrayTerms, 'legs' | 'qty'>,
  { orders, positions }: Pick<Holdings, 'orders'> & { readonly positions: HeldQtys },
): OpenOrder[] {
  return legs.flatMap((leg) => {
    const held = (positions.get(leg.seriesId)?.qty ?? 0) * (leg.side === 'sell' ? 1 : -1);
    if (held <= 0) return [];
    const resting = inTheWay(orders, leg);
    const restingMicros = resting.reduce((sum, { remaining }) => sum + microsOf(remaining), 0);
    const leftMicros = microsOf(held) - microsOf(leg.ratio * qty);
    return restingMicros > Math.max(0, leftMicros) ? resting : [];
  });
}

type HeldQtys = ReadonlyMap<string, { readonly qty: number }>;
