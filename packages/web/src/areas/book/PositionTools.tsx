/** Filter, groups and columns of the positions; on a phone, which has no headings, also their order. */

import type { ReactNode } from 'react';
import { GROUPINGS, type Grouping } from '../../view/columns.ts';
import { ColumnsButton } from '../chain/ColumnsButton.tsx';
import { type BookOrder, SORTS, type Sort } from './core/book-rows.ts';
import styles from './Positions.module.css';

const SORT_NAMES: Readonly<Record<Sort, string>> = {
  contract: 'Contract',
  size: 'Size',
  value: 'Value',
  unrealized: 'Unrealised P&L',
  delta: 'Delta',
  theta: 'Theta',
  vega: 'Vega',
};

const GROUPING_NAMES: Readonly<Record<Grouping, string>> = {
  strategy: 'By strategy',
  expiry: 'By expiry',
  none: 'One by one',
};

type Order = Omit<BookOrder, 'grouping'>;

interface PositionToolsProps {
  readonly order: Order;
  readonly grouping: Grouping;
  /** Underlyings held. */
  readonly symbols: readonly string[];
  readonly onOrder: (order: Order) => void;
  readonly onGrouping: (grouping: Grouping) => void;
}

export function PositionTools(props: PositionToolsProps): ReactNode {
  const { order, grouping, symbols, onOrder, onGrouping } = props;
  return (
    <div className={`acts ${styles.positionTools}`}>
      <label className={styles.byList}>
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
        className={styles.byList}
        aria-label="Largest first"
        title={order.isDescending ? 'Largest first' : 'Smallest first'}
        aria-pressed={order.isDescending}
        onClick={() => onOrder({ ...order, isDescending: !order.isDescending })}
      >
        {order.isDescending ? '↓' : '↑'}
      </button>
      {symbols.length > 1 && (
        <label className={styles.ofSymbol}>
          Show{' '}
          <select
            value={symbols.includes(order.symbol ?? '') ? (order.symbol ?? '') : ''}
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
      <fieldset className={styles.grouping}>
        <legend className="visually-hidden">Positions shown</legend>
        {GROUPINGS.map((one) => (
          <button key={one} type="button" aria-pressed={grouping === one} onClick={() => onGrouping(one)}>
            {GROUPING_NAMES[one]}
          </button>
        ))}
      </fieldset>
      <ColumnsButton of="positions" />
    </div>
  );
}
