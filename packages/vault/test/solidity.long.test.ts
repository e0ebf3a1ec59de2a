// @seconds 28

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type Abi, formatAbi } from 'abitype';
import { abiModule } from '../scripts/solidity.ts';
import {
  type CodeReference,
  gateArtifact,
  testStablecoinArtifact,
  vaultArtifact,
} from '../src/contract/artifact.ts';
import { runForgeTests } from './forge.ts';
import { foundryProgram } from './foundry.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const ARTIFACTS = [vaultArtifact, gateArtifact, testStablecoinArtifact];

interface ForgeOutput {
  readonly abi: Abi;
  readonly bytecode: { readonly object: string };
  readonly deployedBytecode: { readonly object: string; readonly immutableReferences?: References };
}

/** By the name of an immutable in an artifact, by a number of the compiler in forge's output. */
type References = Readonly<Record<string, readonly CodeReference[]>>;

function placesIn(references: References): number[] {
  const places = Object.values(references).flat();
  return places.map(({ start }) => start).sort((a, b) => a - b);
}

describe('the contracts in Solidity', () => {
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
    for (const artifact of ARTIFACTS) {
      const { abi, bytecode, deployedBytecode } = JSON.parse(
        read(`out/${artifact.contract}.sol/${artifact.contract}.json`),
      ) as ForgeOutput;
      const stale = `${artifact.contract} is stale: run sh scripts/launch.sh packages/vault/scripts/compile.ts`;
      assert.ok(bytecode.object === artifact.bytecode, stale);
      assert.ok(deployedBytecode.object === artifact.deployedBytecode, stale);
      assert.deepEqual(
        placesIn(deployedBytecode.immutableReferences ?? {}),
        placesIn(artifact.immutableReferences),
      );
      assert.deepEqual(formatAbi(abi).toSorted(), formatAbi(artifact.abi).toSorted());
    }
    assert.ok(read('src/contract/abi.ts') === abiModule(ARTIFACTS), 'src/contract/abi.ts is stale');
  });
});
