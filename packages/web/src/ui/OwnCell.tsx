/** What the person has of a contract, beside its prices: the position and what rests. */

import type { ReactNode } from 'react';
import type { Leg } from '../core/market.ts';
import { useStore, useTerminal } from './terminal.ts';

export function OwnCell({ leg }: { readonly leg: Leg | null }): ReactNode {
  const { stores, format } = useTerminal();
  const seriesId = leg?.seriesId ?? '';
  const qty = useStore(stores.holdings, ({ positions }) => positions.get(seriesId)?.qty ?? 0);
  const resting = useStore(stores.holdings, ({ orders }) => orders.get(seriesId)?.length ?? 0);
  return (
    <td className="own">
      {qty !== 0 && (
        <span
          className={qty > 0 ? 'long' : 'short'}
          title={`Position: ${qty > 0 ? 'long' : 'short'} ${Math.abs(qty)}`}
        >
          {qty > 0 ? '+' : '−'}
          {format.qty(Math.abs(qty))}
        </span>
      )}
      {resting > 0 && (
        <span title={`${resting} resting ${resting === 1 ? 'order' : 'orders'}`}>◦{resting}</span>
      )}
    </td>
  );
}
