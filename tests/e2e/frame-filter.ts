/** Drops messages of a WebSocket on their way from the server, as a proxy with a fault of its own does. */

import { Transform, type TransformCallback } from 'node:stream';

const HEAD_END = '\r\n\r\n';
const LENGTH_MASK = 0x7f;
const OPCODE_MASK = 0x0f;
const TEXT = 1;
const IN_TWO_BYTES = 126;

export interface FrameFilterOptions {
  /** Told of every text message; returns true for one that is to be dropped. */
  readonly drops: (text: string) => boolean;
}

/** Takes the bytes of a server that compresses nothing, its handshake first. */
export class FrameFilter extends Transform {
  readonly #drops: (text: string) => boolean;
  #rest = Buffer.alloc(0);
  #isOpen = false;

  constructor({ drops }: FrameFilterOptions) {
    super();
    this.#drops = drops;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    if (!this.#isOpen) this.#shakeHands();
    for (let frame = this.#next(); frame !== null; frame = this.#next())
      if (!this.#isDropped(frame)) this.push(frame);
    done();
  }

  #shakeHands(): void {
    const end = this.#rest.indexOf(HEAD_END);
    if (end < 0) return;
    this.#isOpen = true;
    this.push(this.#rest.subarray(0, end + HEAD_END.length));
    this.#rest = this.#rest.subarray(end + HEAD_END.length);
  }

  #next(): Buffer | null {
    const { length } = this.#rest;
    const end = this.#isOpen && length >= 2 ? bodyAt(this.#rest) + lengthOf(this.#rest) : Infinity;
    if (end > length) return null;
    const frame = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    return frame;
  }

  #isDropped(frame: Buffer): boolean {
    return (frame[0]! & OPCODE_MASK) === TEXT && this.#drops(frame.toString('utf8', bodyAt(frame)));
  }
}

function bodyAt(frame: Buffer): number {
  const short = frame[1]! & LENGTH_MASK;
  return short < IN_TWO_BYTES ? 2 : short === IN_TWO_BYTES ? 4 : 10;
}

/** Infinite while the bytes that say it have not all come. */
function lengthOf(frame: Buffer): number {
  if (frame.length < bodyAt(frame)) return Infinity;
  const short = frame[1]! & LENGTH_MASK;
  if (short < IN_TWO_BYTES) return short;
  return short === IN_TWO_BYTES ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
}
