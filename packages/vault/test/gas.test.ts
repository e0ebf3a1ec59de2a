import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gasTable } from './gas.ts';

test('the gas table says what each act costs now', async () => {
  const committed = readFileSync(new URL('../GAS.md', import.meta.url), 'utf8');
  assert.equal(await gasTable(), committed, 'stale: run sh scripts/launch.sh packages/vault/scripts/gas.ts');
});
