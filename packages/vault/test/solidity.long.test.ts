// @seconds 129

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { compiledFiles } from '../scripts/solidity.ts';
import { gateArtifact, testStablecoinArtifact, vaultArtifact } from '../src/artifact.ts';
import { runForgeTests } from './forge.ts';
import { foundryProgram } from './foundry.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('the contracts in Solidity', () => {
  test('the committed artifacts and the ABI match the compiled sources', () => {
    for (const [path, text] of compiledFiles())
      assert.ok(
        text === read(path),
        `${path} is stale: run sh scripts/launch.sh packages/vault/scripts/compile.ts`,
      );
  });

  test('the gate makes the vault from the committed creation code (CUS-15)', () => {
    assert.ok(gateArtifact.bytecode.includes(vaultArtifact.bytecode.slice(2)));
    assert.ok(!gateArtifact.deployedBytecode.includes(vaultArtifact.bytecode.slice(2)));
  });

  test("the contracts' own tests pass, on the committed code", async (t) => {
    foundryProgram('forge');
    const { passed, failed } = await runForgeTests();
    t.diagnostic(`forge: ${passed.length} passed, ${failed.length} failed`);
    assert.deepEqual(failed, []);
    assert.ok(passed.length >= 120, `only ${passed.length} tests ran`);
    for (const artifact of [vaultArtifact, gateArtifact, testStablecoinArtifact]) {
      const built = read(`out/${artifact.contract}.sol/${artifact.contract}.json`);
      const { bytecode } = JSON.parse(built) as { bytecode: { object: string } };
      assert.ok(bytecode.object === artifact.bytecode, `forge tested another ${artifact.contract}`);
    }
  });
});
