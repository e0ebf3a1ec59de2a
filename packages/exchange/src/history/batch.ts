/** The unit in which the node hands rows to the file of the history. */

import type { Rows, SeriesName } from './cells.ts';

/** The effects of the entries up to `lastSeq` since the previous batch. */
export interface HistoryBatch {
  readonly lastSeq: number;
  readonly lastTs: number;
  /** The venue's newest fill by then. */
  readonly lastFillId: number;
  readonly movements: Rows;
  /** The events of orders, except for their fills, which are among the movements. */
  readonly orders: Rows;
  /** Prints, spots and marks. */
  readonly market: Rows;
  /** Settlement prices. */
  readonly settlements: Rows;
  /** The hourly samples: implied volatilities, indices, equities. */
  readonly hourly: Rows;
  /** Series that no earlier batch named. */
  readonly series: readonly SeriesName[];
}

export type BatchEnd = Pick<HistoryBatch, 'lastSeq' | 'lastTs' | 'lastFillId'>;
