/** Disk faults under a real exchange, in short; the scripts under `tests/faults` have the long runs. */

// @seconds 154

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ALL_DAMAGES, DamageRun, damagedLog, damagedSnapshot } from '../faults/damage.ts';
import { flushErrors, whyNoFlushError } from '../faults/flush-error.ts';
import { fullDisk, whyNoFullDisk } from '../faults/full-disk.ts';
import { isInstalled, skipBecause } from '../faults/machine.ts';
import { diskCuts, whyNoPowerCut } from '../faults/power-cut.ts';
import { shortWrites } from '../faults/short-write.ts';

// Where strace is installed but not permitted, no package helps; nor where mounting is not permitted.
const noFlushError = skipBecause(whyNoFlushError(), { optional: isInstalled('strace') });
const noFullDisk = skipBecause(whyNoFullDisk(), { optional: true });
const noPowerCut = skipBecause(whyNoPowerCut(), { optional: true });

/** Output of a process that lost its disk: exactly one line. */
const LAST_WORDS = /^venue: the log could not be [^\n]*; check the disk, then start[^\n]*$/;

test('a failed flush ends the process with one line, and loses nothing', {
  skip: noFlushError,
}, async (t) => {
  const { faults, lines, acknowledged } = await flushErrors([1, 12]);
  assert.deepEqual(faults, []);
  assert.equal(lines.length, 2);
  for (const line of lines) assert.match(line, LAST_WORDS);
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
  const { faults, refused, resumedMs } = await fullDisk(2);
  assert.deepEqual(faults, []);
  assert.ok(refused >= 40, `${refused}`);
  t.diagnostic(`resumed after ${resumedMs} ms`);
});

const CUTS = [
  ['power', 'after a power cut everything acknowledged is there'],
  ['disk', 'after the disk is gone everything is there that was acknowledged before it began to go'],
] as const;
for (const [kind, title] of CUTS) {
  test(title, { skip: noPowerCut }, async (t) => {
    const { faults, acknowledged, late, lines } = await diskCuts(kind, 1);
    assert.deepEqual(faults, []);
    assert.equal(lines.length, kind === 'disk' ? 1 : 0);
    for (const line of lines) assert.match(line, LAST_WORDS);
    t.diagnostic(`${acknowledged} acknowledged, ${late} of them while the disk went`);
  });
}

describe('a damaged log', () => {
  const run = new DamageRun();
  before(() => run.prepare());
  after(() => run.end());

  test('in its newest snapshot: it is named, and the older one used', async () => {
    assert.deepEqual(await damagedSnapshot(run), []);
  });
  for (const damage of ALL_DAMAGES) {
    test(`LOG-2: ${damage}: the start is refused, and names the entry`, async () => {
      assert.deepEqual(await damagedLog(run, damage), []);
    });
  }
});
