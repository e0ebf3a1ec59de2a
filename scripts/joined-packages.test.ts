import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { preloadOfJoined } from './joined-packages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The output of a program that runs in a folder with the joined packages preloaded. */
async function printed(program: string, cwd: string): Promise<string> {
  const args = [await preloadOfJoined(), '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout.trim();
}

describe('packages joined for test runs', () => {
  it('have the exports of the packages, and the same object whichever way it comes', async () => {
    const program = `
      import * as chosen from 'viem';
      import * as whole from './node_modules/viem/_esm/index.js';
      import { keccak256 } from 'viem/utils';
      const isJoined = import.meta.resolve('viem').includes('/joined-');
      const lacks = Object.keys(whole).filter((name) => !(name in chosen));
      console.log(isJoined, chosen.keccak256 === keccak256, lacks.join());`;
    assert.equal(await printed(program, ROOT), 'true true');
  });

  it('are not those of another project', async () => {
    const other = fileURLToPath(new URL('../node_modules/viem', import.meta.url));
    const found = await printed("console.log(import.meta.resolve('@noble/hashes/utils.js'))", other);
    assert.doesNotMatch(found, /joined-/);
  });
});
