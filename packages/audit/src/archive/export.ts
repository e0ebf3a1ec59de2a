/** `venue export`: writes a log, or part of one, to a file. */

import {
  type BatchRecord,
  type ChainPoint,
  ChainVerifier,
  type LogEntry,
  type LogReader,
  openLogReader,
} from '@venue/log';
import { batchLine, endLine, entryLine, headerLine } from './format.ts';
import { logSegment } from './log-segment.ts';
import { writeNewFile } from './new-file.ts';
import type { OnProgress } from './progress.ts';
import { BrokenLogError, provenPages, type Segment } from './segment.ts';
import { foreseeing, LogToolError } from './tool-error.ts';

export interface ExportOptions {
  /** The log, as `openLogReader` takes it. A node may be running on it. */
  readonly log: string;
  /** The file to write. It must not exist yet. */
  readonly out: string;
  /** The first and last entry to export, widened to whole batches. By default the whole log. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly onProgress?: OnProgress;
  /** Cancels the export and leaves no file behind. */
  readonly signal?: AbortSignal;
}

export interface Exported {
  readonly fromSeq: number;
  readonly toSeq: number;
  /** The chain's hash after the last entry. */
  readonly hash: string;
  readonly fileBytes: number;
}

/**
 * Writes the entries of a log to a new file, each batch only after its hash has matched. Throws `LogToolError`, for a
 * damaged log too, and then leaves no file.
 *
 * @example await exportLog({ log: 'sqlite:data/venue.db', out: 'venue.zst' })
 */
export function exportLog(options: ExportOptions): Promise<Exported> {
  return foreseeing(async () => {
    const reader = await openLogReader(options.log);
    try {
      const segment = await rangeOf(reader, options);
      return await writeArchive(segment, options);
    } finally {
      await reader.close();
    }
  });
}

export interface ArchiveWriting extends Pick<ExportOptions, 'out' | 'onProgress' | 'signal'> {
  /** Called with the draft's path and the expected end, before the file gets its final name. */
  readonly check?: (draftPath: string, end: ChainPoint) => Promise<void>;
}

/** Writes a segment as an archive. The segment's `lastSeq` must be known. */
export async function writeArchive(segment: Segment, writing: ArchiveWriting): Promise<Exported> {
  const { out, check = async () => {} } = writing;
  const text = new ArchiveText(segment, writing);
  const fileBytes = await writeNewFile({
    path: out,
    text: text.chunks(),
    check: (draftPath) => check(draftPath, text.end),
  });
  const { seq, hash } = text.end;
  return { fromSeq: segment.after.seq + 1, toSeq: seq, hash, fileBytes };
}

/** Produces the lines of an archive in chunks, each batch before its entries. */
class ArchiveText {
  readonly #segment: Segment;
  readonly #options: Pick<ExportOptions, 'onProgress' | 'signal'>;
  readonly #verifier: ChainVerifier;

  constructor(segment: Segment, options: Pick<ExportOptions, 'onProgress' | 'signal'>) {
    this.#segment = segment;
    this.#options = options;
    this.#verifier = new ChainVerifier(segment.after);
  }

  /** Where the archive ends. Final once every chunk has been produced. */
  get end(): ChainPoint {
    return this.#verifier.verified;
  }

  async *chunks(): AsyncGenerator<string> {
    const { after, lastSeq: to, stamp } = this.#segment;
    yield headerLine({ after, to: to!, stamp });
    for await (const { batches, entries } of this.#pages()) {
      this.#options.signal?.throwIfAborted();
      yield linesOf(batches, entries);
      this.#options.onProgress?.({ seq: this.end.seq, fromSeq: after.seq + 1, toSeq: to });
    }
    const { seq, hash } = this.end;
    if (seq !== to) throw new LogToolError(`the log changed while it was read; try again`);
    yield endLine({ entries: seq - after.seq, seq, hash });
  }

  async *#pages() {
    try {
      yield* provenPages(this.#segment, this.#verifier);
    } catch (error) {
      if (!(error instanceof BrokenLogError)) throw error;
      throw new LogToolError(`nothing was written: ${error.message}`);
    }
  }
}

function linesOf(batches: readonly BatchRecord[], entries: readonly LogEntry[]): string {
  const lines: string[] = [];
  let next = 0;
  for (const batch of batches) {
    lines.push(batchLine(batch));
    for (; next < entries.length && entries[next]!.seq <= batch.lastSeq; next++)
      lines.push(entryLine(entries[next]!));
  }
  return lines.join('');
}

/** Widens the wanted range to whole batches. */
async function rangeOf(reader: LogReader, { from, to }: ExportOptions): Promise<Segment> {
  const start = await reader.chainStart();
  const { seq: headSeq } = await reader.head();
  if (headSeq === start.seq) throw new LogToolError('the log holds no entries');
  const [first, last] = [from ?? start.seq + 1, to ?? headSeq];
  if (first > last) throw new LogToolError(`entry ${first} comes after entry ${last}`);
  if (first <= start.seq)
    throw new LogToolError(`entry ${first} was archived; the log begins at entry ${start.seq + 1}`);
  if (last > headSeq) throw new LogToolError(`the log ends at entry ${headSeq}`);
  const after = await pointBefore(reader, first, start);
  const { lastSeq } = await batchOf(reader, last);
  return logSegment({ reader, after, to: lastSeq });
}

async function pointBefore(reader: LogReader, seq: number, start: ChainPoint): Promise<ChainPoint> {
  const { firstSeq } = await batchOf(reader, seq);
  if (firstSeq === start.seq + 1) return start;
  const { hash } = await batchOf(reader, firstSeq - 1);
  return { seq: firstSeq - 1, ts: 0, hash };
}

/** Returns the batch that contains the entry. */
export async function batchOf(reader: LogReader, seq: number): Promise<BatchRecord> {
  const [batch] = await reader.readBatches(seq, seq);
  if (batch === undefined) throw new LogToolError(`the batch of entry ${seq} is missing from the log`);
  return batch;
}
