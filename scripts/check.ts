/** One command that checks everything but the tests: types, lint and format, and the table of imports. */

import { spawnSync } from 'node:child_process';

const STEPS: readonly (readonly [string, readonly string[]])[] = [
  ['types', ['node_modules/.bin/tsc', '--noEmit']],
  ['lint and format', ['node_modules/.bin/biome', 'check', '.']],
  ['imports', [process.execPath, 'scripts/imports.ts']],
];

for (const [name, [command, ...args]] of STEPS) {
  const { status } = spawnSync(command!, args, { stdio: 'inherit' });
  console.log(`check: ${name} ${status === 0 ? 'passed' : 'FAILED'}`);
  if (status !== 0) process.exitCode = 1;
}
