/** Files with their hashes, synchronously: for the thread that makes the days, which nobody waits for. */

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';

/** A file that is new, and hashed while it is written. */
export class HashedFile {
  readonly #fd: number;
  readonly #hash = createHash('sha256');

  /** Throws if there is a file of this name. */
  constructor(path: string) {
    this.#fd = openSync(path, 'wx');
  }

  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(this.#fd, bytes, at);
  }

  /** Flushes it to disk, and returns its SHA-256 in hex. */
  finish(): string {
    fsyncSync(this.#fd);
    return this.#hash.digest('hex');
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** A file as it was found on disk. */
export interface FoundFile {
  readonly bytes: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
  /** The time of the last write, in Unix ms. */
  readonly mtimeMs: number;
}

const CHUNK_BYTES = 1_048_576;

/** Reads a file from end to end. Throws if it cannot be read, and for anything that is no plain file. */
export function hashFile(path: string): FoundFile {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const status = fstatSync(fd);
    if (!status.isFile()) throw new Error(`${path} is no file`);
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let bytes = 0;
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      hash.update(chunk.subarray(0, read));
      bytes += read;
    }
    return { bytes, sha256: hash.digest('hex'), mtimeMs: status.mtimeMs };
  } finally {
    closeSync(fd);
  }
}

/** Makes the names in a folder last through a power cut. Windows knows no such thing and refuses. */
export function flushFolder(path: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
