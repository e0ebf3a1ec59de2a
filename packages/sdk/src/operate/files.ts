/** The venue's daily files: trades, candles and settlements of every finished day (FIL-1). */

import { bytesToHex, sha256 } from '@venue/protocol';
import { DamagedFileError } from '../net/errors.ts';
import type { Transport } from '../net/transport.ts';

/** Parts in which a file is asked for, so that each has its own time limit and a lost connection costs no more than one. */
const PART_BYTES = 2 * 1_048_576;

export interface DailyFile {
  /** Such as `trades.parquet`. */
  readonly name: string;
  readonly bytes: number;
  /** 64 hex digits. */
  readonly sha256: string;
}

export interface FileDay {
  /** In UTC, such as `2026-11-24`. */
  readonly day: string;
  readonly files: readonly DailyFile[];
}

export class FileReads {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The days that the venue has files of, oldest first. A day is there soon after it has ended. Throws `NotFoundError` at a
   * venue that keeps none.
   *
   * @example (await venue.files.days()).at(-1)?.files.map(({ name }) => name)
   */
  async days(): Promise<readonly FileDay[]> {
    return (await this.#transport.get<{ readonly days: readonly FileDay[] }>('/files/index.json')).days;
  }

  /**
   * The bytes of a file, as they come. Once all are there they are compared with its hash: if they differ it throws
   * `DamagedFileError`, so use none of them before the end. Throws `NotFoundError` if the venue no longer has the file.
   *
   * @example
   * for (const { day, files } of await venue.files.days())
   *   for (const file of files) for await (const part of venue.files.download(day, file)) console.log(day, file.name, part.length);
   */
  async *download(
    day: string,
    { name, bytes, sha256: expected }: DailyFile,
  ): AsyncGenerator<Uint8Array, void> {
    const hash = sha256.create();
    for (let at = 0; at < bytes; ) {
      const until = Math.min(at + PART_BYTES, bytes);
      const part = await this.#part(`/files/${day}/${name}`, at, until);
      hash.update(part);
      yield part;
      at = until;
    }
    const found = bytesToHex(hash.digest());
    if (found !== expected)
      throw new DamagedFileError(
        `${name} of ${day} arrived damaged: its SHA-256 is ${found}, not ${expected}`,
      );
  }

  async #part(path: string, from: number, until: number): Promise<Uint8Array> {
    const part = await this.#transport.getBytes(path, { headers: { range: `bytes=${from}-${until - 1}` } });
    if (part.length !== until - from)
      throw new DamagedFileError(`${path} has ${part.length} bytes from ${from} on, and not ${until - from}`);
    return part;
  }
}
