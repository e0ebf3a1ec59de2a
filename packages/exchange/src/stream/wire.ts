/** Text frames as a server sends them over a WebSocket (RFC 6455): whole, and not masked. */

import { constants, deflateRawSync } from 'node:zlib';

/** The first byte of a whole text message, and of one that is compressed (RFC 7692). */
const WHOLE_TEXT = 0x81;
const WHOLE_DEFLATED_TEXT = 0xc1;
const LENGTH_MAX = 125;
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;

/** Frames encoded once, for writing to many clients. */
export class FrameBytes {
  readonly bytes: Buffer;
  readonly count: number;

  constructor(texts: readonly Buffer[]) {
    this.bytes = Buffer.concat(texts.flatMap((text) => [headerOf(text.length), text]));
    this.count = texts.length;
  }
}

/** Shorter messages are not worth compressing. */
const DEFLATED_BYTES_MIN = 2_048;
/** A compressed message would always end with the same bytes, which RFC 7692 leaves out. */
const DEFLATED_END_BYTES = 4;
const DEFLATE = { level: 1, finishFlush: constants.Z_SYNC_FLUSH };

/** One message in the two forms that clients take, each made once for all of them. */
export class MessageBytes {
  readonly plain: Buffer;
  readonly #text: Buffer;
  #deflated: Buffer | null = null;

  constructor(text: string) {
    this.#text = Buffer.from(text);
    this.plain = Buffer.concat([headerOf(this.#text.length), this.#text]);
  }

  /** For clients that negotiated compression without taking over the context of earlier messages. */
  get deflated(): Buffer {
    this.#deflated ??= this.#text.length < DEFLATED_BYTES_MIN ? this.plain : deflatedOf(this.#text);
    return this.#deflated;
  }
}

function deflatedOf(text: Buffer): Buffer {
  const whole = deflateRawSync(text, DEFLATE);
  const body = whole.subarray(0, whole.length - DEFLATED_END_BYTES);
  return Buffer.concat([headerOf(body.length, WHOLE_DEFLATED_TEXT), body]);
}

function headerOf(length: number, first = WHOLE_TEXT): Buffer {
  if (length <= LENGTH_MAX) return Buffer.from([first, length]);
  if (length < 2 ** 16) {
    const header = Buffer.from([first, LENGTH_IN_TWO_BYTES, 0, 0]);
    header.writeUInt16BE(length, 2);
    return header;
  }
  const header = Buffer.alloc(10);
  header[0] = first;
  header[1] = LENGTH_IN_EIGHT_BYTES;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
