/** Compares code on chain with a committed artifact, byte for byte. */

import { type Hex, size, slice } from 'viem';
import type { Artifact, CodeReference } from './artifact.ts';

export interface Check {
  readonly name: string;
  readonly holds: boolean;
  /** The value found, and the expected value if it differs. */
  readonly found: string;
}

/** Compares everything but the immutables. */
export function codeCheck(name: string, address: string, code: Hex, artifact: Artifact): Check {
  if (code === '0x') return { name, holds: false, found: `there is none at ${address}` };
  const { compiler, deployedBytecode } = artifact;
  const version = compiler.version.split('+')[0];
  if (size(code) !== size(deployedBytecode))
    return { name, holds: false, found: `${size(code)} bytes, the artifact has ${size(deployedBytecode)}` };
  const holds = isCodeOf(code, artifact);
  const found = holds
    ? `${size(code)} bytes equal the artifact of solc ${version}`
    : 'differs from the artifact';
  return { name, holds, found };
}

/** True if this is the artifact's code, with any immutables. */
export function isCodeOf(code: Hex, artifact: Artifact): boolean {
  return (
    size(code) === size(artifact.deployedBytecode) &&
    masked(code, artifact) === masked(artifact.deployedBytecode, artifact)
  );
}

/** The code with zeros in place of immutables. */
function masked(code: Hex, { immutableReferences }: Artifact): string {
  const digits = code.slice(2).toLowerCase().split('');
  for (const { start, length } of Object.values(immutableReferences).flat())
    digits.fill('0', start * 2, (start + length) * 2);
  return digits.join('');
}

/** One check for each immutable of an artifact, at every place where the code holds it. */
export function immutableChecks(
  code: Hex,
  { immutableReferences }: Artifact,
  expected: ReadonlyMap<string, Hex>,
): Check[] {
  return Object.entries(immutableReferences).map(([name, places]) =>
    immutableCheck(name, valuesAt(code, places), expected.get(name)),
  );
}

function valuesAt(code: Hex, places: readonly CodeReference[]): Hex[] {
  return places.map(({ start, length }) => slice(code, start, start + length));
}

function immutableCheck(name: string, values: readonly Hex[], expected: Hex | undefined): Check {
  const other = values.find((value) => value.toLowerCase() !== expected?.toLowerCase());
  const places = values.length === 1 ? '1 place' : `${values.length} places`;
  if (other === undefined)
    return { name: `immutable ${name}`, holds: true, found: `${expected} in ${places}` };
  return { name: `immutable ${name}`, holds: false, found: `${other}, expected ${expected}` };
}

export function compare<T extends string | number>(name: string, found: T, expected: T): Check {
  const holds = found === expected;
  return { name, holds, found: holds ? `${found}` : `${found}, expected ${expected}` };
}
