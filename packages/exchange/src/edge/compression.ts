/** Compresses longer answers for clients that accept it. */

import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { WaitingLine } from '../auth/waiting-line.ts';
import { type Coding, takes } from '../http/codings.ts';
import { FilePart } from '../http/file-part.ts';
import { JSON_TYPE } from '../http/route.ts';
import type { Outgoing } from './handling.ts';

/** A shorter answer fits into a packet or two as it is. */
const BYTES_MIN = 1_024;
/** A chain of 60 kB is compressed to a tenth of it in a millisecond. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 };
const GZIP_LEVEL = 4;
/**
 * Answers that may wait to be compressed. Further ones go out uncompressed, because a compressor takes a megabyte.
 */
const WAITING_MAX = 8;

const COMPRESS: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: BROTLI }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
};

export class Compressor {
  readonly #line = new WaitingLine(WAITING_MAX);
  /** Compressed forms of bytes that are kept, and so sent again. */
  readonly #kept = new WeakMap<Uint8Array, Map<Coding, Promise<Buffer | null>>>();

  /** The coding that the client accepts; `none` for uncompressed, null if the answer is never compressed. */
  codingFor({ method, headers }: IncomingMessage, outgoing: Outgoing): Coding | 'none' | null {
    const { status, contentType, payload } = outgoing;
    if (method === 'POST' || status !== 200 || payload instanceof FilePart) return null;
    if (payload.length < BYTES_MIN) return null;
    // A page with its own `vary` already handles compression.
    if (contentType !== JSON_TYPE || outgoing.headers?.vary !== undefined) return null;
    const accepted = headers['accept-encoding'];
    if (accepted === undefined) return 'none';
    return (['br', 'gzip'] as const).find((coding) => takes(coding, accepted)) ?? 'none';
  }

  /** The compressed bytes, or null if the answer should go out uncompressed. */
  compress(payload: string | Uint8Array, coding: Coding): Promise<Buffer | null> {
    if (typeof payload === 'string') return this.#inTurn(Buffer.from(payload), coding);
    let codings = this.#kept.get(payload);
    if (codings === undefined) {
      codings = new Map();
      this.#kept.set(payload, codings);
    }
    const kept = codings.get(coding);
    if (kept !== undefined) return kept;
    const made = this.#inTurn(payload, coding);
    codings.set(coding, made);
    made.then((bytes) => {
      // Lets a later answer try again.
      if (bytes === null) codings.delete(coding);
    });
    return made;
  }

  #inTurn(bytes: Uint8Array, coding: Coding): Promise<Buffer | null> {
    return this.#line.run(coding, () => COMPRESS[coding](bytes)).catch(() => null);
  }
}
