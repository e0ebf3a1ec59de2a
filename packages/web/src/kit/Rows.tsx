/**
 * A table of things of one kind: a line each, the first cell its heading. On a phone each line folds into a card. Of a long
 * one only the lines in sight are drawn.
 */

import { type ReactNode, useRef } from 'react';
import { useRowWindow } from './use-row-window.ts';
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
          {columns.map(({ head, isAct }) => (
            <th key={head} scope="col">
              {isAct ? <span className="visually-hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <Gap px={from * rowPx} columns={columns.length} />
      <tbody>
        {items.slice(from, to).map((item, i) => (
          <tr
            key={keyOf(item)}
            data-lit={isLit?.(item) || undefined}
            aria-rowindex={isWhole ? undefined : from + i + 2}
          >
            {columns.map((column, place) => (
              <RowCell key={column.head} item={item} column={column} isFirst={place === 0} />
            ))}
          </tr>
        ))}
      </tbody>
      <Gap px={(items.length - to) * rowPx} columns={columns.length} />
    </table>
  );
}

/** The room of lines that are not drawn. */
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
