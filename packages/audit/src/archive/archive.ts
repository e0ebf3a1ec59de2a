/** `venue archive`: moves old entries from the log to a file. */

import { type ChainPoint, type LogReader, openLog, openLogReader, type Snapshot } from '@venue/log';
import { restoreSnapshot } from '@venue/replay';
import { archiveSegment } from './archive-segment.ts';
import { batchOf, type Exported, type ExportOptions, writeArchive } from './export.ts';
import { logSegment } from './log-segment.ts';
import { refuseExisting } from './new-file.ts';
import { BrokenLogError, proveSegment } from './segment.ts';
import { foreseeing, LogToolError } from './tool-error.ts';

export interface ArchiveLogOptions extends Pick<ExportOptions, 'log' | 'out' | 'onProgress' | 'signal'> {
  /** How many of the newest entries always stay in the log. `snapshot` archives everything that no start can need. */
  readonly keep: number | 'snapshot';
}

/** `none` is the reason why nothing was archived. */
export type Archived = Exported | { readonly none: string };

/**
 * Moves the entries below the older of the two snapshots to a new file. They are deleted from the log only once the
 * file is durable and its chain has been verified by reading it back, so after a crash at any moment every entry is in
 * the log, the file or both. No node may be running on an SQLite log. Throws `LogToolError`.
 *
 * @example await archiveLog({ log: 'sqlite:data/venue.db', out: 'venue-2026.zst', keep: 'snapshot' })
 */
export function archiveLog(options: ArchiveLogOptions): Promise<Archived> {
  return foreseeing(async () => {
    await using opened = new AsyncDisposableStack();
    refuseExisting(options.out);
    // Open the reader first: unlike the log, it does not create a missing file.
    const reader = await openLogReader(options.log);
    opened.defer(() => reader.close());
    // Warnings about the database's durability settings are for nodes.
    const log = await openLog(options.log, { single: true, onWarning: () => {} });
    opened.defer(() => log.close());
    const archived = await copyOld(reader, options);
    if (!('none' in archived)) await log.dropBefore(archived.toSeq + 1);
    return archived;
  });
}

/**
 * The first part of `archiveLog`: writes the file and proves it, and leaves the log as it is. A node may be running on
 * the log, and drops the entries itself.
 *
 * @example await copyOldEntries({ log: 'sqlite:data/venue.db', out: 'venue-2026.zst', keep: 'snapshot' })
 */
export function copyOldEntries(options: ArchiveLogOptions): Promise<Archived> {
  return foreseeing(async () => {
    refuseExisting(options.out);
    const reader = await openLogReader(options.log);
    try {
      return await copyOld(reader, options);
    } finally {
      await reader.close();
    }
  });
}

async function copyOld(reader: LogReader, options: ArchiveLogOptions): Promise<Archived> {
  const end = await endOf(reader, options.keep);
  if (typeof end === 'string') return { none: end };
  const segment = await logSegment({ reader, to: end });
  return writeArchive(segment, {
    ...options,
    check: (path, written) => checkArchive(path, { after: segment.after, end: written }),
  });
}

/** Returns the last entry that may be archived, always the last of its batch, or the reason why there is none. */
async function endOf(reader: LogReader, keep: number | 'snapshot'): Promise<number | string> {
  const [newer, older] = await reader.loadSnapshots();
  if (newer === undefined || older === undefined)
    return 'the log has fewer than two snapshots; a node saves one when it stops, and as the log grows';
  await refuseBadSnapshot(newer, reader);
  await refuseBadSnapshot(older, reader);
  const [{ seq: headSeq }, start] = [await reader.head(), await reader.chainStart()];
  const boundSeq = Math.min(older.seq, keep === 'snapshot' ? older.seq : headSeq - keep + 1);
  if (boundSeq <= start.seq + 1) return `the log keeps entries ${start.seq + 1} to ${headSeq}`;
  const batch = await batchOf(reader, boundSeq - 1);
  const endSeq = batch.lastSeq < boundSeq ? batch.lastSeq : batch.firstSeq - 1;
  return endSeq > start.seq ? endSeq : `the log keeps entries ${start.seq + 1} to ${headSeq}`;
}

/** If a start cannot read one snapshot it falls back on the other, and may then need the entries to be archived. */
async function refuseBadSnapshot(snapshot: Snapshot, reader: LogReader): Promise<void> {
  const restored = await restoreSnapshot(snapshot, reader);
  if (typeof restored === 'string')
    throw new LogToolError(`nothing was archived: the snapshot of entry ${snapshot.seq} ${restored}`);
}

async function checkArchive(
  path: string,
  { after, end }: { after: ChainPoint; end: ChainPoint },
): Promise<void> {
  try {
    const segment = await archiveSegment({ path, name: 'the archive' });
    const { seq, hash } = await proveSegment(segment);
    const isSame = segment.after.seq === after.seq && segment.after.hash === after.hash;
    if (isSame && seq === end.seq && hash === end.hash) return;
  } catch (error) {
    if (!(error instanceof BrokenLogError)) throw error;
    throw new LogToolError(`nothing was archived: read back, ${error.message}; check the disk`);
  }
  throw new LogToolError('nothing was archived: read back, the archive is another; check the disk');
}
