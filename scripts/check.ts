/**
 * Runs every check except the tests: types, lint and format, the table of imports, prose, unused code, licences and
 * known vulnerabilities.
 */

import { spawnSync } from 'node:child_process';

const STEPS: readonly (readonly [string, readonly string[]])[] = [
  ['types', ['node_modules/.bin/tsc', '--noEmit']],
  ['types of the page', ['node_modules/.bin/tsc', '--noEmit', '-p', 'packages/web']],
  ['lint and format', ['node_modules/.bin/biome', 'check', '.']],
  ['imports', [process.execPath, 'scripts/imports.ts']],
  ['citations', [process.execPath, 'scripts/citations.ts']],
  ['prose', [process.execPath, 'scripts/prose.ts']],
  ['unused', [process.execPath, 'node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints']],
  ['licences', [process.execPath, 'scripts/licences.ts', '--check']],
  ['audit', [process.execPath, 'scripts/audit.ts']],
];

for (const [name, [command, ...args]] of STEPS) {
  const { status } = spawnSync(command!, args, { stdio: 'inherit' });
  console.log(`check: ${name} ${status === 0 ? 'passed' : 'FAILED'}`);
  if (status !== 0) process.exitCode = 1;
}
