/** Reads the entries that a log still holds as a segment. */

import { type ChainPoint, LogDamagedError, type LogEntry, LogOpenError, type LogReader } from '@venue/log';
import { BrokenLogError, type Segment, type SegmentPage } from './segment.ts';

export interface LogSegmentOptions {
  readonly reader: LogReader;
  /** Where to begin: the start of a batch. By default the log's oldest entry. */
  readonly after?: ChainPoint;
  /** Reading stops after the batch that contains this entry. By default the newest entry at the time of the call. */
  readonly to?: number;
}

/** Excludes entries that a node appends after the call. */
export async function logSegment({ reader, after, to }: LogSegmentOptions): Promise<Segment> {
  const headSeq = to === undefined ? (await headOf(reader))?.seq : undefined;
  const lastSeq = to ?? headSeq;
  const from = after ?? (await reader.chainStart());
  return {
    name: 'the log',
    isLog: true,
    after: from,
    lastSeq,
    stamp: await reader.readStamp(),
    pages: () =>
      pagesOf(reader, { from, to: lastSeq ?? Number.MAX_SAFE_INTEGER, headSeq, isWhole: to === undefined }),
  };
}

/** Returns undefined if the newest entry is missing or unreadable. Reading the segment then finds the exact fault. */
async function headOf(reader: LogReader): Promise<ChainPoint | undefined> {
  try {
    return await reader.head();
  } catch (error) {
    if (error instanceof LogOpenError || error instanceof LogDamagedError || isUnreadable(error))
      return undefined;
    throw error;
  }
}

interface Range {
  readonly from: ChainPoint;
  readonly to: number;
  /** The last entry according to the log's noted head. Undefined if not checked or not readable. */
  readonly headSeq: number | undefined;
  /** Refuse an entry after the end that belongs to no batch. */
  readonly isWhole: boolean;
}

async function* pagesOf(
  reader: LogReader,
  { from, to, headSeq = 0, isWhole }: Range,
): AsyncGenerator<SegmentPage> {
  let nextSeq = from.seq + 1;
  let batchedSeq = from.seq;
  for (;;) {
    const batches = nextSeq > batchedSeq && nextSeq <= to ? await reader.readBatches(nextSeq, to) : [];
    batchedSeq = batches.at(-1)?.lastSeq ?? batchedSeq;
    if (nextSeq > batchedSeq && batches.length === 0) break;
    const entries = await readPage(reader, nextSeq, batchedSeq);
    nextSeq += entries.length;
    yield { batches, entries };
  }
  if (isWhole) await refuseStray(reader, nextSeq);
  if (batchedSeq < headSeq)
    throw broken(
      batchedSeq + 1,
      `the head of the log says that entry ${headSeq} is the last, and entry ${batchedSeq + 1} is missing`,
    );
}

/** Halves an unreadable page until the unreadable entry is found. */
async function readPage(reader: LogReader, fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
  try {
    return await reader.readEntries(fromSeq, toSeq);
  } catch (error) {
    if (isUnreadable(error) && fromSeq < toSeq)
      return readPage(reader, fromSeq, fromSeq + Math.floor((toSeq - fromSeq) / 2));
    throw faultOf(error, fromSeq);
  }
}

/** Nodes write an entry and its batch in one transaction, so no node wrote an entry that has no batch. */
async function refuseStray(reader: LogReader, seq: number): Promise<void> {
  const isThere = await reader.readEntries(seq, seq).then(
    () => true,
    (error) => {
      if (error instanceof LogDamagedError) return false;
      throw faultOf(error, seq);
    },
  );
  const [batch] = await reader.readBatches(seq, seq);
  if (batch === undefined && isThere) throw broken(seq, `the batch of entry ${seq} is missing from the log`);
}

function broken(seq: number, message: string): BrokenLogError {
  return new BrokenLogError({ seq, message });
}

/** Turns damage into a fault of the log. An unreachable log is not a fault, so its error stays as it is. */
function faultOf(error: unknown, seq: number): unknown {
  if (error instanceof LogDamagedError) return broken(seq, error.message);
  if (isUnreadable(error)) return broken(seq, `entry ${seq} cannot be read: ${(error as Error).message}`);
  return error;
}

function isUnreadable(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR';
}
