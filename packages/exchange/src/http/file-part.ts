/** A part of a file as the body of an answer: read as fast as the client takes it, so that a large file costs little memory. */

import { constants, createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

/** A client that takes nothing for so long is cut off; it may go on with a range. */
const STALLED_MS = 60_000;

export class FilePart {
  readonly #path: string;
  readonly #from: number;
  readonly byteLength: number;

  /** `from` is the place of the first byte. */
  constructor(path: string, from: number, byteLength: number) {
    this.#path = path;
    this.#from = from;
    this.byteLength = byteLength;
  }

  /** Sends the bytes as the rest of a response. One that cannot be completed costs its connection. */
  sendTo(response: ServerResponse, { stalledMs = STALLED_MS } = {}): void {
    if (this.byteLength === 0) {
      response.end();
      return;
    }
    response.setTimeout(stalledMs, () => response.destroy());
    const bytes = createReadStream(this.#path, {
      flags: constants.O_RDONLY | constants.O_NOFOLLOW,
      start: this.#from,
      end: this.#from + this.byteLength - 1,
    } as Parameters<typeof createReadStream>[1]);
    let sent = 0;
    bytes.on('data', (chunk) => {
      sent += chunk.length;
    });
    pipeline(bytes, response, { end: false }, (error) => {
      // Without all its bytes the answer must not look complete.
      if (error || sent !== this.byteLength) response.destroy();
      else response.end();
    });
  }
}
