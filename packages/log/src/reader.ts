import type { BatchRecord, ChainPoint, LogEntry, Snapshot } from './log.ts';

/**
 * Reads a log without writing to it or blocking others, whether or not a node is running on it: for `venue verify`,
 * `venue export`, and other programs that need past entries. Nothing is verified while reading; use `ChainVerifier` for
 * that.
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
  /**
   * The end of the last batch, or a later one recorded beside an SQLite file, which means that the end of the log is
   * missing.
   */
  head(): Promise<ChainPoint>;

  /** The point that the oldest entry continues from: `seq + 1` is the first entry not archived. */
  chainStart(): Promise<ChainPoint>;

  /**
   * A page of consecutive entries from `fromSeq` up to at most `toSeq`. Rejects with `LogArchivedError`, or with an
   * error that names the missing entry.
   */
  readEntries(fromSeq: number, toSeq: number): Promise<readonly LogEntry[]>;

  /** Like `Log.readBatches`, with enough batches for a page of entries. */
  readBatches(fromSeq: number, toSeq: number): Promise<readonly BatchRecord[]>;

  readStamp(): Promise<Map<string, string>>;

  /** At most two, newest first. */
  loadSnapshots(): Promise<Snapshot[]>;

  close(): Promise<void>;
}
