/** Filter, groups and columns of the positions; on a phone, which has no headings, also their order. */

import type { ReactNode } from 'react';
import { type BookOrder, SORTS, type Sort } from '../core/account/book-rows.ts';
import { ColumnsButton } from './ColumnsButton.tsx';

const SORT_NAMES: Readonly<Record<Sort, string>> = {
  contract: 'Contract',
  size: 'Size',
  value: 'Value',
  unrealized: 'Unrealised P&L',
  delta: 'Delta',
  theta: 'Theta',
  vega: 'Vega',
};

interface PositionToolsProps {
  readonly order: BookOrder;
  /** Underlyings held. */
  readonly symbols: readonly string[];
  readonly onOrder: (order: BookOrder) => void;
}

export function PositionTools({ order, symbols, onOrder }: PositionToolsProps): ReactNode {
  return (
    <div className="acts position-tools">
      <label className="by-list">
        Sort by{' '}
        <select
          value={order.sort}
          onChange={({ target }) => {
            const sort = target.value as Sort;
            onOrder({ ...order, sort, isDescending: sort !== 'contract' });
          }}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {SORT_NAMES[sort]}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="by-list"
        aria-label="Largest first"
        title={order.isDescending ? 'Largest first' : 'Smallest first'}
        aria-pressed={order.isDescending}
        onClick={() => onOrder({ ...order, isDescending: !order.isDescending })}
      >
        {order.isDescending ? '↓' : '↑'}
      </button>
      {symbols.length > 1 && (
        <label>
          Show{' '}
          <select
            value={order.symbol ?? ''}
            onChange={({ target }) =>
              onOrder({ ...order, symbol: target.value === '' ? null : target.value })
            }
          >
            <option value="">all underlyings</option>
            {symbols.map((symbol) => (
              <option key={symbol}>{symbol}</option>
            ))}
          </select>
        </label>
      )}
      <button
        type="button"
        aria-pressed={order.isGrouped}
        onClick={() => onOrder({ ...order, isGrouped: !order.isGrouped })}
      >
        By expiry
      </button>
      <ColumnsButton of="positions" />
    </div>
  );
}
