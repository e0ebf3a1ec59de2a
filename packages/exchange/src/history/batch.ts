/** The unit in which the node hands rows to the file of the history. */

import type { BatchRows } from './rows.ts';
import type { SeriesName } from './series-names.ts';

/** The effects of the entries up to `lastSeq` since the previous batch. */
export interface HistoryBatch extends BatchRows {
  readonly lastSeq: number;
  readonly lastTs: number;
  /** The venue's newest fill by then. */
  readonly lastFillId: number;
  /** Series that no earlier batch named. */
  readonly series: readonly SeriesName[];
}

export type BatchEnd = Pick<HistoryBatch, 'lastSeq' | 'lastTs' | 'lastFillId'>;
