/**
 * The hash chain of a log. A batch is the entries of one append transaction; its hash is
 *
 *     SHA-256(hash of the previous batch ‖ first seq ‖ ts ‖ SHA-256(entries))
 *
 * with zeros before the first batch. Numbers are 8 bytes. Each entry is hashed as the lengths of kind and body in 4
 * bytes each, the kind, and the body; numbers are big-endian. One hash thus covers the whole log up to its batch.
 */

import { createHash, type Hash } from 'node:crypto';
import type { BatchRecord, ChainPoint, LogEntry } from './log.ts';

/** Precedes the first entry. */
export const CHAIN_ORIGIN: ChainPoint = { seq: 0, ts: 0, hash: '0'.repeat(64) };

/** The place where a log is broken. */
export interface ChainFault {
  /** The faulty entry, or the first of several. */
  readonly seq: number;
  /** One sentence that names the entry. */
  readonly message: string;
}

/**
 * Verifies a log piece by piece, from its beginning or from any boundary between batches. Add batches before the
 * entries in them.
 *
 * @example
 * const verifier = new ChainVerifier();
 * verifier.addBatches([{ firstSeq: 1, lastSeq: 2, id: '…', hash: '…' }]);
 * const fault = verifier.addEntries(entries) ?? verifier.finish();
 */
export class ChainVerifier {
  #verified: ChainPoint;
  #nextSeq: number;
  readonly #batches: BatchRecord[] = [];
  /** The digest of the batch being read; undefined between batches. */
  #digest: BatchDigest | undefined;
  #batchTs = 0;

  constructor(after: ChainPoint = CHAIN_ORIGIN) {
    this.#verified = after;
    this.#nextSeq = after.seq + 1;
  }

  /** The end of the last batch that was complete and matched its hash. */
  get verified(): ChainPoint {
    return this.#verified;
  }

  /** The seq expected next. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** The last seq of the last batch added. */
  get batchedSeq(): number {
    return this.#batches.at(-1)?.lastSeq ?? this.#verified.seq;
  }

  /** Adds the batches that follow those already added. */
  addBatches(batches: readonly BatchRecord[]): void {
    for (const batch of batches) this.#batches.push(batch);
  }

  /** Adds the entries that follow those already added. Nothing after a fault can be trusted. */
  addEntries(entries: Iterable<LogEntry>): ChainFault | undefined {
    for (const entry of entries) {
      const fault = this.#add(entry);
      if (fault) return fault;
    }
    return undefined;
  }

  /** Call after the last entry: reports a fault if a batch is incomplete. */
  finish(): ChainFault | undefined {
    return this.#batches.length > 0 ? missing(this.#nextSeq) : undefined;
  }

  #add(entry: LogEntry): ChainFault | undefined {
    const { seq, ts, kind, body } = entry;
    if (seq !== this.#nextSeq) return missing(this.#nextSeq);
    const [batch] = this.#batches;
    const begins = this.#digest === undefined;
    if (batch === undefined || (begins && batch.firstSeq !== seq)) {
      return { seq, message: `the batch of entry ${seq} is missing from the log` };
    }
    if (begins ? ts < this.#verified.ts : ts !== this.#batchTs) {
      return { seq, message: `entry ${seq} is damaged: its time is not that of its place` };
    }
    this.#digest ??= new BatchDigest();
    this.#digest.add(kind, body);
    this.#batchTs = ts;
    this.#nextSeq += 1;
    return seq === batch.lastSeq ? this.#seal(batch, this.#digest) : undefined;
  }

  #seal({ firstSeq, lastSeq, hash }: BatchRecord, digest: BatchDigest): ChainFault | undefined {
    const place = { previousHash: this.#verified.hash, firstSeq, ts: this.#batchTs };
    if (chainHash(place, digest.finish()) !== hash) return damaged(firstSeq, lastSeq);
    this.#verified = { seq: lastSeq, ts: this.#batchTs, hash };
    this.#digest = undefined;
    this.#batches.shift();
    return undefined;
  }
}

function missing(seq: number): ChainFault {
  return { seq, message: `entry ${seq} is missing from the log` };
}

function damaged(firstSeq: number, lastSeq: number): ChainFault {
  const which =
    firstSeq === lastSeq ? `entry ${firstSeq} is` : `one of the entries ${firstSeq} to ${lastSeq} is`;
  return { seq: firstSeq, message: `${which} damaged: the hash of its batch does not match` };
}

export interface BatchPlace {
  readonly previousHash: string;
  readonly firstSeq: number;
  readonly ts: number;
}

/** The hash of a batch, from its place and the digest of its entries. */
export function chainHash({ previousHash, firstSeq, ts }: BatchPlace, digest: Uint8Array): string {
  const numbers = Buffer.alloc(16);
  numbers.writeBigInt64BE(BigInt(firstSeq), 0);
  numbers.writeBigInt64BE(BigInt(ts), 8);
  return createHash('sha256').update(previousHash, 'hex').update(numbers).update(digest).digest('hex');
}

const SCRATCH = Buffer.allocUnsafeSlow(64 * 1024);
const LENGTHS_BYTES = 8;
/** The digest currently using the scratch memory, which all digests share: there are as many digests as batches. */
let scratchOwner: BatchDigest | undefined;

/** The digest of one batch's entries. Small entries are gathered first, because hashing many small pieces is slow. */
export class BatchDigest {
  readonly #hash: Hash = createHash('sha256');
  #used = 0;

  add(kind: string, body: Uint8Array): void {
    const kindBytes = bytesOf(kind);
    const size = LENGTHS_BYTES + kindBytes.length + body.byteLength;
    this.#own();
    if (this.#used + size > SCRATCH.length) this.#flush();
    SCRATCH.writeUInt32BE(kindBytes.length, this.#used);
    SCRATCH.writeUInt32BE(body.byteLength, this.#used + 4);
    this.#used += LENGTHS_BYTES;
    if (size <= SCRATCH.length) {
      SCRATCH.set(kindBytes, this.#used);
      SCRATCH.set(body, this.#used + kindBytes.length);
      this.#used += kindBytes.length + body.byteLength;
    } else {
      this.#flush();
      this.#hash.update(kindBytes).update(body);
    }
  }

  /** Returns 32 bytes. Add nothing afterwards. */
  finish(): Buffer {
    this.#flush();
    if (scratchOwner === this) scratchOwner = undefined;
    return this.#hash.digest();
  }

  #own(): void {
    if (scratchOwner === this) return;
    if (scratchOwner !== undefined) scratchOwner.#flush();
    scratchOwner = this;
  }

  #flush(): void {
    if (this.#used > 0) this.#hash.update(SCRATCH.subarray(0, this.#used));
    this.#used = 0;
  }
}

/** A cache: there are few kinds, and each occurs often. */
const KIND_BYTES = new Map<string, Buffer>();
const KINDS_MAX = 1000;

function bytesOf(kind: string): Buffer {
  let bytes = KIND_BYTES.get(kind);
  if (bytes === undefined) {
    bytes = Buffer.from(kind);
    if (KIND_BYTES.size < KINDS_MAX) KIND_BYTES.set(kind, bytes);
  }
  return bytes;
}
