/** The committed compiled contracts, used to deploy and to verify a deployment. */

import { readFileSync } from 'node:fs';
import type { Abi, Hex } from 'viem';

/** Position of an immutable's value in the deployed code, in bytes. */
export interface CodeReference {
  readonly start: number;
  readonly length: number;
}

export interface Artifact {
  readonly contract: string;
  readonly compiler: { readonly version: string };
  readonly abi: Abi;
  /** Creation code, without constructor arguments. */
  readonly bytecode: Hex;
  /** Deployed code, with zeros in place of immutables. */
  readonly deployedBytecode: Hex;
  /** Every position of each immutable, by the name of its variable. */
  readonly immutableReferences: Readonly<Record<string, readonly CodeReference[]>>;
}

export const vaultArtifact = read('VenueVault');
/** The gate, whose creation code holds that of the vault. */
export const gateArtifact = read('OperatorGate');
/** A token that anyone may mint: for tests and the demonstration only. */
export const testStablecoinArtifact = read('TestStablecoin');

function read(contract: string): Artifact {
  return JSON.parse(
    readFileSync(new URL(`../../artifacts/${contract}.json`, import.meta.url), 'utf8'),
  ) as Artifact;
}
