import type { LogEntry } from '../log.ts';

/** Entries in a few flat buffers, which move between threads without copying; objects would be cloned one by one. */
export interface PackedEntries {
  readonly firstSeq: number;
  readonly ts: Float64Array<ArrayBuffer>;
  /** The distinct kinds; `kindOf[i]` is the index of entry i's kind. */
  readonly kinds: readonly string[];
  readonly kindOf: Uint32Array<ArrayBuffer>;
  /** Where each body ends in `bodies`; it begins where the previous one ends. */
  readonly ends: Float64Array<ArrayBuffer>;
  readonly bodies: Uint8Array<ArrayBuffer>;
}

/** The buffers to transfer when posting packed entries to another thread. */
export function transferable(packed: PackedEntries): ArrayBuffer[] {
  return [packed.ts.buffer, packed.kindOf.buffer, packed.ends.buffer, packed.bodies.buffer];
}

/** Packs entries with consecutive seqs. */
export function pack(entries: readonly LogEntry[]): PackedEntries {
  const bytes = entries.reduce((sum, entry) => sum + entry.body.byteLength, 0);
  const packer = new EntryPacker(entries[0]?.seq ?? 0, bytes);
  for (const { ts, kind, body } of entries) packer.add(ts, kind, body);
  return packer.finish();
}

/** The bodies of the entries share the packed memory. */
export function unpack(packed: PackedEntries): LogEntry[] {
  const entries: LogEntry[] = new Array(packed.ts.length);
  let start = 0;
  for (let i = 0; i < entries.length; i++) {
    const end = packed.ends[i]!;
    const kind = packed.kinds[packed.kindOf[i]!]!;
    const body = packed.bodies.subarray(start, end);
    entries[i] = { seq: packed.firstSeq + i, ts: packed.ts[i]!, kind, body, local: undefined };
    start = end;
  }
  return entries;
}

/** Packs entries one by one. */
export class EntryPacker {
  readonly #firstSeq: number;
  readonly #ts: number[] = [];
  readonly #kinds = new Map<string, number>();
  readonly #kindOf: number[] = [];
  readonly #ends: number[] = [];
  #bodies: Buffer<ArrayBuffer>;
  #size = 0;

  constructor(firstSeq: number, expectedBytes: number) {
    this.#firstSeq = firstSeq;
    this.#bodies = Buffer.allocUnsafeSlow(expectedBytes);
  }

  get count(): number {
    return this.#ts.length;
  }

  get sizeBytes(): number {
    return this.#size;
  }

  /** A string is stored as its UTF-8 bytes. */
  add(ts: number, kind: string, body: Uint8Array | string): void {
    if (typeof body === 'string') {
      this.#reserve(Buffer.byteLength(body));
      this.#size += this.#bodies.write(body, this.#size);
    } else {
      this.#reserve(body.byteLength);
      this.#bodies.set(body, this.#size);
      this.#size += body.byteLength;
    }
    this.#ts.push(ts);
    this.#kindOf.push(this.#kindIndex(kind));
    this.#ends.push(this.#size);
  }

  finish(): PackedEntries {
    return {
      firstSeq: this.#firstSeq,
      ts: Float64Array.from(this.#ts),
      kinds: [...this.#kinds.keys()],
      kindOf: Uint32Array.from(this.#kindOf),
      ends: Float64Array.from(this.#ends),
      bodies: new Uint8Array(this.#bodies.buffer, 0, this.#size),
    };
  }

  #kindIndex(kind: string): number {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    this.#kinds.set(kind, this.#kinds.size);
    return this.#kinds.size - 1;
  }

  #reserve(bytes: number): void {
    if (this.#size + bytes <= this.#bodies.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#size + bytes, 2 * this.#bodies.length));
    grown.set(this.#bodies.subarray(0, this.#size));
    this.#bodies = grown;
  }
}
