/** A table of things of one kind: a line each, the first cell its heading. On a phone each line folds into a card. */

import type { ReactNode } from 'react';
import './Rows.css';

export interface RowColumn<T> {
  readonly head: string;
  readonly cell: (item: T) => ReactNode;
  readonly className?: (item: T) => string | undefined;
  /** What is pressed on a line needs no heading that is seen. */
  readonly isAct?: boolean;
}

export interface RowsProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  /** The first one names the line. */
  readonly columns: readonly RowColumn<T>[];
  /** Lines to be lit, as a button that is about to act on them does. */
  readonly isLit?: (item: T) => boolean;
}

export function Rows<T>({ label, items, keyOf, columns, isLit }: RowsProps<T>): ReactNode {
  return (
    <table className="rows" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ head, isAct }) => (
            <th key={head} scope="col">
              {isAct ? <span className="visually-hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)} data-lit={isLit?.(item) || undefined}>
            {columns.map((column, i) => (
              <RowCell key={column.head} item={item} column={column} isFirst={i === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RowCellProps<T> {
  readonly item: T;
  readonly column: RowColumn<T>;
  readonly isFirst: boolean;
}

function RowCell<T>({ item, column, isFirst }: RowCellProps<T>): ReactNode {
  if (isFirst) return <th scope="row">{column.cell(item)}</th>;
  return (
    <td className={column.className?.(item)} data-head={column.isAct ? undefined : column.head}>
      {column.cell(item)}
    </td>
  );
}
