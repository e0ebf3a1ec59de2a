import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gasTable } from './gas.ts';

test('the gas table gives the current cost of each act', async () => {
  const committed = readFileSync(new URL('../GAS.md', import.meta.url), 'utf8');
  assert.equal(await gasTable(), committed, 'stale: run sh scripts/launch.sh packages/vault/scripts/gas.ts');
});
