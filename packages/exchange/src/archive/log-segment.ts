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
  const head = to === undefined ? await headOf(reader) : undefined;
  const lastSeq = to ?? head?.seq;
  const from = after ?? (await reader.chainStart());
  return {
    name: 'the log',
    isLog: true,
    after: from,
    lastSeq,
    stamp: await reader.readStamp(),
    pages: () =>
      pagesOf(reader, { from, to: lastSeq ?? Number.MAX_SAFE_INTEGER, head, isWhole: to === undefined }),
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
  /** What the log says is its end; undefined where that is not looked at, or not readable. */
  readonly head: ChainPoint | undefined;
  /** Whether nothing may come after it that belongs to no batch. */
  readonly isWhole: boolean;
}

async function* pagesOf(reader: LogReader, { from, to, head, isWhole }: Range): AsyncGenerator<SegmentPage> {
  let nextSeq = from.seq + 1;
  let end: Pick<ChainPoint, 'seq' | 'hash'> = from;
  let batchedSeq = from.seq;
  for (;;) {
    const batches = nextSeq > batchedSeq && nextSeq <= to ? await reader.readBatches(nextSeq, to) : [];
    const last = batches.at(-1);
    if (last !== undefined) end = { seq: last.lastSeq, hash: last.hash };
    batchedSeq = end.seq;
    if (nextSeq > batchedSeq && batches.length === 0) break;
    const entries = await readPage(reader, nextSeq, batchedSeq);
    nextSeq += entries.length;
    yield { batches, entries };
  }
  if (isWhole) await refuseStray(reader, nextSeq);
  if (head !== undefined) refuseOtherEnd(head, end);
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

/** An entry, its batch and the head that names it come together, so what lacks the others was not put there by a node. */
async function refuseStray(reader: LogReader, seq: number): Promise<void> {
  const isThere = await reader.readEntries(seq, seq).then(
    () => true,
    (error) => {
      if (error instanceof LogDamagedError) return false;
      throw faultOf(error, seq);
    },
  );
  const [batch] = await reader.readBatches(seq, seq);
  if (batch === undefined) {
    if (isThere) throw broken(seq, `the batch of entry ${seq} is missing from the log`);
    return;
  }
  // A node has appended it meanwhile, or the head never got there.
  const head = await headOf(reader);
  if (head !== undefined && head.seq < batch.lastSeq)
    throw broken(
      seq,
      `the log goes on to entry ${batch.lastSeq}, and its head says that entry ${head.seq} is the last`,
    );
}

/** PostgreSQL keeps the head in a row of its own, from which the next append gets its place. */
function refuseOtherEnd(head: ChainPoint, end: Pick<ChainPoint, 'seq' | 'hash'>): void {
  const says = `the head of the log says that entry ${head.seq} is the last`;
  if (head.seq > end.seq) throw broken(end.seq + 1, `${says}, and entry ${end.seq + 1} is missing`);
  if (head.seq < end.seq) throw broken(head.seq, `${says}, and its batch goes on to entry ${end.seq}`);
  if (head.hash !== end.hash)
    throw broken(head.seq, `the head of the log has another hash than entry ${head.seq}, the last`);
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
