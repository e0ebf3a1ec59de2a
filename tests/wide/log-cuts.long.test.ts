/** Power cuts of the log, simulated on images of its disk; the scripts under `tests/faults` have the long runs. */

// @seconds 27

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { headFileOf, readHead } from '../../packages/log/src/sqlite/head.ts';
import { flipped, KilledLog } from '../../packages/log/test/killed-log.ts';
import { failedFlushCuts } from '../faults/failed-flush.ts';
import { whyNoFlushError } from '../faults/flush-error.ts';
import { isInstalled, skipBecause } from '../faults/machine.ts';

const COMMITS = 4;
const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4096;
/** Elsewhere only every n-th byte is tried. */
const STEP = 509;

test('LOG-1: a flush fails, the log is opened again and acknowledges, the power is cut: nothing is lost', {
  skip: skipBecause(whyNoFlushError(), { optional: isInstalled('strace') }),
}, async (t) => {
  const { faults, cuts, acknowledged } = await failedFlushCuts(60);
  assert.deepEqual(faults, []);
  assert.ok(acknowledged[0] > 0 && acknowledged[1] > acknowledged[0], `${acknowledged}`);
  t.diagnostic(`${cuts} cuts, acknowledged ${acknowledged}`);
});

describe('LOG-2: the WAL', () => {
  let log: KilledLog;
  before(() => {
    log = new KilledLog(COMMITS);
  });
  after(() => log.remove());

  test('torn at every byte of its last frame, and at many earlier ones, is silently ignored, or refused if those were noted', () => {
    const wal = log.files['-wal']!;
    const isLast = (length: number) => length >= wal.length - FRAME_BYTES;
    for (let length = 0; length < wal.length; length += isLast(length) ? 1 : STEP) {
      const torn = wal.subarray(0, length);
      if (length % STEP === 0)
        assert.equal(typeof log.open({ '-wal': torn }), 'object', `${length} bytes, noted`);
      assert.equal(log.open({ '-wal': torn, '-head': undefined }), 'lost', `${length} bytes`);
      const head = readHead(headFileOf(log.path));
      assert.ok(typeof head !== 'string' && head.seq >= COMMITS / 2, `${length} bytes`);
    }
  });

  test('with a flipped bit is refused, or as good as before', () => {
    const wal = log.files['-wal']!;
    for (let at = 0; at < wal.length; at += STEP)
      assert.notEqual(log.open({ '-wal': flipped(wal, at) }), 'lost', `byte ${at}`);
  });

  test('with a flipped bit before later commits is refused even without a noted head', () => {
    const wal = log.files['-wal']!;
    for (let at = HEADER_BYTES; at < HEADER_BYTES + FRAME_BYTES; at += 61)
      assert.equal(typeof log.open({ '-wal': flipped(wal, at), '-head': undefined }), 'object', `byte ${at}`);
  });
});
