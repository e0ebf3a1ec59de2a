/** A part of a file as the body of an answer: read as fast as the client takes it, so that a large file costs little memory. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

const CHUNK_BYTES = 65_536;
/** A client that takes nothing for so long is cut off; it may go on with a range. */
const STALLED_MS = 60_000;

export class FilePart {
  readonly byteLength: number;
  readonly #path: string;
  readonly #from: number;

  /** `from` is the place of the first byte. */
  constructor(path: string, from: number, byteLength: number) {
    this.#path = path;
    this.#from = from;
    this.byteLength = byteLength;
  }

  /** Sends the bytes as the rest of a response. One that cannot be completed costs its connection. */
  async sendTo(response: ServerResponse, { stalledMs = STALLED_MS } = {}): Promise<void> {
    response.setTimeout(stalledMs, () => response.destroy());
    try {
      await pipeline(this.#chunks(), response);
    } catch {
      // Without all its bytes the answer must not look complete.
      response.destroy();
    }
  }

  async *#chunks(): AsyncGenerator<Buffer, void> {
    const file = await open(this.#path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const end = this.#from + this.byteLength;
      for (let at = this.#from; at < end; ) {
        const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
        const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
        if (bytesRead === 0) throw new Error(`${this.#path} ends before byte ${end}`);
        yield chunk.subarray(0, bytesRead);
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  }
}
