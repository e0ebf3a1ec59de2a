/**
 * Runs every check except the tests: types, lint and format, the table of imports, what pages claim, the contracts, what
 * agents read, prose, counts of words, links, flaky tests, unused code, the package of the sdk, licences and known
 * vulnerabilities.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/**
 * By default the compiler takes four checkers, of which each works out again what the others know: one takes two thirds of
 * the time of the processors, and the other core has the other steps.
 */
const TYPES = ['node_modules/.bin/tsc', '--noEmit', '--checkers', '1'];
const STEPS: readonly (readonly [string, readonly string[]])[] = [
  ['types', TYPES],
  ['types of the page', [...TYPES, '-p', 'packages/web']],
  ['lint and format', ['node_modules/.bin/biome', 'check', '.']],
  ['imports', [process.execPath, 'scripts/imports.ts']],
  ['refusals', [process.execPath, 'scripts/refusals.ts']],
  ['citations', [process.execPath, 'scripts/citations.ts']],
  ['thefts', [process.execPath, 'scripts/thefts.ts']],
  ['claims', [process.execPath, 'scripts/claims.ts']],
  ['contracts', [process.execPath, 'scripts/contracts.ts']],
  ['agents', [process.execPath, 'scripts/agents.ts', '--check']],
  ['prose', [process.execPath, 'scripts/prose.ts']],
  ['words', [process.execPath, 'scripts/word-counts.ts']],
  ['links', [process.execPath, 'scripts/links.ts']],
  ['flaky tests', [process.execPath, 'scripts/flaky.ts']],
  ['unused', [process.execPath, 'node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints']],
  ['package of the sdk', [process.execPath, 'scripts/sdk-package.ts']],
  ['licences', [process.execPath, 'scripts/licences.ts', '--check']],
  ['audit', [process.execPath, 'scripts/audit.ts']],
];

/** A step's output, and whether it passed. */
interface Outcome {
  readonly output: string;
  readonly hasPassed: boolean;
}

async function run([command, ...args]: readonly string[]): Promise<Outcome> {
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (data) => {
      output += data;
    });
  const [status] = await once(child, 'close');
  return { output, hasPassed: status === 0 };
}

// Most steps use one core, and the last waits for a registry that may not answer: as many at a time as there are cores.
const outcomes = STEPS.map(() => Promise.withResolvers<Outcome>());
const left = STEPS.entries();
const lanes = Array.from({ length: availableParallelism() }, async () => {
  for (const [i, [, command]] of left) outcomes[i]!.resolve(await run(command));
});
for (const [i, [name]] of STEPS.entries()) {
  const { output, hasPassed } = await outcomes[i]!.promise;
  process.stdout.write(`${output}check: ${name} ${hasPassed ? 'passed' : 'FAILED'}\n`);
  if (!hasPassed) process.exitCode = 1;
}
await Promise.all(lanes);
