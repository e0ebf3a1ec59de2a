/** Reads an archive file as a segment of a log. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createZstdDecompress } from 'node:zlib';
import type { BatchRecord, LogEntry } from '@venue/log';
import { type ArchiveEnd, ArchiveFormatError, parseHeader, parseLine } from './format.ts';
import { BrokenLogError, type Segment, type SegmentPage } from './segment.ts';
import { LogToolError } from './tool-error.ts';

export interface ArchiveOptions {
  readonly path: string;
  readonly name: string;
  /** Reading stops after the batch that contains this entry. By default every batch is read. */
  readonly to?: number | undefined;
}

/** Opens an archive. Throws `LogToolError` if the file is not an archive, or if a newer release wrote it. */
export async function archiveSegment({ path, name, to }: ArchiveOptions): Promise<Segment> {
  const header = await readHeader(path);
  return {
    name,
    isLog: false,
    after: { ...header.after, ts: 0 },
    lastSeq: header.to,
    stamp: header.stamp,
    pages: () =>
      new ArchivePages({ path, name, afterSeq: header.after.seq, to: to ?? Number.MAX_SAFE_INTEGER }).read(),
  };
}

async function readHeader(path: string) {
  try {
    for await (const [first] of linesOf(path)) return parseHeader(first!);
  } catch (error) {
    if (error instanceof ArchiveFormatError) throw new LogToolError(`${path} ${error.message}`);
    if (isCompression(error)) throw new LogToolError(`${path} ${compressionFault(error as Error)}`);
    throw error;
  }
  throw new LogToolError(`${path} is empty`);
}

interface ArchivePlace {
  readonly path: string;
  readonly name: string;
  readonly afterSeq: number;
  readonly to: number;
}

/** One pass over an archive. It keeps track of its position so that a fault names the line and the entry. */
class ArchivePages {
  readonly #place: ArchivePlace;
  #line = 0;
  #isPast = false;
  #seq: number;
  #hash = '';
  #end: ArchiveEnd | undefined;

  constructor(place: ArchivePlace) {
    this.#place = place;
    this.#seq = place.afterSeq;
  }

  async *read(): AsyncGenerator<SegmentPage> {
    const { path } = this.#place;
    try {
      for await (const lines of linesOf(path)) {
        yield this.#pageOf(lines);
        if (this.#isPast) return;
      }
    } catch (error) {
      if (isCompression(error)) throw this.#fault(`breaks off or is damaged after entry ${this.#seq}`);
      if (error instanceof ArchiveFormatError) throw this.#fault(error.message);
      throw error;
    }
    this.#checkEnd();
  }

  #pageOf(lines: readonly string[]): SegmentPage {
    const batches: BatchRecord[] = [];
    const entries: LogEntry[] = [];
    for (const text of lines) {
      this.#line += 1;
      if (this.#line === 1) continue;
      const line = this.#parse(text);
      if ('end' in line) this.#end = line.end;
      else if ('batch' in line) {
        this.#isPast = line.batch.firstSeq > this.#place.to;
        if (this.#isPast) break;
        batches.push(line.batch);
        this.#hash = line.batch.hash;
      } else {
        this.#seq = line.entry.seq;
        entries.push(line.entry);
      }
    }
    return { batches, entries };
  }

  #parse(text: string) {
    try {
      if (this.#end === undefined) return parseLine(text);
    } catch (error) {
      if (!(error instanceof ArchiveFormatError)) throw error;
    }
    throw this.#fault(`is damaged in line ${this.#line}, after entry ${this.#seq}`);
  }

  /** Detects missing lines: the archive's last line states how many entries there are, and where they end. */
  #checkEnd(): void {
    if (this.#end === undefined) throw this.#fault(`breaks off after entry ${this.#seq}`);
    const { entries, seq, hash } = this.#end;
    if (seq !== this.#seq || hash !== this.#hash || entries !== this.#seq - this.#place.afterSeq)
      throw this.#fault(`ends with entry ${this.#seq}, and its last line says otherwise`);
  }

  #fault(what: string): BrokenLogError {
    return new BrokenLogError({ seq: this.#seq + 1, message: `${this.#place.name} ${what}` });
  }
}

/** In characters: several times the largest entry of any release, a 16 MiB quote push in base64. */
const LINE_LENGTH_MAX = 64 * 1024 * 1024;

/** Yields the lines in groups. The last line need not end with a line break. Throws `ArchiveFormatError`. */
async function* linesOf(path: string): AsyncGenerator<string[]> {
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
  const decompress = createZstdDecompress({ chunkSize: 256 * 1024 });
  const text = file.pipe(decompress).setEncoding('utf8');
  file.once('error', (error) => text.destroy(error));
  const begun = new BegunLine();
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const [first, ...others] = chunk.split('\n') as [string, ...string[]];
      begun.add(first);
      const last = others.pop();
      if (last === undefined) continue;
      yield [begun.take(), ...others];
      begun.add(last);
    }
    if (!begun.isEmpty) yield [begun.take()];
    // The decompressor ignores trailing bytes, so they would pass unnoticed.
    if (decompress.bytesWritten !== (await stat(path)).size)
      throw new ArchiveFormatError('has bytes behind its end');
  } finally {
    file.destroy();
    text.destroy();
  }
}

/** Collects the pieces of an unfinished line and joins them once, when it ends. */
class BegunLine {
  #pieces: string[] = [];
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(piece: string): void {
    this.#length += piece.length;
    if (this.#length > LINE_LENGTH_MAX)
      throw new ArchiveFormatError(`has a line of more than ${LINE_LENGTH_MAX} characters`);
    this.#pieces.push(piece);
  }

  take(): string {
    const line = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

function compressionFault(error: Error): string {
  const isOther = (error as NodeJS.ErrnoException).code === 'ZSTD_error_prefix_unknown';
  return isOther ? 'is no archive of a log' : `is damaged: ${error.message}`;
}

function isCompression(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code.startsWith('ZSTD_') || code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
