/**
 * Compresses snapshots synchronously: threads finish in any order, and a simulation must be reproducible. Import it
 * before anything that imports `node:zlib`.
 */

import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

type Callback = (error: Error | null, result?: Buffer) => void;

function inPlace(work: (input: zlib.InputType) => Buffer) {
  return (input: zlib.InputType, callback: Callback) => {
    try {
      const result = work(input);
      process.nextTick(() => callback(null, result));
    } catch (error) {
      process.nextTick(() => callback(error as Error));
    }
  };
}

Object.assign(zlib, {
  zstdCompress: inPlace((input) => zlib.zstdCompressSync(input)),
  zstdDecompress: inPlace((input) => zlib.zstdDecompressSync(input)),
});
syncBuiltinESMExports();
