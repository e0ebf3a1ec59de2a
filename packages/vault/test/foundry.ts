/** Finds the programs of Foundry in their npm packages, so that nothing on the machine's PATH is used. */

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type FoundryProgram = 'anvil' | 'forge';

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Path of the program, or undefined if its package has no binary for this platform. */
export function findFoundry(program: FoundryProgram): string | undefined {
  const platform = `${process.platform}-${ARCHITECTURES[process.arch] ?? process.arch}`;
  const parent = createRequire(import.meta.url).resolve(`@foundry-rs/${program}/package.json`);
  try {
    const folder = dirname(createRequire(parent).resolve(`@foundry-rs/${program}-${platform}/package.json`));
    return join(folder, 'bin', process.platform === 'win32' ? `${program}.exe` : program);
  } catch {
    return undefined;
  }
}

/** Path of the program; throws one sentence that says what is missing. */
export function foundryProgram(program: FoundryProgram): string {
  const path = findFoundry(program);
  if (path !== undefined) return path;
  const platform = `${process.platform} ${process.arch}`;
  throw new Error(
    `${program} is not installed for ${platform}: run npm ci on a platform that Foundry supports`,
  );
}
