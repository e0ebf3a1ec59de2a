/** Reads recorded order flows, drives a book with them, and hashes what it reports. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Book, type BookSide, BUY, type OrderStore, SELL } from '../src/book/book.ts';

export const WORKLOADS = [
  {
    file: 'normal-seed7-150k.bin.gz',
    sha256: 'aa3b66ad6cd496f55e4cd5f53570b1e1481132cad7e663e50627b633a4533740',
  },
  {
    file: 'flash-crash-seed7-150k.bin.gz',
    sha256: '04a94aa8e3ee24fe56d90d7db4a1981ca849050ee66a79d04a5b409028a6bdbf',
  },
] as const;

export const NEW = 0;
export const CANCEL = 1;
export const MODIFY = 2;

/** One recorded flow, an array for each field; the sequence of a message is its index. */
export interface Flow {
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly sides: Uint8Array;
  readonly iocs: Uint8Array;
  readonly quantities: Int32Array;
  readonly ids: Int32Array;
  readonly prices: Int32Array;
}

const HEADER_BYTES = 16;
const RECORD_BYTES = 40;
const MAGIC = 0x4d4542575f303031n;

/** Reads one of the files in `tests/workloads`. Throws if it is not what its README describes. */
export function readFlow(file: string): Flow {
  const url = new URL(`../../../tests/workloads/${file}`, import.meta.url);
  const bytes = gunzipSync(readFileSync(url));
  const count = bytes.readUInt32LE(12);
  if (bytes.readBigUInt64LE(0) !== MAGIC || bytes.length !== HEADER_BYTES + count * RECORD_BYTES) {
    throw new Error(`${file} is not a workload`);
  }
  const flow: Flow = {
    count,
    kinds: new Uint8Array(count),
    sides: new Uint8Array(count),
    iocs: new Uint8Array(count),
    quantities: new Int32Array(count),
    ids: new Int32Array(count),
    prices: new Int32Array(count),
  };
  for (let i = 0; i < count; i++) readRecord(bytes, i, flow);
  return flow;
}

function readRecord(bytes: Buffer, i: number, flow: Flow): void {
  const at = HEADER_BYTES + i * RECORD_BYTES;
  if (bytes.readBigUInt64LE(at + 8) !== BigInt(i)) throw new Error(`record ${i} is out of sequence`);
  flow.kinds[i] = bytes.readUInt8(at);
  flow.sides[i] = bytes.readUInt8(at + 1);
  flow.iocs[i] = bytes.readUInt8(at + 2);
  flow.quantities[i] = int32(bytes.readUInt32LE(at + 4));
  flow.ids[i] = int32(Number(bytes.readBigUInt64LE(at + 16)));
  flow.prices[i] = int32(Number(bytes.readBigInt64LE(at + 24)));
}

function int32(value: number): number {
  if ((value | 0) !== value) throw new RangeError(`${value} does not fit 32 bits`);
  return value;
}

export const ACCEPTED = 0;
export const TRADE = 1;
export const CANCELLED = 2;
export const MODIFIED = 3;
export const CANCEL_REJECTED = 4;
export const MODIFY_REJECTED = 5;
/** Numbers in the line of each kind of report, including the kind. */
const WIDTHS = [6, 6, 5, 6, 3, 3];
const REPORT_WIDTH = 6;

/** The reports of a book, six numbers per line in the order of events, in memory that is reused between runs. */
export class Reports {
  #numbers: Int32Array;
  #length = 0;

  constructor(lines: number) {
    this.#numbers = new Int32Array(lines * REPORT_WIDTH);
  }

  clear(): void {
    this.#length = 0;
  }

  add(kind: number, sequence: number, a: number, b: number, c: number, d: number): void {
    const numbers = this.#numbers;
    const at = this.#length;
    if (at === numbers.length) throw new RangeError('more reports than room');
    numbers[at] = kind;
    numbers[at + 1] = sequence;
    numbers[at + 2] = a;
    numbers[at + 3] = b;
    numbers[at + 4] = c;
    numbers[at + 5] = d;
    this.#length = at + REPORT_WIDTH;
  }

  /** A cheap digest of all reports, to compare runs of the same flow. */
  checksum(): number {
    let sum = this.#length;
    for (let i = 0; i < this.#length; i++) sum = (Math.imul(sum, 31) + this.#numbers[i]!) | 0;
    return sum;
  }

  /** SHA-256 of the lines in canonical order, by sequence, then kind, then order of events. */
  sha256(): string {
    const lines = this.#lines().sort((x, y) => x[1]! - y[1]! || x[0]! - y[0]!);
    const text = lines.map((line) => line.slice(0, WIDTHS[line[0]!]).join(',')).join('\n');
    return createHash('sha256').update(text).digest('hex');
  }

  #lines(): number[][] {
    const lines: number[][] = [];
    for (let at = 0; at < this.#length; at += REPORT_WIDTH) {
      lines.push([...this.#numbers.subarray(at, at + REPORT_WIDTH)]);
    }
    return lines;
  }
}

/** Number of owners among whom a flow's orders are distributed. */
const OWNERS = 64;

export interface FlowDriverOptions {
  readonly flow: Flow;
  readonly store: OrderStore;
  readonly book: Book;
  readonly reports: Reports;
}

/** Sends one flow through one book: matches, rests, cancels, and modifies by cancelling and entering again. */
export class FlowDriver {
  readonly #flow: Flow;
  readonly #store: OrderStore;
  readonly #book: Book;
  readonly #reports: Reports;
  readonly #order = {
    id: 0,
    owner: 0,
    side: BUY as BookSide,
    price: 0,
    quantity: 0,
    remaining: 0,
    placedAt: 0,
  };

  constructor({ flow, store, book, reports }: FlowDriverOptions) {
    this.#flow = flow;
    this.#store = store;
    this.#book = book;
    this.#reports = reports;
  }

  run(): void {
    const { count, kinds } = this.#flow;
    for (let sequence = 0; sequence < count; sequence++) {
      const kind = kinds[sequence];
      if (kind === NEW) this.#enter(sequence);
      else if (kind === CANCEL) this.#cancel(sequence);
      else this.#modify(sequence);
    }
  }

  #enter(sequence: number): void {
    const { ids, sides, prices, quantities, iocs } = this.#flow;
    const id = ids[sequence]!;
    const side = sides[sequence] as BookSide;
    const price = prices[sequence]!;
    const quantity = quantities[sequence]!;
    this.#reports.add(ACCEPTED, sequence, side, id, price, quantity);
    const left = this.#match(sequence, side, quantity);
    if (left === 0) return;
    if (iocs[sequence] === 1) this.#reports.add(CANCELLED, sequence, side, id, price, 0);
    else this.#rest(sequence, side, left);
  }

  #cancel(sequence: number): void {
    const id = this.#flow.ids[sequence]!;
    const store = this.#store;
    const h = store.find(id);
    if (h === null) {
      this.#reports.add(CANCEL_REJECTED, sequence, id, 0, 0, 0);
      return;
    }
    this.#reports.add(CANCELLED, sequence, store.side(h), id, store.price(h), 0);
    this.#book.remove(h);
  }

  #modify(sequence: number): void {
    const id = this.#flow.ids[sequence]!;
    const h = this.#store.find(id);
    if (h === null) {
      this.#reports.add(MODIFY_REJECTED, sequence, id, 0, 0, 0);
      return;
    }
    const side = this.#store.side(h);
    const quantity = this.#flow.quantities[sequence]!;
    this.#book.remove(h);
    this.#reports.add(MODIFIED, sequence, side, id, this.#flow.prices[sequence]!, quantity);
    const left = this.#match(sequence, side, quantity);
    if (left > 0) this.#rest(sequence, side, left);
  }

  /** Trades against the other side as far as the price allows and returns the rest. */
  #match(sequence: number, side: BookSide, quantity: number): number {
    const book = this.#book;
    const store = this.#store;
    const other = side === BUY ? SELL : BUY;
    const limit = this.#flow.prices[sequence]!;
    const takerId = this.#flow.ids[sequence]!;
    let left = quantity;
    while (left > 0) {
      const maker = book.best(other);
      if (maker === null || !book.crosses(side, limit)) break;
      const price = store.price(maker);
      const traded = Math.min(left, store.remaining(maker));
      this.#reports.add(TRADE, sequence, price, traded, store.id(maker), takerId);
      book.reduce(maker, traded);
      left -= traded;
    }
    return left;
  }

  #rest(sequence: number, side: BookSide, remaining: number): void {
    const order = this.#order;
    const id = this.#flow.ids[sequence]!;
    order.id = id;
    order.owner = id % OWNERS;
    order.side = side;
    order.price = this.#flow.prices[sequence]!;
    order.quantity = this.#flow.quantities[sequence]!;
    order.remaining = remaining;
    order.placedAt = sequence;
    this.#book.place(order);
  }
}
