/** Damage to the WAL of a killed log, at as many places as asked for. */

import assert from 'node:assert/strict';
import { headFileOf, readHead } from '../../packages/log/src/sqlite/head.ts';
import { flipped, type KilledLog } from '../../packages/log/test/killed-log.ts';

export const COMMITS = 4;
const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4096;

interface Steps {
  /** In the last frame every n-th byte is tried, */
  readonly last: number;
  /** and every n-th elsewhere. */
  readonly elsewhere: number;
}

/** Torn anywhere it is silently ignored, or refused if what is lost was noted. */
export function assertTornFound(log: KilledLog, { last, elsewhere }: Steps): void {
  const wal = log.files['-wal']!;
  const isLast = (length: number) => length >= wal.length - FRAME_BYTES;
  for (let length = 0; length < wal.length; length += isLast(length) ? last : elsewhere) {
    const torn = wal.subarray(0, length);
    if (length % elsewhere === 0)
      assert.equal(typeof log.open({ '-wal': torn }), 'object', `${length} bytes, noted`);
    assert.equal(log.open({ '-wal': torn, '-head': undefined }), 'lost', `${length} bytes`);
    const head = readHead(headFileOf(log.path));
    assert.ok(typeof head !== 'string' && head.seq >= COMMITS / 2, `${length} bytes`);
  }
}

/** A flipped bit is refused, or without effect. */
export function assertFlipsFound(log: KilledLog, step: number): void {
  const wal = log.files['-wal']!;
  for (let at = 0; at < wal.length; at += step)
    assert.notEqual(log.open({ '-wal': flipped(wal, at) }), 'lost', `byte ${at}`);
}

/** Before later commits it is refused even without a noted head. */
export function assertEarlyFlipsFound(log: KilledLog, step: number): void {
  const wal = log.files['-wal']!;
  for (let at = HEADER_BYTES; at < HEADER_BYTES + FRAME_BYTES; at += step)
    assert.equal(typeof log.open({ '-wal': flipped(wal, at), '-head': undefined }), 'object', `byte ${at}`);
}
