/**
 * The archive format: one JSON value per line, compressed with zstd. A header comes first, then each batch followed by
 * its entries, then an end line that tells a complete file from a truncated one.
 *
 *     {"format":"venue-archive","version":1,"after":{"seq":0,"hash":"00…"},"to":2,"stamp":{"fundingMode":"paper"}}
 *     {"batch":[1,2],"id":"…","hash":"…"}
 *     {"seq":1,"ts":1764374400000,"kind":"open","body":{"address":"0x…"}}
 *     {"seq":2,"ts":1764374400000,"kind":"quotes","base64":"…"}
 *     {"end":{"entries":2,"seq":2,"hash":"…"}}
 *
 * A JSON body appears byte for byte, so that readers can see what was signed. Any other body is in base64.
 */

import { isUtf8 } from 'node:buffer';
import type { BatchRecord, LogEntry } from '@venue/log';

const FORMAT = 'venue-archive';
/** Raised whenever an older reader would misread the file. */
const ARCHIVE_VERSION = 1;

export interface ArchiveHeader {
  /** The point in the chain that the first entry continues from. */
  readonly after: { readonly seq: number; readonly hash: string };
  /** The last entry. */
  readonly to: number;
  readonly stamp: ReadonlyMap<string, string>;
}

export interface ArchiveEnd {
  readonly entries: number;
  readonly seq: number;
  readonly hash: string;
}

export type ArchiveLine =
  | { readonly batch: BatchRecord }
  | { readonly entry: LogEntry }
  | { readonly end: ArchiveEnd };

/** The file is not an archive, or has another version. The message says which. */
export class ArchiveFormatError extends Error {
  override readonly name = 'ArchiveFormatError';
}

export function headerLine({ after: { seq, hash }, to, stamp }: ArchiveHeader): string {
  const after = { seq, hash };
  return line({ format: FORMAT, version: ARCHIVE_VERSION, after, to, stamp: Object.fromEntries(stamp) });
}

export function batchLine({ firstSeq, lastSeq, id, hash }: BatchRecord): string {
  return line({ batch: [firstSeq, lastSeq], id, hash });
}

const BODY = ',"body":';

export function entryLine({ seq, ts, kind, body }: LogEntry): string {
  const text = jsonText(body);
  if (text === null) return line({ seq, ts, kind, base64: asBuffer(body).toString('base64') });
  // A quote inside the kind is escaped, so the body begins after the first of these and nowhere else.
  return `${JSON.stringify({ seq, ts, kind }).slice(0, -1)}${BODY}${text}}\n`;
}

export function endLine({ entries, seq, hash }: ArchiveEnd): string {
  return line({ end: { entries, seq, hash } });
}

/** Throws `ArchiveFormatError`. */
export function parseHeader(text: string): ArchiveHeader {
  const { format, version, after, to, stamp } = parse(text);
  if (format !== FORMAT) throw new ArchiveFormatError('is no archive of a log');
  if (version !== ARCHIVE_VERSION)
    throw new ArchiveFormatError(
      `is an archive of version ${version}, and this one reads version ${ARCHIVE_VERSION}`,
    );
  const { seq, hash } = record(after);
  return {
    after: { seq: integer(seq), hash: word(hash) },
    to: integer(to),
    stamp: new Map(Object.entries(record(stamp)).map(([key, value]) => [key, word(value)])),
  };
}

/** Throws `ArchiveFormatError`. */
export function parseLine(text: string): ArchiveLine {
  const bodyAt = text.indexOf(BODY);
  if (bodyAt > 0 && text.endsWith('}')) {
    const body = Buffer.from(text.slice(bodyAt + BODY.length, -1));
    return { entry: entryOf(parse(`${text.slice(0, bodyAt)}}`), body) };
  }
  const row = parse(text);
  if (row.batch !== undefined) {
    const [firstSeq, lastSeq] = list(row.batch);
    const places = { firstSeq: integer(firstSeq), lastSeq: integer(lastSeq) };
    return { batch: { ...places, id: word(row.id), hash: word(row.hash) } };
  }
  if (row.end !== undefined) {
    const { entries, seq, hash } = record(row.end);
    return { end: { entries: integer(entries), seq: integer(seq), hash: word(hash) } };
  }
  return { entry: entryOf(row, Buffer.from(word(row.base64), 'base64')) };
}

function entryOf({ seq, ts, kind }: Row, body: Buffer): LogEntry {
  return { seq: integer(seq), ts: integer(ts), kind: word(kind), body };
}

/** Returns the body as text if it can appear in a line unchanged, else null. */
function jsonText(body: Uint8Array): string | null {
  if (body[0] !== 0x7b || !isUtf8(body)) return null;
  const text = asBuffer(body).toString('utf8');
  if (text.includes('\n')) return null;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return null;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

type Row = Readonly<Record<string, unknown>>;

function parse(text: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable();
  }
  return record(value);
}

function record(value: unknown): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable();
  return value as Row;
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadable();
  return value;
}

function integer(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw unreadable();
  return value as number;
}

function word(value: unknown): string {
  if (typeof value !== 'string') throw unreadable();
  return value;
}

function unreadable(): ArchiveFormatError {
  return new ArchiveFormatError('is not readable');
}
