/** Formats underlyings for people. */

import type { Instrument } from '@venue/protocol';
import { type Column, type Page, table } from '../../terminal/table.ts';

/** Underlyings with their prices as a table. */
export function instrumentsText(instruments: readonly Instrument[], page: Page): string[] {
  return table(COLUMNS, instruments, page);
}

const COLUMNS: readonly Column<Instrument>[] = [
  { title: 'symbol', cell: ({ symbol }) => symbol, rank: 0 },
  { title: 'spot USD', cell: ({ spot }) => spot, rank: 0 },
  {
    title: 'price',
    cell: ({ feedFresh }) => (feedFresh ? 'fresh' : 'stale'),
    rank: 1,
    style: ({ feedFresh }) => (feedFresh ? undefined : 'red'),
  },
];
