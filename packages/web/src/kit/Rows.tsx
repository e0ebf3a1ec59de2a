/**
 * A table with one row per item, whose first cell is its heading. On a phone each row becomes a card. Of a long table
 * only the visible rows are rendered.
 */

import { Fragment, type ReactNode, useRef } from 'react';
import { useRowWindow } from './use-row-window.ts';
import './Rows.css';

export interface RowColumn<T> {
  readonly head: string;
  readonly cell: (item: T) => ReactNode;
  readonly className?: (item: T) => string | undefined;
  /** A column of buttons needs no visible heading. */
  readonly isAct?: boolean;
  /** Makes the heading a button that sorts the rows by this column. */
  readonly sort?: ColumnSort | undefined;
}

export interface ColumnSort {
  /** How the rows are sorted by this column; null where they are not. */
  readonly order: 'ascending' | 'descending' | null;
  readonly onPress: () => void;
}

export interface RowsProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  /** The first column names the row. */
  readonly columns: readonly RowColumn<T>[];
  /** Rows to highlight, as for a button about to act on them. */
  readonly isLit?: (item: T) => boolean;
  /** The kind of an item's row, for the style sheet. */
  readonly kindOf?: (item: T) => string;
  /** The detail under an item's row, as wide as the table; null for none. */
  readonly detailOf?: (item: T) => ReactNode;
}

export function Rows<T>({ label, items, keyOf, columns, isLit, kindOf, detailOf }: RowsProps<T>): ReactNode {
  const table = useRef<HTMLTableElement>(null);
  const { from, to, rowPx } = useRowWindow(table, items.length);
  const isWhole = from === 0 && to === items.length;
  return (
    <table
      ref={table}
      className="rows"
      aria-label={label}
      aria-rowcount={isWhole ? undefined : items.length + 1}
      data-is-long={items.length > to - from || undefined}
    >
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.head} scope="col" aria-sort={column.sort?.order ?? undefined}>
              <Heading column={column} />
            </th>
          ))}
        </tr>
      </thead>
      <Gap px={from * rowPx} columns={columns.length} />
      <tbody>
        {items.slice(from, to).map((item, i) => (
          <Fragment key={keyOf(item)}>
            <tr
              data-lit={isLit?.(item) || undefined}
              data-kind={kindOf?.(item)}
              aria-rowindex={isWhole ? undefined : from + i + 2}
            >
              {columns.map((column, place) => (
                <RowCell key={column.head} item={item} column={column} isFirst={place === 0} />
              ))}
            </tr>
            <Detail columns={columns.length}>{detailOf?.(item)}</Detail>
          </Fragment>
        ))}
      </tbody>
      <Gap px={(items.length - to) * rowPx} columns={columns.length} />
    </table>
  );
}

function Heading<T>({ column: { head, isAct, sort } }: { readonly column: RowColumn<T> }): ReactNode {
  if (isAct) return <span className="visually-hidden">{head}</span>;
  if (sort === undefined) return head;
  return (
    <button type="button" className="sort-head" onClick={sort.onPress}>
      {head}
      <span aria-hidden="true">{sort.order === null ? '' : sort.order === 'ascending' ? '↑' : '↓'}</span>
    </button>
  );
}

interface DetailProps {
  readonly columns: number;
  readonly children: ReactNode;
}

/** Takes no part in how wide the columns are. */
function Detail({ columns, children }: DetailProps): ReactNode {
  if (children == null) return null;
  return (
    <tr className="row-detail">
      <td colSpan={columns}>
        <div>{children}</div>
      </td>
    </tr>
  );
}

/** Space for rows that are not rendered. */
function Gap({ px, columns }: { readonly px: number; readonly columns: number }): ReactNode {
  if (px === 0) return null;
  return (
    <tbody className="gap" aria-hidden="true">
      <tr>
        <td colSpan={columns} style={{ height: px }} />
      </tr>
    </tbody>
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
