/** The compiled contracts that are committed beside this folder: what is deployed, and what a deployment is held to. */

import { readFileSync } from 'node:fs';
import type { Abi, Hex } from 'viem';

/** Place of an immutable's value in the deployed code, in bytes. */
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
  /** Code on chain, with zeros where immutables stand. */
  readonly deployedBytecode: Hex;
  /** Every place of each immutable, by the name of its variable. */
  readonly immutableReferences: Readonly<Record<string, readonly CodeReference[]>>;
}

export const vaultArtifact = read('VenueVault');
/** A token that anybody may mint: for tests and the demonstration only. */
export const testStablecoinArtifact = read('TestStablecoin');

function read(contract: string): Artifact {
  return JSON.parse(
    readFileSync(new URL(`../artifacts/${contract}.json`, import.meta.url), 'utf8'),
  ) as Artifact;
}
