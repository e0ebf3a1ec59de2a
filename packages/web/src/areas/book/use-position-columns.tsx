/** The columns of the positions: names, sizes, and the figures that the person has chosen. */

import type { Position } from '@venue/protocol';
import type { ReactNode } from 'react';
import {
  formatGamma,
  formatGreek,
  formatIv,
  formatPnl,
  formatPosition,
  formatPrice,
  priceDecimals,
  UNKNOWN,
} from '../../basics/numbers.ts';
import { POSITION_NAMES } from '../../kit/position-columns.ts';
import type { RowColumn } from '../../kit/Rows.tsx';
import { pnlClass, sideClass } from '../../kit/tones.ts';
import { useStore, useTerminal } from '../../terminal/terminal.ts';
import type { PositionChoice } from '../../view/columns.ts';
import type { BookRow, TotalRow } from './core/book-rows.ts';
import type { ShownFigures, Summed } from './core/shown-figures.ts';
import { PositionName } from './PositionName.tsx';

interface ColumnsOptions {
  /** Figures as they are written, by the key of the row. */
  readonly shown: ReadonlyMap<string, ShownFigures>;
  readonly chosen: readonly PositionChoice[];
  readonly opened: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
}

/** Both prices of a row are side by side and share their decimals. */
export function usePositionColumns(
  rows: readonly BookRow[],
  { shown, chosen, opened, toggle }: ColumnsOptions,
): readonly RowColumn<BookRow>[] {
  const { stores } = useTerminal();
  const instruments = useStore(stores.listing, (listing) => listing.instruments);
  const spotOf = (row: BookRow) => {
    const symbol = row.kind === 'total' ? row.symbol : heldOf(row).symbol;
    return instruments.find((one) => one.symbol === symbol)?.spot ?? Number.NaN;
  };
  const prices = rows.flatMap((row) => (row.kind === 'total' ? [] : [pricedOf(row)]));
  const cents = priceDecimals(prices.flatMap(({ avgPrice, mark }) => [avgPrice, mark]));
  const price = (name: 'avgPrice' | 'mark') => ({
    cell: (row: BookRow) => (row.kind === 'total' ? '' : formatPrice(pricedOf(row)[name], cents)),
  });
  const figure = (name: Summed) => (row: BookRow) => shown.get(row.key)?.[name] ?? Number.NaN;
  const pnl = (name: 'unrealized' | 'realized') => ({
    cell: (row: BookRow) => formatPnl(figure(name)(row)),
    className: (row: BookRow) => pnlClass(figure(name)(row)),
  });
  const greek = (name: 'delta' | 'theta' | 'vega') => ({
    cell: (row: BookRow) => formatGreek(figure(name)(row)),
  });
  const cells: Readonly<Record<PositionChoice, Omit<RowColumn<BookRow>, 'head'>>> = {
    avgPrice: price('avgPrice'),
    mark: price('mark'),
    value: { cell: (row) => formatPnl(figure('value')(row)) },
    unrealized: pnl('unrealized'),
    realized: pnl('realized'),
    delta: greek('delta'),
    gamma: { cell: (row) => formatGamma(row.greeks.gamma, spotOf(row)) },
    theta: greek('theta'),
    vega: greek('vega'),
    iv: { cell: (row) => ('position' in row ? ivText(row.greeks.iv) : '') },
  };
  return [
    {
      head: 'Contract',
      cell: (row) => <PositionName row={row} isOpen={opened.has(row.key)} toggle={toggle} />,
    },
    {
      head: 'Position',
      cell: (row) => (row.kind === 'total' ? '' : <Size row={row} />),
      className: (row) => (row.kind === 'total' ? undefined : sideClass(pricedOf(row).qty)),
    },
    ...chosen.map((one) => ({ head: POSITION_NAMES[one], ...cells[one] })),
  ];
}

type Line = Exclude<BookRow, TotalRow>;

/** The size, prices and results of a line. */
function pricedOf(row: Line): Pick<Position, 'qty' | 'avgPrice' | 'mark' | 'unrealized' | 'realized'> {
  return row.kind === 'strategy' ? row : row.position;
}

function heldOf(row: Line): Position {
  return row.kind === 'strategy' ? row.legs[0].position : row.position;
}

/** A part says what it is a part of. */
function Size({ row }: { readonly row: Line }): ReactNode {
  const { qty } = pricedOf(row);
  const size = formatPosition(qty);
  const isPart = row.kind !== 'strategy' && row.heldQty !== qty;
  // Lots on opposite sides of a contract are each more than what is left of them.
  const isWithin = isPart && qty / row.heldQty > 0 && qty / row.heldQty < 1;
  return `${isPart ? `${size} of ${isWithin ? '' : 'net '}${formatPosition(row.heldQty)}` : size} ${sideClass(qty)}`;
}

function ivText(iv: number): string {
  return Number.isNaN(iv) ? UNKNOWN : formatIv(iv);
}
