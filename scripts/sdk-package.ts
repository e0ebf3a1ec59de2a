/**
 * Checks the package of the sdk as the tools of its users read it: manifest and files by publint, the types of every door
 * by "Are the types wrong?". It builds the package into a folder of its own.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { buildSdk } from './build-sdk.ts';

const ATTW = fileURLToPath(import.meta.resolve('@arethetypeswrong/cli/package.json'));
/** The package has no form for `require`, which Node 20 could not load it by. */
const ATTW_OPTIONS = ['--pack', '.', '--profile', 'esm-only', '--no-color'];

/** Faults that the tools find in the package of a folder; empty if none. */
export async function faultsOf(folder: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true });
  const faults = messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
  const words = [join(dirname(ATTW), 'dist/index.js'), ...ATTW_OPTIONS];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? faults : [...faults, `attw: ${stdout}${stderr}`];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'venue-sdk-package-'));
  const dist = join(folder.path, 'dist');
  await buildSdk(dist);
  const faults = await faultsOf(dist);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}
