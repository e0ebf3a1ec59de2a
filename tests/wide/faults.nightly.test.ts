/** The variants of the faults of `faults.long.test.ts`; the scripts under `tests/faults` have more rounds. */

// @seconds 120

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ALL_DAMAGES, DamageRun, damagedLog } from '../faults/damage.ts';
import { flushErrors, LAST_WORDS, whyNoFlushError } from '../faults/flush-error.ts';
import { fullDisk, whyNoFullDisk } from '../faults/full-disk.ts';
import { isInstalled, skipBecause } from '../faults/machine.ts';
import { diskCuts, whyNoPowerCut } from '../faults/power-cut.ts';

// Where strace is installed but not permitted, no package helps; nor where mounting is not permitted.
const noFlushError = skipBecause(whyNoFlushError(), { optional: isInstalled('strace') });
const noFullDisk = skipBecause(whyNoFullDisk(), { optional: true });
const noPowerCut = skipBecause(whyNoPowerCut(), { optional: true });
const FLUSHES = [1, 2, 12, 60];

test('a failed flush, soon or late, ends the process with one line each time', {
  skip: noFlushError,
}, async () => {
  const { faults, lines } = await flushErrors(FLUSHES);
  assert.deepEqual(faults, []);
  assert.equal(lines.length, FLUSHES.length);
  for (const line of lines) assert.match(line, LAST_WORDS);
});

test('HTTP-3: a disk that is full again and again is no more than that', { skip: noFullDisk }, async () => {
  const { faults, resumedMs } = await fullDisk(3);
  assert.deepEqual(faults, []);
  assert.equal(resumedMs.length, 3);
});

test('after three power cuts everything acknowledged is there', { skip: noPowerCut }, async () => {
  const { faults, lines } = await diskCuts('power', 3);
  assert.deepEqual(faults, []);
  assert.deepEqual(lines, []);
});

test('after the disk is gone everything is there that was acknowledged before it began to go', {
  skip: noPowerCut,
}, async (t) => {
  const { faults, acknowledged, late, lines } = await diskCuts('disk', 2);
  assert.deepEqual(faults, []);
  assert.equal(lines.length, 2);
  for (const line of lines) assert.match(line, LAST_WORDS);
  t.diagnostic(`${acknowledged} acknowledged, ${late} of them while the disk went`);
});

describe('a damaged log', () => {
  const run = new DamageRun();
  before(() => run.prepare());
  after(() => run.end());

  for (const damage of ALL_DAMAGES) {
    test(`LOG-2: ${damage}: the start is refused, and names the entry`, async () => {
      assert.deepEqual(await damagedLog(run, damage), []);
    });
  }
});
