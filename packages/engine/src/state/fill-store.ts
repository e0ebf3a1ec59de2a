/** The fills of all accounts in typed arrays: as objects, the newest of every account would be most of the heap. */

import type { Micros } from '@venue/protocol';
import type { SessionHandle } from './ids.ts';
import { FILLS_KEPT } from './limits.ts';
import type { FillRecord } from './records.ts';
import type { Series } from './series.ts';
import { NO_SESSION, type SessionStore } from './session-store.ts';

/** Rows are allocated to accounts in blocks of 8, and blocks in chunks of 64, so that growing copies nothing. */
const ROWS_SHIFT = 3;
const ROWS_MASK = (1 << ROWS_SHIFT) - 1;
const BLOCKS_SHIFT = 6;
const BLOCKS_MASK = (1 << BLOCKS_SHIFT) - 1;
/** Blocks for one fill more than an account keeps. */
const BLOCKS_MAX = (FILLS_KEPT >> ROWS_SHIFT) + 1;

/** A row is 64 bytes, one cache line, seen through two views: seven doubles, then two integers from the 56th byte on. */
const FLOATS_SHIFT = 3;
const ID = 0;
const ORDER_ID = 1;
const PRICE = 2;
const QTY = 3;
const FEE = 4;
const REALIZED = 5;
const TS = 6;

const INTS_SHIFT = 4;
const TERMS = 14;
const SIGNER = 15;

/** The terms of a row: one bit for a sell, one for a taker, two for the kind, and the sid above them. */
const SELL = 1;
const TAKER = 2;
const KIND_SHIFT = 2;
const KIND_MASK = 3;
const SID_SHIFT = 4;
const KINDS = ['trade', 'settlement', 'liquidation'] as const satisfies readonly FillRecord['kind'][];

interface Chunk {
  readonly floats: Float64Array;
  readonly ints: Int32Array;
}

/** The rows of one engine. A block is never freed, as an account keeps its newest fills forever. */
export class FillStore {
  readonly series: readonly Series[];
  readonly sessions: SessionStore;
  readonly #chunks: Chunk[] = [];
  #end = 0;

  /** `series` is the venue's list of series by sid, which may grow. */
  constructor(series: readonly Series[], sessions: SessionStore) {
    this.series = series;
    this.sessions = sessions;
  }

  /** A new block, by its number. */
  allocate(): number {
    if ((this.#end & BLOCKS_MASK) === 0) {
      const floats = new Float64Array(1 << (BLOCKS_SHIFT + ROWS_SHIFT + FLOATS_SHIFT));
      this.#chunks.push({ floats, ints: new Int32Array(floats.buffer) });
    }
    return this.#end++;
  }

  chunk(block: number): Chunk {
    return this.#chunks[block >> BLOCKS_SHIFT]!;
  }
}

/** The newest fills of one account, oldest first, in a ring of blocks. Each row holds the session that signed. */
export class Fills implements Iterable<FillRecord> {
  readonly #store: FillStore;
  readonly #blocks: number[] = [];
  #start = 0;
  #size = 0;

  constructor(store: FillStore) {
    this.#store = store;
  }

  get size(): number {
    return this.#size;
  }

  /** A copy of the fill at an index from 0 on. */
  at(place: number): FillRecord {
    const { series, sessions } = this.#store;
    const { floats, ints } = this.#chunk(place);
    const row = this.#row(place);
    const at = row << FLOATS_SHIFT;
    const terms = ints[(row << INTS_SHIFT) + TERMS]!;
    const signer = this.#signer(place);
    return {
      id: floats[at + ID]!,
      orderId: floats[at + ORDER_ID]!,
      series: series[terms >> SID_SHIFT]!,
      side: (terms & SELL) === 0 ? 'buy' : 'sell',
      priceMicros: floats[at + PRICE] as Micros,
      qtyMicros: floats[at + QTY] as Micros,
      feeMicros: floats[at + FEE] as Micros,
      realizedMicros: floats[at + REALIZED] as Micros,
      taker: (terms & TAKER) !== 0,
      ts: floats[at + TS]!,
      kind: KINDS[(terms >> KIND_SHIFT) & KIND_MASK]!,
      signer: signer === NO_SESSION ? undefined : sessions.key(signer),
    };
  }

  /** Copies of the fills at the indices from `first` to before `end`. */
  slice(first: number, end = this.#size): FillRecord[] {
    return Array.from({ length: Math.max(Math.min(end, this.#size) - first, 0) }, (_, i) =>
      this.at(first + i),
    );
  }

  /** The number of kept fills with an id below the given one. */
  countBelow(id: number): number {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#id(middle) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  *[Symbol.iterator](): Generator<FillRecord> {
    for (let place = 0; place < this.#size; place++) yield this.at(place);
  }

  /** The sessions held by the rows. */
  *signers(): Generator<SessionHandle> {
    for (let place = 0; place < this.#size; place++) {
      const signer = this.#signer(place);
      if (signer !== NO_SESSION) yield signer;
    }
  }

  /** Adds a row, and drops the oldest beyond the limit. The fill's `signer` is the key of the given session. */
  add(fill: FillRecord, signer: SessionHandle | null): void {
    if (this.#size === FILLS_KEPT) this.#drop();
    const place = this.#size;
    this.#size += 1;
    if ((this.#start + place) >> ROWS_SHIFT === this.#blocks.length && this.#blocks.length < BLOCKS_MAX)
      this.#blocks.push(this.#store.allocate());
    const { floats, ints } = this.#chunk(place);
    const row = this.#row(place);
    const at = row << FLOATS_SHIFT;
    floats[at + ID] = fill.id;
    floats[at + ORDER_ID] = fill.orderId;
    floats[at + PRICE] = fill.priceMicros;
    floats[at + QTY] = fill.qtyMicros;
    floats[at + FEE] = fill.feeMicros;
    floats[at + REALIZED] = fill.realizedMicros;
    floats[at + TS] = fill.ts;
    ints[(row << INTS_SHIFT) + TERMS] = termsOf(fill);
    ints[(row << INTS_SHIFT) + SIGNER] = signer ?? NO_SESSION;
    if (signer !== null) this.#store.sessions.hold(signer);
  }

  #drop(): void {
    const signer = this.#signer(0);
    if (signer !== NO_SESSION) this.#store.sessions.release(signer);
    this.#start = (this.#start + 1) % (BLOCKS_MAX << ROWS_SHIFT);
    this.#size -= 1;
  }

  #id(place: number): number {
    return this.#chunk(place).floats[(this.#row(place) << FLOATS_SHIFT) + ID]!;
  }

  #signer(place: number): SessionHandle {
    return this.#chunk(place).ints[(this.#row(place) << INTS_SHIFT) + SIGNER] as SessionHandle;
  }

  #chunk(place: number): Chunk {
    return this.#store.chunk(this.#blocks[this.#slot(place) >> ROWS_SHIFT]!);
  }

  /** The row within its chunk. */
  #row(place: number): number {
    const slot = this.#slot(place);
    return ((this.#blocks[slot >> ROWS_SHIFT]! & BLOCKS_MASK) << ROWS_SHIFT) + (slot & ROWS_MASK);
  }

  #slot(place: number): number {
    return (this.#start + place) % (BLOCKS_MAX << ROWS_SHIFT);
  }
}

function termsOf({ series, side, taker, kind }: FillRecord): number {
  const flags = (side === 'sell' ? SELL : 0) | (taker ? TAKER : 0);
  return (series.sid << SID_SHIFT) | (KINDS.indexOf(kind) << KIND_SHIFT) | flags;
}
