/** One fault of the disk of each kind under a real exchange; their variants and rounds are left to the night. */

// @seconds 60

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DamageRun, damagedLog, damagedSnapshot } from '../faults/damage.ts';
import { flushErrors, LAST_WORDS, whyNoFlushError } from '../faults/flush-error.ts';
import { fullDisk, whyNoFullDisk } from '../faults/full-disk.ts';
import { isInstalled, skipBecause } from '../faults/machine.ts';
import { diskCuts, whyNoPowerCut } from '../faults/power-cut.ts';
import { shortWrites } from '../faults/short-write.ts';

// Where strace is installed but not permitted, no package helps; nor where mounting is not permitted.
const noFlushError = skipBecause(whyNoFlushError(), { optional: isInstalled('strace') });
const noFullDisk = skipBecause(whyNoFullDisk(), { optional: true });
const noPowerCut = skipBecause(whyNoPowerCut(), { optional: true });

test('a failed flush ends the process with one line, and loses nothing', {
  skip: noFlushError,
}, async (t) => {
  const { faults, lines, acknowledged } = await flushErrors([3]);
  assert.deepEqual(faults, []);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, LAST_WORDS);
  t.diagnostic(`${acknowledged} acknowledged`);
});

test('a short write is continued; without room for its rest the process ends with one line', {
  skip: noFlushError,
}, async (t) => {
  const { faults, line, short, acknowledged } = await shortWrites();
  assert.deepEqual(faults, []);
  assert.ok(short.length > 0, 'a write was short');
  assert.match(line, LAST_WORDS);
  t.diagnostic(`${acknowledged} acknowledged, short: ${short.join('; ')}`);
});

test('HTTP-3: a full disk answers writes with 500, reads continue, and so do writes once there is room', {
  skip: noFullDisk,
}, async (t) => {
  const { faults, refused, resumedMs } = await fullDisk(1);
  assert.deepEqual(faults, []);
  assert.ok(refused >= 20, `${refused}`);
  t.diagnostic(`resumed after ${resumedMs} ms`);
});

test('after a power cut everything acknowledged is there', { skip: noPowerCut }, async (t) => {
  const { faults, acknowledged, lines } = await diskCuts('power', 1);
  assert.deepEqual(faults, []);
  assert.deepEqual(lines, []);
  t.diagnostic(`${acknowledged} acknowledged`);
});

describe('a damaged log', () => {
  const run = new DamageRun();
  before(() => run.prepare());
  after(() => run.end());

  test('in its newest snapshot: it is named, and the older one used', async () => {
    assert.deepEqual(await damagedSnapshot(run), []);
  });
  test('LOG-2: in an entry of the WAL: the start is refused, and names the entry', async () => {
    assert.deepEqual(await damagedLog(run, 'a byte of an entry in the WAL'), []);
  });
});
