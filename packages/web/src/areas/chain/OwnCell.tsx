/** The account's own position in a contract, and below it the resting orders. */

import type { ReactNode } from 'react';
import type { Leg } from '../../market/market.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import { restingQty } from '../book/core/resting.ts';

export function OwnCell({ leg }: { readonly leg: Leg | null }): ReactNode {
  const { stores, format } = useTerminal();
  const seriesId = leg?.seriesId ?? '';
  const qty = useStore(stores.holdings, ({ positions }) => positions.get(seriesId)?.qty ?? 0);
  const bid = useStore(stores.holdings, ({ orders }) => restingQty(orders.get(seriesId) ?? [], 'buy'));
  const offered = useStore(stores.holdings, ({ orders }) => restingQty(orders.get(seriesId) ?? [], 'sell'));
  const sides = [['buy', bid] as const, ['sell', offered] as const];
  const rests = sides.flatMap(([side, size]) => (size > 0 ? [[side, format.qty(size)] as const] : []));
  return (
    <td className="own">
      {qty !== 0 && (
        <span
          className={qty > 0 ? 'long' : 'short'}
          title={`Position: ${qty > 0 ? 'long' : 'short'} ${format.qty(Math.abs(qty))}`}
        >
          {qty > 0 ? '+' : '−'}
          {format.qty(Math.abs(qty))}
        </span>
      )}
      {rests.length > 0 && (
        <span title={`Resting: ${rests.map(([side, size]) => `${side} ${size}`).join(', ')}`}>
          ◦{rests.map(([, size]) => size).join('/')}
        </span>
      )}
    </td>
  );
}
