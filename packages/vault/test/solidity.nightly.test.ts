/** The contracts' own tests with many more rounds of each fuzz and invariant test. */

// @seconds 300

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runForgeTests } from './forge.ts';

test('the contracts hold under the wide profile', async (t) => {
  const { passed, failed } = await runForgeTests({ profile: 'wide' });
  t.diagnostic(`forge: ${passed.length} passed, ${failed.length} failed`);
  assert.deepEqual(failed, []);
  assert.ok(passed.length >= 120, `only ${passed.length} tests ran`);
});
