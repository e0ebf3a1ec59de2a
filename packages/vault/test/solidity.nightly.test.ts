/** The contracts by the compiler from npm, and their own tests with many more rounds of each fuzz and invariant test. */

// @seconds 300

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compiledFiles } from '../scripts/solidity.ts';
import { runForgeTests } from './forge.ts';

test('the committed artifacts and the ABI match the compiled sources', () => {
  for (const [path, text] of compiledFiles())
    assert.ok(
      text === readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'),
      `${path} is stale: run sh scripts/launch.sh packages/vault/scripts/compile.ts`,
    );
});

test('the contracts hold under the wide profile', async (t) => {
  const { passed, failed } = await runForgeTests({ profile: 'wide' });
  t.diagnostic(`forge: ${passed.length} passed, ${failed.length} failed`);
  assert.deepEqual(failed, []);
  assert.ok(passed.length >= 120, `only ${passed.length} tests ran`);
});
