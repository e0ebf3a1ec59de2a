/**
 * The rows of a push to a quote set as the log keeps them: the same rows in about half of the bytes of the binary
 * form on the wire, because quotes are most of a log. Makers quote on grids, so amounts are kept without the zeros that
 * all of a side share, and annotations in ten-thousandths where that is exact.
 *
 *     rows    count varint  row*
 *     row     sid varint: its distance to the row before, times two, less one if negative
 *             has u8: 1 bids, 2 asks, 4 iv, 8 delta, 16 iv as a double, 32 delta as a double
 *             [bids]  [asks]  [iv]  [delta]
 *     side    count varint  [zeros u8: those of prices + 16 x those of sizes  (price varint, size varint)*]
 *     iv      varint in ten-thousandths, signed as the sid is; or a double
 *
 * `varint` is an unsigned LEB128. Every push has one spelling.
 */

import { MICROS_MAX, type MicrosLevel, type MicrosQuote } from '@venue/protocol';

const HAS_BIDS = 1;
const HAS_ASKS = 2;
const HAS_IV = 4;
const HAS_DELTA = 8;
const IS_DOUBLE_IV = 16;
const IS_DOUBLE_DELTA = 32;
const HAS_ALL = 63;

/** By number of zeros. */
const UNITS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
const ZEROS_MAX = UNITS.length - 1;
const ANNOTATION_STEPS = 10_000;
/** Past this an annotation's steps could not be doubled exactly. */
const STEPS_MAX = 2 ** 52;
const SID_MAX = 0xffff_ffff;
const DOUBLE_BYTES = 8;

/** The bytes of the rows. Throws for an amount that is not exact in micros. */
export function encodeSetRows(rows: readonly MicrosQuote[]): Uint8Array {
  const writer = new Writer();
  writer.varint(rows.length);
  let lastSid = 0;
  for (const { sid, bids, asks, iv, delta } of rows) {
    if (!(sid >= 0 && sid <= SID_MAX)) throw new Error(`a sid past 32 bits: ${sid}`);
    writer.signed(sid - lastSid);
    lastSid = sid;
    writer.u8(
      (bids === null ? 0 : HAS_BIDS) |
        (asks === null ? 0 : HAS_ASKS) |
        (iv === undefined ? 0 : HAS_IV | (stepsOf(iv) === null ? IS_DOUBLE_IV : 0)) |
        (delta === undefined ? 0 : HAS_DELTA | (stepsOf(delta) === null ? IS_DOUBLE_DELTA : 0)),
    );
    if (bids !== null) writer.levels(bids);
    if (asks !== null) writer.levels(asks);
    if (iv !== undefined) writer.annotation(iv);
    if (delta !== undefined) writer.annotation(delta);
  }
  return writer.bytes();
}

/** Throws for bytes of another shape. */
export function decodeSetRows(bytes: Uint8Array): MicrosQuote[] {
  const reader = new Reader(bytes);
  const rows: MicrosQuote[] = [];
  let sid = 0;
  for (let left = reader.varint(); left > 0; left--) {
    sid += reader.signed();
    if (!(sid >= 0 && sid <= SID_MAX)) throw new Error('a sid past 32 bits');
    const has = reader.u8();
    if (has > HAS_ALL) throw new Error('a row with unknown fields');
    const bids = has & HAS_BIDS ? reader.levels() : null;
    const asks = has & HAS_ASKS ? reader.levels() : null;
    const row: { -readonly [name in keyof MicrosQuote]: MicrosQuote[name] } = { sid, bids, asks };
    if (has & HAS_IV) row.iv = reader.annotation((has & IS_DOUBLE_IV) !== 0);
    if (has & HAS_DELTA) row.delta = reader.annotation((has & IS_DOUBLE_DELTA) !== 0);
    rows.push(row);
  }
  reader.end();
  return rows;
}

/** An annotation in ten-thousandths, or null where that is not exactly the same number. */
function stepsOf(value: number): number | null {
  // Adding zero turns a negative zero, which would not come back, into zero.
  const steps = Math.round(value * ANNOTATION_STEPS) + 0;
  return Math.abs(steps) < STEPS_MAX && Object.is(steps / ANNOTATION_STEPS, value) ? steps : null;
}

/** How many decimal zeros all amounts end with. */
function zerosOf(levels: readonly MicrosLevel[], part: 0 | 1): number {
  let zeros = ZEROS_MAX;
  for (const level of levels) {
    let rest = level[part];
    let own = 0;
    for (; own < zeros && rest % 10 === 0; own++) rest /= 10;
    zeros = own;
  }
  return zeros;
}

class Writer {
  readonly #bytes: number[] = [];

  u8(value: number): void {
    this.#bytes.push(value);
  }

  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new Error(`an amount that is not exact: ${value}`);
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#bytes.push((rest % 0x80) | 0x80);
    this.#bytes.push(rest);
  }

  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  levels(levels: readonly MicrosLevel[]): void {
    this.varint(levels.length);
    if (levels.length === 0) return;
    const [prices, sizes] = [zerosOf(levels, 0), zerosOf(levels, 1)];
    this.u8(prices + 16 * sizes);
    for (const [price, size] of levels) {
      this.varint(price / UNITS[prices]!);
      this.varint(size / UNITS[sizes]!);
    }
  }

  annotation(value: number): void {
    const steps = stepsOf(value);
    if (steps === null) this.#double(value);
    else this.signed(steps);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  #double(value: number): void {
    const bytes = new Uint8Array(DOUBLE_BYTES);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.#bytes.push(...bytes);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  u8(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Error('the rows break off');
    this.#at += 1;
    return byte;
  }

  varint(): number {
    let value = 0;
    for (let unit = 1; unit <= MICROS_MAX; unit *= 0x80) {
      const byte = this.u8();
      value += (byte & 0x7f) * unit;
      if (byte <= 0x7f) return this.#exact(value);
    }
    throw new Error('a number of too many bytes');
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  levels(): MicrosLevel[] {
    const count = this.varint();
    if (count === 0) return [];
    const zeros = this.u8();
    const [priceUnit, sizeUnit] = [UNITS[zeros % 16]!, UNITS[zeros >> 4]!];
    const levels: MicrosLevel[] = [];
    for (let k = 0; k < count; k++)
      levels.push([this.#exact(this.varint() * priceUnit), this.#exact(this.varint() * sizeUnit)]);
    return levels;
  }

  annotation(isDouble: boolean): number {
    if (!isDouble) return this.signed() / ANNOTATION_STEPS;
    const from = this.#at;
    this.#at += DOUBLE_BYTES;
    if (this.#at > this.#bytes.length) throw new Error('the rows break off');
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + from).getFloat64(0, true);
  }

  end(): void {
    if (this.#at < this.#bytes.length) throw new Error('bytes after the last row');
  }

  #exact(value: number): number {
    if (value > MICROS_MAX) throw new Error(`an amount that is not exact: ${value}`);
    return value;
  }
}
