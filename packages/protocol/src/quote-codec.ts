/**
 * Binary quote pushes, as the maker sends them and the log stores them. Internal, not part of the public interface.
 *
 * Everything is little-endian; `varint` is an unsigned LEB128 of at most eight bytes, up to 2^53 - 1.
 *
 *     push    "SQW1"  version u8 = 1  0 u8  rows u32  row*
 *     row     sid varint  has u8  [bids]  [asks]  [iv f64]  [delta f64]      a sid fits 32 bits
 *     has     1 bids, 2 asks, 4 iv, 8 delta: an absent field is left unchanged
 *     bids    count varint  (price varint, qty varint)*       in micros, best first; a count of 0 pulls the side
 *
 *     answer  "SQR1"  version u8 = 1  0 u8  applied u32  kept u32  errors u32
 *             shown u32  (row u32, length u8, UTF-8)*  unknown u32  (sid u32)*
 */

import { MICROS_MAX } from './units.ts';
import type { QuotesAnswer } from './wire/maker.ts';

/** [priceMicros, qtyMicros]; checked only to be exact integers. */
export type MicrosLevel = readonly [number, number];

/** One row of a push. Null leaves a side unchanged, an empty array pulls it (MM-3). */
export interface MicrosQuote {
  readonly sid: number;
  readonly bids: readonly MicrosLevel[] | null;
  readonly asks: readonly MicrosLevel[] | null;
  readonly iv?: number;
  readonly delta?: number;
}

export const QUOTES_CONTENT_TYPE = 'application/x-venue-quotes';

/** Maximum levels per side; a row with more is refused by itself. */
export const QUOTE_LEVELS_MAX = 64;

/** A malformed body. The message continues a sentence whose subject is the body. */
export class QuoteCodecError extends Error {
  override name = 'QuoteCodecError';
}

const VERSION = 1;
const HEADER_BYTES = 10;
const HAS_BIDS = 1;
const HAS_ASKS = 2;
const HAS_IV = 4;
const HAS_DELTA = 8;
const HAS_ALL = HAS_BIDS | HAS_ASKS | HAS_IV | HAS_DELTA;
const SID_MAX = 0xffff_ffff;
const VARINT_BYTES_MAX = 8;
/** Numbers are assembled from two halves of four 7-bit groups each, so that each half fits a machine integer. */
const HALF_BYTES = 4;
const HALF = 2 ** 28;
const REASON_BYTES_MAX = 255;

/** The bytes of a push. */
export function encodeQuotes(rows: readonly MicrosQuote[]): Uint8Array {
  const writer = new Writer(HEADER_BYTES + rows.length * 64);
  writer.header('SQW1');
  writer.u32(rows.length);
  for (const { sid, bids, asks, iv, delta } of rows) {
    if (sid > SID_MAX) throw new QuoteCodecError(`has a sid past 32 bits: ${sid}`);
    writer.varint(sid);
    writer.u8(
      (bids === null ? 0 : HAS_BIDS) |
        (asks === null ? 0 : HAS_ASKS) |
        (iv === undefined ? 0 : HAS_IV) |
        (delta === undefined ? 0 : HAS_DELTA),
    );
    if (bids !== null) writer.levels(bids);
    if (asks !== null) writer.levels(asks);
    if (iv !== undefined) writer.f64(iv);
    if (delta !== undefined) writer.f64(delta);
  }
  return writer.bytes();
}

/**
 * Decodes the rows of a push. Of a side with too many levels, one more than allowed is kept, so that the check of the
 * row notices. Throws `QuoteCodecError` for bytes that are truncated, over-long or of another kind, and once rows and
 * levels together exceed `itemsMax`, before reading further. The log wrote its own bytes and needs no such bound.
 */
export function decodeQuotes(bytes: Uint8Array, itemsMax = Number.POSITIVE_INFINITY): MicrosQuote[] {
  const reader = new Reader(bytes, itemsMax);
  reader.header('SQW1');
  const count = reader.count(reader.u32());
  const rows: MicrosQuote[] = [];
  for (let i = 0; i < count; i++) {
    const sid = reader.varint();
    if (sid > SID_MAX) throw new QuoteCodecError(`has a sid past 32 bits in row ${i}`);
    const has = reader.u8();
    if (has > HAS_ALL) throw new QuoteCodecError(`has unknown fields in row ${i}`);
    const bids = has & HAS_BIDS ? reader.levels() : null;
    const asks = has & HAS_ASKS ? reader.levels() : null;
    const row: { -readonly [name in keyof MicrosQuote]: MicrosQuote[name] } = { sid, bids, asks };
    if (has & HAS_IV) row.iv = reader.f64();
    if (has & HAS_DELTA) row.delta = reader.f64();
    rows.push(row);
  }
  reader.end();
  return rows;
}

/** The bytes of an answer to a push. */
export function encodeQuotesAnswer(answer: QuotesAnswer): Uint8Array {
  const { applied, kept, errors, rowErrors, unknownSids = [] } = answer;
  const writer = new Writer(64 + rowErrors.length * 64 + unknownSids.length * 4);
  writer.header('SQR1');
  for (const count of [applied, kept, errors, rowErrors.length]) writer.u32(count);
  for (const { i, error } of rowErrors) {
    const text = new TextEncoder().encode(error).subarray(0, REASON_BYTES_MAX);
    writer.u32(i);
    writer.u8(text.length);
    writer.raw(text);
  }
  writer.u32(unknownSids.length);
  for (const sid of unknownSids) writer.u32(sid);
  return writer.bytes();
}

/** Decodes the answer to a push. Throws `QuoteCodecError`. */
export function decodeQuotesAnswer(bytes: Uint8Array): QuotesAnswer {
  const reader = new Reader(bytes);
  reader.header('SQR1');
  const [applied, kept, errors, shown] = [reader.u32(), reader.u32(), reader.u32(), reader.u32()];
  const rowErrors: { i: number; error: string }[] = [];
  for (let k = 0; k < shown; k++) {
    const i = reader.u32();
    rowErrors.push({ i, error: new TextDecoder().decode(reader.raw(reader.u8())) });
  }
  const unknownSids: number[] = [];
  for (let count = reader.u32(); count > 0; count--) unknownSids.push(reader.u32());
  reader.end();
  return { applied, kept, errors, rowErrors, ...(unknownSids.length > 0 && { unknownSids }) };
}

class Writer {
  #bytes: Uint8Array;
  #view: DataView;
  #at = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  header(magic: string): void {
    for (const character of magic) this.u8(character.charCodeAt(0));
    this.u8(VERSION);
    this.u8(0);
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  f64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new QuoteCodecError(`has an amount that is not exact: ${value}`);
    this.#reserve(VARINT_BYTES_MAX);
    let rest = value;
    if (value >= HALF) {
      rest = Math.floor(value / HALF);
      let low = value - rest * HALF;
      for (let i = 0; i < HALF_BYTES; i++, low >>= 7) this.#bytes[this.#at++] = (low & 0x7f) | 0x80;
    }
    for (; rest > 0x7f; rest >>= 7) this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#at++] = rest;
  }

  levels(levels: readonly MicrosLevel[]): void {
    this.varint(levels.length);
    for (let k = 0; k < levels.length; k++) {
      this.varint(levels[k]![0]);
      this.varint(levels[k]![1]);
    }
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #itemsMax: number;
  #items = 0;
  #at = 0;

  constructor(bytes: Uint8Array, itemsMax = Number.POSITIVE_INFINITY) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#itemsMax = itemsMax;
  }

  /** Adds `items` to the running count and returns it. */
  count(items: number): number {
    this.#items += items;
    if (this.#items > this.#itemsMax)
      throw new QuoteCodecError(`has more than ${this.#itemsMax} rows and levels`);
    return items;
  }

  header(magic: string): void {
    for (const character of magic) {
      if (this.u8() !== character.charCodeAt(0)) throw new QuoteCodecError(`does not begin with ${magic}`);
    }
    if (this.u8() !== VERSION || this.u8() !== 0) throw new QuoteCodecError('is of an unknown version');
  }

  u8(): number {
    return this.#bytes[this.#take(1)]!;
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  varint(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let low = 0;
    let high = 0;
    for (let i = 0; i < VARINT_BYTES_MAX; i++) {
      if (at === bytes.length) this.#breakOff();
      const byte = bytes[at++]!;
      const bits = (byte & 0x7f) << (7 * (i % HALF_BYTES));
      if (i < HALF_BYTES) low |= bits;
      else high |= bits;
      if (byte > 0x7f) continue;
      const value = high * HALF + low;
      // Every number has one spelling: no trailing zeros, and nothing past the exact range.
      if (value > MICROS_MAX || (byte === 0 && i > 0)) break;
      this.#at = at;
      return value;
    }
    throw new QuoteCodecError(`has no number at byte ${at}`);
  }

  levels(): MicrosLevel[] {
    const count = this.count(this.varint());
    const kept = Math.min(count, QUOTE_LEVELS_MAX + 1);
    // Allocated at its final length: a growing array reserves room for sixteen more, and most rows have a few levels.
    const levels = new Array<MicrosLevel>(kept);
    for (let k = 0; k < kept; k++) levels[k] = [this.varint(), this.varint()];
    this.#skipNumbers(2 * (count - kept));
    return levels;
  }

  raw(count: number): Uint8Array {
    const from = this.#take(count);
    return this.#bytes.subarray(from, from + count);
  }

  end(): void {
    if (this.#at < this.#bytes.length)
      throw new QuoteCodecError(`has bytes too many from byte ${this.#at} on`);
  }

  /** Skips numbers without checking their spelling, so that it costs no memory and little more time than the bytes. */
  #skipNumbers(count: number): void {
    for (let left = count; left > 0; left--) {
      while (this.#bytes[this.#at]! > 0x7f) this.#at += 1;
      this.#take(1);
    }
  }

  #take(count: number): number {
    const from = this.#at;
    if (from + count > this.#bytes.length) this.#breakOff();
    this.#at = from + count;
    return from;
  }

  #breakOff(): never {
    throw new QuoteCodecError(`breaks off at byte ${this.#bytes.length}`);
  }
}
