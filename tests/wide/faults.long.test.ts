/** Faults of the disk under a real exchange; further ones, their variants and rounds are left to the night. */

// @seconds 33

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DamageRun, damagedLog, damagedSnapshot } from '../faults/damage.ts';
import { flushErrors, LAST_WORDS, whyNoFlushError } from '../faults/flush-error.ts';
import { isInstalled, skipBecause } from '../faults/machine.ts';
import { diskCuts, whyNoPowerCut } from '../faults/power-cut.ts';

// Where strace is installed but not permitted, no package helps; nor where disks cannot be made.
const noFlushError = skipBecause(whyNoFlushError(), { optional: isInstalled('strace') });
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
