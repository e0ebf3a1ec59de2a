/** What the node hands to the file of the history at a time. */

import type { Rows, SeriesName } from './cells.ts';

/** What the entries up to `lastSeq` did, since the previous batch. */
export interface HistoryBatch {
  readonly lastSeq: number;
  readonly lastTs: number;
  /** The venue's newest fill by then. */
  readonly lastFillId: number;
  readonly movements: Rows;
  /** What happened to orders, except for their fills, which are among the movements. */
  readonly orders: Rows;
  /** Prints, spots and marks. */
  readonly market: Rows;
  /** Settlement prices. */
  readonly settlements: Rows;
  /** The samples taken once an hour: implied volatilities, indices, equities. */
  readonly hourly: Rows;
  /** Series that no earlier batch named. */
  readonly series: readonly SeriesName[];
}

export type BatchEnd = Pick<HistoryBatch, 'lastSeq' | 'lastTs' | 'lastFillId'>;
