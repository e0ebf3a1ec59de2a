import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EntryWaits } from './entry-waits.ts';

test('STR-4, FOL-5: one who names an entry waits until the node has it, and 5 s at most', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const waits = new EntryWaits();
  let seq = 7;
  assert.equal(await waits.until(() => seq >= 7), true);
  const soon = waits.until(() => seq >= 8);
  const never = waits.until(() => seq >= 9);
  t.mock.timers.tick(4_999);
  seq = 8;
  waits.applied();
  assert.equal(await soon, true);
  const later = waits.until(() => seq >= 9);
  t.mock.timers.tick(1);
  assert.equal(await never, false);
  waits.stop();
  assert.equal(await later, false);
});
