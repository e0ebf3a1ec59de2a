/**
 * The body of a push to a quote set in the log. Makers push all day, so every field has its plain bytes:
 *
 *     account 20  set u8  form u8 (0 json, 1 sqw1)  body hash 32
 *     has u8: 1 a signature, 2 no rows, because all was refused
 *     [session key 20  nonce f64  signature 65]
 *     [rows]  as `set-rows-codec.ts` has them
 *
 * Numbers are little-endian.
 */

import { type Address, type Hex, type PushForm, QUOTE_SETS_MAX } from '@venue/protocol';
import type { Authorization, QuoteSetCommand } from './command.ts';
import { decodeSetRows, encodeSetRows } from './set-rows-codec.ts';

const ADDRESS_BYTES = 20;
const HASH_BYTES = 32;
const SIGNATURE_BYTES = 65;
const NONCE_BYTES = 8;
const IS_SIGNED = 1;
const IS_REFUSED = 2;
const HAS_ALL = IS_SIGNED | IS_REFUSED;
const NO_BYTES = new Uint8Array(0);
const FORMS: readonly PushForm[] = ['json', 'sqw1'];
const UNSIGNED_BYTES = ADDRESS_BYTES + 2 + HASH_BYTES + 1;
const SIGNED_BYTES = UNSIGNED_BYTES + ADDRESS_BYTES + NONCE_BYTES + SIGNATURE_BYTES;

/** Throws for a field that has no such bytes. */
export function encodeSetPush(command: QuoteSetCommand): Uint8Array {
  const { account, set, form, bodyHash, authorization, rows } = command;
  if (!isSetNumber(set)) throw new Error(`there is no set ${set}`);
  const push = rows === null ? NO_BYTES : encodeSetRows(rows);
  const size = authorization === undefined ? UNSIGNED_BYTES : SIGNED_BYTES;
  const writer = new Cursor(new Uint8Array(size + push.length));
  writer.put(account, ADDRESS_BYTES);
  writer.bytes.set([set, FORMS.indexOf(form)], writer.skip(2));
  writer.put(`0x${bodyHash}`, HASH_BYTES);
  const has = (authorization === undefined ? 0 : IS_SIGNED) | (rows === null ? IS_REFUSED : 0);
  writer.bytes[writer.skip(1)] = has;
  if (authorization !== undefined) {
    writer.put(authorization.sessionKey, ADDRESS_BYTES);
    writer.view.setFloat64(writer.skip(NONCE_BYTES), authorization.nonce, true);
    writer.put(authorization.signature, SIGNATURE_BYTES);
  }
  writer.bytes.set(push, size);
  return writer.bytes;
}

/** Throws for bytes of another shape. */
export function decodeSetPush(body: Uint8Array): QuoteSetCommand {
  const reader = new Cursor(body);
  const account = reader.take(ADDRESS_BYTES) as Address;
  const [set, formCode] = body.subarray(reader.skip(2));
  const bodyHash = reader.take(HASH_BYTES).slice(2);
  const has = body[reader.skip(1)]!;
  const form = FORMS[formCode ?? -1];
  if (form === undefined || set === undefined || !isSetNumber(set) || has > HAS_ALL)
    throw new Error('not the body of an entry of this kind');
  const authorization = has & IS_SIGNED ? authorizationOf(reader) : undefined;
  const rows = has & IS_REFUSED ? reader.end() : decodeSetRows(body.subarray(reader.at));
  return {
    kind: 'quote-set',
    account,
    ...(authorization !== undefined && { authorization }),
    ...{ set, form, bodyHash, rows },
  };
}

function isSetNumber(set: number): boolean {
  return Number.isInteger(set) && set >= 1 && set <= QUOTE_SETS_MAX;
}

function authorizationOf(reader: Cursor): Authorization {
  const sessionKey = reader.take(ADDRESS_BYTES) as Address;
  const nonce = reader.view.getFloat64(reader.skip(NONCE_BYTES), true);
  return { sessionKey, nonce, signature: reader.take(SIGNATURE_BYTES) };
}

class Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Passes that many bytes, and returns where they begin. Throws past the end. */
  skip(count: number): number {
    const from = this.at;
    if (from + count > this.bytes.length) throw new Error('the body breaks off');
    this.at = from + count;
    return from;
  }

  /** Nothing more. */
  end(): null {
    if (this.at < this.bytes.length) throw new Error('bytes after the last field');
    return null;
  }

  put(hex: string, size: number): void {
    const from = this.skip(size);
    if (!/^0x[0-9a-fA-F]*$/.test(hex) || hex.length !== 2 + 2 * size)
      throw new Error(`not ${size} bytes in hex: ${hex}`);
    for (let i = 0; i < size; i++)
      this.bytes[from + i] = Number.parseInt(hex.slice(2 + 2 * i, 4 + 2 * i), 16);
  }

  take(size: number): Hex {
    const from = this.skip(size);
    let hex = '';
    for (let i = from; i < from + size; i++) hex += this.bytes[i]!.toString(16).padStart(2, '0');
    return `0x${hex}`;
  }
}
