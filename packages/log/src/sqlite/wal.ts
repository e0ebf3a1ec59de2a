/**
 * Reads and writes the file's write-ahead log without SQLite. SQLite takes the first frame with a wrong checksum for
 * the end, and does not report commits after it.
 *
 * The file is a header of 32 bytes followed by frames. A frame is 24 bytes (page number; size of the database if it
 * ends a commit; two salts, which it shares with the header; two checksums) and a page. Each frame's checksum continues
 * that of the previous frame.
 */

import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';

const MAGIC = 0x377f0682;
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES = 4096;
const CHUNK_BYTES = 1024 * 1024;

export function walOf(path: string): string {
  return `${path}-wal`;
}

/**
 * True if commits follow a damaged frame; SQLite would silently ignore them. Only the last commit may be torn: it was
 * never acknowledged, because each is flushed before the next is written.
 */
export function isWalDamaged(path: string): boolean {
  return withFile(path, 'r', false, (fd) => {
    const header = readHeader(fd);
    if (header === undefined) return false;
    const commitsBehind = countCommitsBehindDamage(fd, header);
    return commitsBehind > (header.isSound ? 1 : 0);
  });
}

/**
 * Rewrites the file in place and flushes it. After a failed flush, the system may go on showing data that never reached
 * the disk and leave it out of later flushes; only data that is written again is flushed again. If a power cut
 * interrupts this, the same bytes are in the same places.
 */
export function rewriteWal(path: string): void {
  withFile(path, 'r+', undefined, (fd) => {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = 0; ; ) {
      const read = readSync(fd, chunk, 0, chunk.length, at);
      if (read === 0) break;
      for (let done = 0; done < read; ) done += writeSync(fd, chunk, done, read - done, at + done);
      at += read;
    }
    fsyncSync(fd);
  });
}

type Checksum = readonly [number, number];

interface WalHeader {
  /** True if SQLite reads on after it. */
  readonly isSound: boolean;
  readonly isLittleEndian: boolean;
  readonly frameBytes: number;
  /** The salts of its frames; undefined if the header is not valid. */
  readonly salts: bigint | undefined;
  readonly checksum: Checksum;
}

function readHeader(fd: number): WalHeader | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(fd, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  const view = viewOf(header);
  const magic = view.getUint32(0);
  const isLittleEndian = magic === MAGIC;
  const checksum: Checksum = [view.getUint32(24), view.getUint32(28)];
  const isSound =
    (isLittleEndian || magic === MAGIC + 1) && isSame(checksum, sum(view, 0, 24, [0, 0], isLittleEndian));
  return {
    isSound,
    isLittleEndian: isSound ? isLittleEndian : endianness() === 'LE',
    frameBytes: FRAME_HEADER_BYTES + (isSound ? view.getUint32(8) : PAGE_BYTES),
    salts: isSound ? view.getBigUint64(16) : undefined,
    checksum,
  };
}

/** Counts the commits after the first damaged frame whose last frame continues the previous one's checksum. */
function countCommitsBehindDamage(fd: number, header: WalHeader): number {
  const { isLittleEndian } = header;
  let { salts, checksum } = header;
  let isWhole = header.isSound;
  let commits = 0;
  for (const view of frames(fd, header.frameBytes)) {
    salts ??= view.getBigUint64(8);
    const stored: Checksum = [view.getUint32(16), view.getUint32(20)];
    const isCommit = view.getUint32(4) > 0 && view.getBigUint64(8) === salts;
    const start = sum(view, 0, 8, checksum, isLittleEndian);
    const isSound = isSame(stored, sum(view, FRAME_HEADER_BYTES, view.byteLength, start, isLittleEndian));
    // The damaged frame may itself have been the end of a commit.
    if (isCommit && (isWhole ? !isSound : isSound)) commits += 1;
    if (!isSound || view.getBigUint64(8) !== salts) isWhole = false;
    checksum = stored;
  }
  return commits;
}

/** Yields each complete frame of the file, reusing one view. */
function* frames(fd: number, frameBytes: number): Generator<DataView> {
  const perChunk = Math.max(1, Math.floor(CHUNK_BYTES / frameBytes));
  const chunk = Buffer.alloc(perChunk * frameBytes);
  for (let at = HEADER_BYTES; ; at += chunk.length) {
    const read = readSync(fd, chunk, 0, chunk.length, at);
    for (let from = 0; from + frameBytes <= read; from += frameBytes)
      yield viewOf(chunk.subarray(from, from + frameBytes));
    if (read < chunk.length) return;
  }
}

/** SQLite's checksum over 32-bit words, two at a time. */
function sum(view: DataView, from: number, to: number, before: Checksum, isLittleEndian: boolean): Checksum {
  let [first, second] = before;
  for (let at = from; at < to; at += 8) {
    first = (first + view.getUint32(at, isLittleEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, isLittleEndian) + first) >>> 0;
  }
  return [first, second];
}

function isSame(a: Checksum, b: Checksum): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Returns `absent` if the file does not exist. */
function withFile<T>(path: string, flags: string, absent: T, use: (fd: number) => T): T {
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return absent;
    throw error;
  }
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
