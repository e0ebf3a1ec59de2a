/**
 * The newest durable head of a log, recorded beside its file: a log that ends before it has lost its end, for whatever
 * reason. Each head is written once its commit is flushed and acknowledged, and flushed itself a moment later, so it may
 * lag but never leads.
 */

import { closeSync, fdatasync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ChainPoint } from '../log.ts';
import { syncFolder } from './sync-folder.ts';

export type DurableHead = Pick<ChainPoint, 'seq' | 'hash'>;

/** Heads are written alternately into two separate blocks, so that a power cut can tear only the one being written. */
const SLOT_BYTES = 4096;
const SLOTS = 2;
const SYNC_AFTER_MS = 1_000;
const LINE = /^venue-head 1 (\d+) ([0-9a-f]{64}) ([0-9a-f]{8})\n/;

export function headFileOf(path: string): string {
  return `${path}-head`;
}

export type FoundHead = (DurableHead & { readonly slot: number }) | 'missing' | 'unreadable';

export function readHead(path: string): FoundHead {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing';
    return 'unreadable';
  }
  const found = Array.from({ length: SLOTS }, (_, slot) => headIn(text, slot)).filter(
    (head) => head !== undefined,
  );
  return found.toSorted((a, b) => b.seq - a.seq)[0] ?? 'unreadable';
}

function headIn(text: string, slot: number): (DurableHead & { slot: number }) | undefined {
  const [, seq, hash, checksum] = LINE.exec(text.slice(slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES)) ?? [];
  if (seq === undefined || checksum !== checksumOf(`${seq} ${hash}`)) return undefined;
  return { seq: Number(seq), hash: hash!, slot };
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** The head file of an open log. */
export class HeadFile {
  readonly #path: string;
  readonly #fd: number;
  #slot: number;
  #syncing: NodeJS.Timeout | undefined;
  #failure: unknown;

  /** Continues from the head that was found. The head is durable when this returns. */
  constructor(path: string, found: FoundHead, head: DurableHead) {
    const isNew = typeof found === 'string';
    this.#path = path;
    this.#slot = isNew ? 0 : found.slot;
    this.#fd = openSync(path, isNew ? 'w' : 'r+', 0o644);
    try {
      // Reserves all the room it will need, so that a disk that fills up later does no harm.
      if (isNew) writeSync(this.#fd, Buffer.alloc(SLOTS * SLOT_BYTES), 0);
      this.#write(head);
      fdatasyncSync(this.#fd);
      if (isNew) syncFolder(dirname(path));
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  /** Throws once a head could not be written or flushed: the log must not grow past what it can prove. */
  assertWorks(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Records the head of a flushed commit, which is acknowledged: a failure is told by `assertWorks`. */
  note(head: DurableHead): void {
    try {
      this.#write(head);
    } catch (error) {
      this.#failure ??= error;
    }
    this.#syncing ??= setTimeout(() => this.#sync(), SYNC_AFTER_MS).unref();
  }

  close(): void {
    clearTimeout(this.#syncing);
    fdatasyncSync(this.#fd);
    closeSync(this.#fd);
  }

  #write({ seq, hash }: DurableHead): void {
    this.#slot = (this.#slot + 1) % SLOTS;
    const text = `${seq} ${hash}`;
    const line = Buffer.from(`venue-head 1 ${text} ${checksumOf(text)}\n`);
    const written = writeSync(this.#fd, line, 0, line.length, this.#slot * SLOT_BYTES);
    if (written < line.length) throw new Error(`only a part of ${this.#path} could be written`);
  }

  /** Runs in the background: no commit waits for it. */
  #sync(): void {
    this.#syncing = undefined;
    fdatasync(this.#fd, (error) => {
      if (error !== null) this.#failure ??= error;
    });
  }
}
