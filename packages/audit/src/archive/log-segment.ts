/** The part of a log that it still holds. */

import { type ChainPoint, LogDamagedError, type LogEntry, LogOpenError, type LogReader } from '@venue/log';
import { BrokenLogError, type Segment, type SegmentPage } from './segment.ts';

export interface LogSegmentOptions {
  readonly reader: LogReader;
  /** Where to begin, which must be the start of a batch; by default the oldest entry there is. */
  readonly after?: ChainPoint;
  /** The batch that holds this entry is the last one; by default what is the newest when this is called. */
  readonly to?: number;
}

/** Entries that a node appends meanwhile are not part of it. */
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

/** Undefined where the newest entry is missing or not readable: reading on, one finds out which it is. */
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
  /** The entry that was noted as the end; undefined where that is not looked at, or not readable. */
  readonly headSeq: number | undefined;
  /** Whether nothing may come after it that belongs to no batch. */
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

/** A page that cannot be read as a whole is read in ever smaller parts, down to the entry that cannot be read. */
async function readPage(reader: LogReader, fromSeq: number, toSeq: number): Promise<readonly LogEntry[]> {
  try {
    return await reader.readEntries(fromSeq, toSeq);
  } catch (error) {
    if (isUnreadable(error) && fromSeq < toSeq)
      return readPage(reader, fromSeq, fromSeq + Math.floor((toSeq - fromSeq) / 2));
    throw faultOf(error, fromSeq);
  }
}

/** An entry and its batch come together, so what lacks the other was not put there by a node. */
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

/** Damage is a fault of the log; that it cannot be reached is none. */
function faultOf(error: unknown, seq: number): unknown {
  if (error instanceof LogDamagedError) return broken(seq, error.message);
  if (isUnreadable(error)) return broken(seq, `entry ${seq} cannot be read: ${(error as Error).message}`);
  return error;
}

function isUnreadable(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR';
}
