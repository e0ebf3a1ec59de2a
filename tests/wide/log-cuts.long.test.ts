/** Power cuts of the log, simulated on images of its disk, at some of the bytes; the night tries many more. */

// @seconds 6

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { KilledLog } from '../../packages/log/test/killed-log.ts';
import { failedFlushCuts } from '../faults/failed-flush.ts';
import { whyNoFlushError } from '../faults/flush-error.ts';
import { isInstalled, skipBecause } from '../faults/machine.ts';
import { assertEarlyFlipsFound, assertFlipsFound, assertTornFound, COMMITS } from './log-cuts.ts';

test('LOG-1: a flush fails, the log is opened again and acknowledges, the power is cut: nothing is lost', {
  skip: skipBecause(whyNoFlushError(), { optional: isInstalled('strace') }),
}, async (t) => {
  const { faults, cuts, acknowledged } = await failedFlushCuts(12);
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

  test('torn at some bytes of its last frame, and of earlier ones, is silently ignored, or refused if those were noted', () =>
    assertTornFound(log, { last: 61, elsewhere: 2_039 }));

  test('with a flipped bit is refused, or as good as before', () => assertFlipsFound(log, 2_039));

  test('with a flipped bit before later commits is refused even without a noted head', () =>
    assertEarlyFlipsFound(log, 311));
});
