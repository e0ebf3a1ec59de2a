/**
 * Compresses snapshots synchronously: threads finish in any order, and a simulation must be reproducible. Import it
 * before anything that imports `node:zlib`.
 */

import { syncBuiltinESMExports } from 'node:module';
import { Transform } from 'node:stream';
import zlib from 'node:zlib';

/** Does all of its work at the end, with the whole input in one piece. */
class InPlace extends Transform {
  bytesWritten = 0;
  readonly #work: (input: Buffer) => Buffer;
  readonly #input: Buffer[] = [];

  constructor(work: (input: Buffer) => Buffer) {
    super();
    this.#work = work;
  }

  override _transform(piece: Buffer, _encoding: string, done: () => void): void {
    this.bytesWritten += piece.length;
    this.#input.push(piece);
    done();
  }

  override _flush(done: (error: Error | null, output?: Buffer) => void): void {
    try {
      done(null, this.#work(Buffer.concat(this.#input)));
    } catch (error) {
      done(error as Error);
    }
  }
}

// Node's own cannot be assigned to.
Object.defineProperties(zlib, {
  createZstdCompress: { value: () => new InPlace((input) => zlib.zstdCompressSync(input)) },
  createZstdDecompress: { value: () => new InPlace((input) => zlib.zstdDecompressSync(input)) },
});
syncBuiltinESMExports();
