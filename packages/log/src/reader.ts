import type { BatchRecord, ChainPoint, LogEntry, Snapshot } from './log.ts';

/**
 * Reads a log without writing to it or keeping others from it, whether a node is running on it or not: for `venue verify`
 * and `venue export`, and for whoever needs the past without being a node. Nothing is checked on the way; that is what
 * `ChainVerifier` is for.
 *
 * @example
 * const reader = await openLogReader('sqlite:data/venue.db');
 * const verifier = new ChainVerifier(await reader.chainStart());
 * const { seq } = await reader.head();
 * while (verifier.nextSeq <= seq) {
 *   const entries = await reader.readEntries(verifier.nextSeq, seq);
 *   verifier.addBatches(await reader.readBatches(verifier.batchedSeq + 1, entries.at(-1)!.seq));
 *   const fault = verifier.addEntries(entries);
 *   if (fault) throw new Error(fault.message);
 * }
 */
export interface LogReader {
  /** The end of the last batch, or of a later one that is noted beside an SQLite file: then the end of the log is missing. */
  head(): Promise<ChainPoint>;

  /** What the oldest entry continues from: `seq + 1` is the first that is not archived. */
  chainStart(): Promise<ChainPoint>;

  /**
   * A page of consecutive entries from `fromSeq` on, none beyond `toSeq`. Rejects with `LogArchivedError`, or with an
   * error that names the entry that is missing.
   */
  readEntries(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]>;

  /** As `Log.readBatches`, and enough of them for a page of entries. */
  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]>;

  readStamp(): Promise<Map<string, string>>;

  /** At most two, newest first. */
  loadSnapshots(): Promise<Snapshot[]>;

  close(): Promise<void>;
}
