/** Text frames as a server sends them over a WebSocket (RFC 6455): whole, not masked, not compressed. */

/** The first byte of a whole text message. */
const WHOLE_TEXT = 0x81;
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

function headerOf(length: number): Buffer {
  if (length <= LENGTH_MAX) return Buffer.from([WHOLE_TEXT, length]);
  if (length < 2 ** 16) {
    const header = Buffer.from([WHOLE_TEXT, LENGTH_IN_TWO_BYTES, 0, 0]);
    header.writeUInt16BE(length, 2);
    return header;
  }
  const header = Buffer.alloc(10);
  header[0] = WHOLE_TEXT;
  header[1] = LENGTH_IN_EIGHT_BYTES;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
