/**
 * Faults of the disk under a real exchange that `faults.long.test.ts` leaves to the night, and variants of those there;
 * the scripts under `tests/faults` have more rounds.
 */

// @seconds 150

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ALL_DAMAGES, DamageRun, damagedLog } from '../faults/damage.ts';
import { flushErrors, LAST_WORDS, whyNoFlushError } from '../faults/flush-error.ts';
import { fullDisk, whyNoFullDisk } from '../faults/full-disk.ts';
import { isInstalled, skipBecause } from '../faults/machine.ts';
import { diskCuts, whyNoPowerCut } from '../faults/power-cut.ts';
import { shortWrites } from '../faults/short-write.ts';

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

test('a short write is continued; without room for its rest the process ends with one line', {
  skip: noFlushError,
}, async (t) => {
  const { faults, line, short, acknowledged } = await shortWrites();
  assert.deepEqual(faults, []);
  assert.ok(short.length > 0, 'a write was short');
  assert.match(line, LAST_WORDS);
  t.diagnostic(`${acknowledged} acknowledged, short: ${short.join('; ')}`);
});

test('HTTP-3: a full disk answers writes with 500, reads continue, and so do writes once there is room, again and again', {
  skip: noFullDisk,
}, async () => {
  const { faults, refused, resumedMs } = await fullDisk(3);
  assert.deepEqual(faults, []);
  assert.ok(refused >= 20, `${refused}`);
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
